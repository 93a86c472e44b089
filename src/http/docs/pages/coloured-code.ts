import { colour } from '../assets/colours.js';
import { html, type Markup } from './html.ts';

/**
 * Code in colours.
 * @param marked a text in it that the page replaces, such as the key; the page finds it by `data-key`
 */
export function colouredCode(code: string, language: string, marked: string | null = null): Markup {
  return html`${colour(code, language).map(([kind, text]) => {
    const inner = marked === null ? text : markText(text, marked);
    return kind === null ? inner : html`<span class="code-${kind}">${inner}</span>`;
  })}`;
}

/** The text, with an element of its own for what is marked in it. */
export function markText(text: string, marked: string): Markup {
  const [first = '', ...others] = text.split(marked);
  return html`${first}${others.map((other) => html`<span data-key>${marked}</span>${other}`)}`;
}
