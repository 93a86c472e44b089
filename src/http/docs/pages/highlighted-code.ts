import { highlight } from '../assets/operation/highlight.js';
import { content, html, type Markup } from './layout.ts';

/** A part of the code that the page replaces, such as the key. The page finds it by `data-<name>`. */
export interface Placeholder {
  readonly text: string;
  readonly mark: (text: string) => Markup;
}

/** Code in colours. */
export function highlightedCode(
  code: string,
  language: string,
  placeholders: readonly Placeholder[] = [],
): Markup {
  return html`${highlight(code, language).map(([kind, text]) =>
    kind === null
      ? markText(text, placeholders)
      : html`<c-${kind}>${markText(text, placeholders)}</c-${kind}>`,
  )}`;
}

/** The text with each of these parts in its own element. */
export function markText(text: string, [placeholder, ...others]: readonly Placeholder[]): Markup {
  if (placeholder === undefined) return content(text);
  return html`${text
    .split(placeholder.text)
    .map((piece, index) => [
      index === 0 ? null : placeholder.mark(placeholder.text),
      markText(piece, others),
    ])}`;
}

/** A panel with code and a button to copy it. @param title says what it is */
export function codePanel(
  title: string,
  code: string,
  language: string,
  placeholders: readonly Placeholder[] = [],
): Markup {
  return html`<div class="code-panel">
    <header><strong>${title}</strong>${copyButton(title)}</header>
    <pre tabindex="0"><code>${highlightedCode(code, language, placeholders)}</code></pre>
  </div>`;
}

/** @param what is copied, for people who hear the page */
export function copyButton(what: string): Markup {
  return html`<button class="copy" aria-label="Copy ${what}">Copy</button>`;
}
