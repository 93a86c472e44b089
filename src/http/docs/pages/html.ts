/** HTML that may be sent as it is. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Part = string | number | Markup | null | false | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

function toHtml(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Markup) return part.html;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(toHtml).join('');
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The template without its indentation, which nobody reads and which was a third of a page. */
function unindent(strings: TemplateStringsArray): readonly string[] {
  const raw = templates.get(strings) ?? strings.raw.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  templates.set(strings, raw);
  return raw;
}

/** A template in which all values but Markup are escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(String.raw({ raw: unindent(strings) }, ...parts.map(toHtml)));
}

/** A field for names, ids, codes and secrets: nothing is completed or corrected in it. */
export function codeInput(type: 'text' | 'password' | 'search', attributes: Markup): Markup {
  return html`<input type="${type}" class="mono" autocomplete="off" spellcheck="false" ${attributes} />`;
}
