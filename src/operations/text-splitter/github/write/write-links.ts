import type { ChangeCounts } from '../change-counts.ts';
import { escapeMarks, type LinkStart, type Style } from '../read/inline.ts';
import { imageName, webUrl } from '../read/link-target.ts';
import { StyledText } from './styled-text.ts';

interface OpenLink {
  readonly start: LinkStart;
  readonly label: StyledText;
  /** null when Discord would not link its URL, so that only its text is written. */
  url: string | null;
  /** Styles that begin before it and end inside it. */
  readonly ending: Style[];
}

/** Writes links and pictures into a text. */
export class LinkWriter {
  readonly #around: StyledText;
  readonly #changes: ChangeCounts;
  #link: OpenLink | null = null;

  constructor(around: StyledText, changes: ChangeCounts) {
    this.#around = around;
    this.#changes = changes;
  }

  /** The text to write to: the label of the open link, or else the text around it. */
  get text(): StyledText {
    return this.#link?.label ?? this.#around;
  }

  get isOpen(): boolean {
    return this.#link !== null;
  }

  /** True in a link with a URL. Square brackets in its label would end the label. */
  get isMasked(): boolean {
    return this.#link !== null && this.#link.url !== null;
  }

  open(start: LinkStart): void {
    this.end();
    this.#link = {
      start,
      label: new StyledText(this.#around.lengthLeft),
      url: webUrl(start.url),
      ending: [],
    };
  }

  close(start: LinkStart): void {
    if (this.#link?.start === start) this.end();
  }

  /** Closes the open link. A link of HTML may have no closing tag. */
  end(): void {
    if (this.#link === null) return;
    const { label, url, ending } = this.#link;
    const around = this.#around;
    this.#link = null;
    const text = label.end();
    const shown = text.trim();
    if (url === null || shown === '') {
      this.#changes.add('link_removed');
      around.addLabel(label);
    } else if (withoutScheme(url) === shown || url === shown) around.addToken(url);
    else around.add(`[${shown}](${url})`, url + label.unescapable);
    for (const style of ending) around.close(style);
    around.continueStylesOf(label);
  }

  closeStyle(style: Style): void {
    if (!this.text.close(style)) this.#link?.ending.push(style);
  }

  addToken(text: string): void {
    this.text.addToken(this.isMasked ? withoutScheme(text) : text);
  }

  addImage(alt: string, source: string): void {
    this.#changes.add('image');
    const url = webUrl(source);
    const name = labelOf(imageName(alt, source));
    if (this.#link !== null) {
      // A picture in a link leads to the link's URL, or without one, to the picture.
      if (this.#link.url === null && url !== null) {
        this.#link.url = url;
        this.text.replaceInPieces(roundBrackets);
      }
      this.text.add(this.text.endsInVisibleChar() ? ` ${name}` : name);
    } else if (url === null || name === '') this.#around.add(name);
    else this.#around.add(`[${name}](${url})`, url);
  }
}

/** Removes the scheme of a URL in a label, because Discord does not link labels that look like URLs. */
function withoutScheme(token: string): string {
  return token.replace(/^<(https?:.*)>$/is, '$1').replace(/^https?:\/\//i, '');
}

/** Replaces square brackets, which would end the label of a link. */
export function roundBrackets(text: string): string {
  return text.replaceAll('[', '(').replaceAll(']', ')');
}

function labelOf(text: string): string {
  return escapeMarks(roundBrackets(text).replaceAll(/https?:\/\//gi, ''));
}
