import { colour } from '../assets/operation/colours.js';
import { content, html, type Markup } from './layout.ts';

/** A part of the code that the page replaces, such as the key. The page finds it by `data-<name>`. */
export interface Place {
  readonly text: string;
  readonly mark: (text: string) => Markup;
}

/** Code in colours. */
export function colouredCode(code: string, language: string, places: readonly Place[] = []): Markup {
  return html`${colour(code, language).map(([kind, text]) =>
    kind === null ? markText(text, places) : html`<c-${kind}>${markText(text, places)}</c-${kind}>`,
  )}`;
}

/** The text with each of these parts in its own element. */
export function markText(text: string, [place, ...others]: readonly Place[]): Markup {
  if (place === undefined) return content(text);
  return html`${text
    .split(place.text)
    .map((piece, index) => [index === 0 ? null : place.mark(place.text), markText(piece, others)])}`;
}

/** A panel with code and a button to copy it. @param title says what it is */
export function codePanel(
  title: string,
  code: string,
  language: string,
  places: readonly Place[] = [],
): Markup {
  return html`<div class="code-panel">
    <header><strong>${title}</strong>${copyButton(title)}</header>
    <pre tabindex="0"><code>${colouredCode(code, language, places)}</code></pre>
  </div>`;
}

/** @param what is copied, for people who hear the page */
export function copyButton(what: string): Markup {
  return html`<button class="copy" aria-label="Copy ${what}">Copy</button>`;
}
