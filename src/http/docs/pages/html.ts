import type { Piece } from '../assets/piece.js';

/** HTML that may be sent as it is. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Part = string | number | Markup | null | false | readonly Part[];

export const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/** Text between tags. Quotes need no escape there, and code is full of them. */
export function content(text: string): Markup {
  return new Markup(text.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign));
}

function toHtml(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Markup) return part.html;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(toHtml).join('');
}

/** A template in which all values but Markup are escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  // Nobody reads the indentation, which was a third of a page.
  const raw = strings.raw.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return new Markup(String.raw({ raw }, ...parts.map(toHtml)));
}

/** HTML for a piece that the browser can draw, too. */
export function draw(piece: Piece): Markup {
  if (typeof piece === 'string') return content(piece);
  const attributes = Object.entries(piece.attributes).map(([name, value]) => html` ${name}="${value}"`);
  const tag = new Markup(piece.tag);
  return html`<${tag}${attributes}>${piece.children.map(draw)}</${tag}>`;
}
