import { normalizeIdentifier } from 'micromark-util-normalize-identifier';

import type { InlineParts } from './inline-parts.ts';
import { type LinkStart, footnoteMark, plainText } from './inline.ts';
import { readLinkTarget } from './link-target.ts';

const FOOTNOTE = /\[\^([^\]\s[]{1,200})\]/y;
/** Brackets that are open. */
const BRACKETS_MAX = 1_000;
/** As in CommonMark. */
const LABEL_LENGTH_MAX = 999;

interface Bracket {
  /** Index of its part. */
  readonly at: number;
  readonly textStart: number;
  readonly isImage: boolean;
}

/** Reads brackets: links, pictures and footnotes. Each method returns where reading continues. */
export class LinkReader {
  readonly #parts: InlineParts;
  readonly #brackets: Bracket[] = [];
  /** Brackets before this one cannot be links, because they contain one. */
  #lowestLinkable = 0;
  /** The position of the last bracket of any kind. There are no labels after it. */
  #lastBracket = -1;

  constructor(parts: InlineParts) {
    this.#parts = parts;
  }

  open(at: number): number {
    return this.#readFootnote(at) ?? this.#open(at, false);
  }

  openImage(at: number): number {
    return this.#open(at, true);
  }

  close(at: number): number {
    const parts = this.#parts;
    const bracket = this.#brackets.pop();
    const isInnermost = bracket !== undefined && this.#lastBracket === bracket.textStart;
    this.#lastBracket = at;
    if (bracket === undefined) return parts.addText(at, at + 1);
    const isLink = bracket.isImage || this.#brackets.length >= this.#lowestLinkable;
    const target = isLink ? this.#readTarget(bracket, at, isInnermost) : null;
    this.#lowestLinkable = Math.min(this.#lowestLinkable, this.#brackets.length);
    if (target === null) {
      parts.addText(at, at + 1);
      if (isLink || readLinkTarget(parts.text, at + 1) === null) return at + 1;
      // GitHub links only the inner of two links. Discord would read the outer one.
      parts.add({ kind: 'literal', text: '(', source: String.raw`\(` });
      return at + 2;
    }
    parts.closeFrom(bracket.at);
    if (bracket.isImage) {
      const alt = plainText(parts.takeFrom(bracket.at).slice(1));
      parts.add({ kind: 'image', alt, url: target.url });
    } else {
      const start: LinkStart = { kind: 'link', url: target.url };
      parts.list[bracket.at] = start;
      parts.add({ kind: 'linkEnd', start });
      this.#lowestLinkable = this.#brackets.length;
    }
    return target.end;
  }

  #readFootnote(at: number): number | null {
    const { text, context } = this.#parts;
    FOOTNOTE.lastIndex = at;
    const label = FOOTNOTE.exec(text)?.[1];
    if (label === undefined || !context.footnotes.has(label)) return null;
    context.changes.add('footnote');
    this.#parts.add({ kind: 'text', text: footnoteMark(label) });
    return FOOTNOTE.lastIndex;
  }

  #open(at: number, isImage: boolean): number {
    const end = at + (isImage ? 2 : 1);
    if (this.#brackets.length < BRACKETS_MAX) {
      this.#brackets.push({ at: this.#parts.list.length, textStart: end, isImage });
      this.#lastBracket = end;
    }
    return this.#parts.addText(at, end);
  }

  #readTarget(bracket: Bracket, at: number, isInnermost: boolean): { url: string; end: number } | null {
    const { text, context } = this.#parts;
    const direct = readLinkTarget(text, at + 1);
    if (direct !== null) return direct;
    const { definitions, changes } = context;
    if (definitions.size === 0) return null;
    const full = text.charCodeAt(at + 1) === 0x5b ? text.indexOf(']', at + 2) : -1;
    const hasLabel = full > at + 2 && full - at <= LABEL_LENGTH_MAX;
    const isShort = isInnermost && at - bracket.textStart <= LABEL_LENGTH_MAX;
    const shown = isShort ? text.slice(bracket.textStart, at) : '';
    const label = hasLabel ? text.slice(at + 2, full) : shown;
    const url = label === '' ? undefined : definitions.get(normalizeIdentifier(label));
    if (url === undefined) return null;
    changes.add('reference');
    return { url, end: hasLabel || full === at + 2 ? full + 1 : at + 1 };
  }
}
