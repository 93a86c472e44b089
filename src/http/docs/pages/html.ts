/** HTML that may be sent as it is. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Part = string | number | Markup | null | readonly Part[];

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
  if (part === null) return '';
  if (part instanceof Markup) return part.html;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(toHtml).join('');
}

/** A template in which all values but Markup are escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(toHtml)));
}

/** The little Markdown of descriptions and notes: code, strong, emphasis and links; a blank line parts paragraphs. */
export function markdown(text: string): Markup {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return new Markup(paragraphs.map((paragraph) => `<p>${inlineMarkdown(paragraph).html}</p>`).join(''));
}

export function inlineMarkdown(text: string): Markup {
  return new Markup(
    escapeHtml(text)
      .split(/(`[^`]+`)/)
      .map((piece) =>
        piece.startsWith('`')
          ? `<code>${piece.slice(1, -1)}</code>`
          : piece
              .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
              .replaceAll(/\*([^*]+)\*/g, '<em>$1</em>')
              .replaceAll(/https?:\/\/[^\s<]*[^\s<.,;]/g, '<a href="$&">$&</a>'),
      )
      .join(''),
  );
}
