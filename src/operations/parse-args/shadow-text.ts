import { isBlank } from './characters.ts';
import { LineText } from './line-text.ts';

/** A part of the shadow, from `start` up to but without `end`, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A line as it is recognised: without zero-width and bidirectional characters, full-width ASCII folded to ASCII.
 * Everything that is answered is cut from the original by offset.
 */
export interface ShadowText {
  readonly original: string;
  readonly text: LineText;
  /** Offset in the original of each unit of `text`; null when both are the same. */
  readonly offsets: Uint32Array | null;
}

// Left out: soft hyphen, grapheme joiner, Hangul filler, Khmer inherent vowels, Mongolian separators, zero-width
// characters, bidirectional marks and controls, invisible operators, byte order mark. Variation selectors and tag
// characters stay: they belong to the emoji before them.
const LEFT_OUT =
  /\u00ad|\u034f|\u061c|\u1160|[\u17b4\u17b5]|[\u180b-\u180e]|[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;
const FULL_WIDTH = /[\uff01-\uff5e]/;
const VISIBLE = /[^\s\u0085\u2800\p{Default_Ignorable_Code_Point}]/u;

const FULL_WIDTH_OFFSET = 0xff01 - 0x21;

/** Whether anything in the text can be seen. Lone surrogates and control characters count as visible. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** @param buffer see LineText */
export function makeShadow(original: string, buffer: Uint16Array | null): ShadowText {
  const text = new LineText(original, buffer);
  if (text.isAscii || !(LEFT_OUT.test(original) || FULL_WIDTH.test(original))) {
    return { original, text, offsets: null };
  }
  const offsets = new Uint32Array(text.length);
  const characters: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.unitAt(at);
    const isFullWidth = unit >= 0xff01 && unit <= 0xff5e;
    const character = String.fromCharCode(isFullWidth ? unit - FULL_WIDTH_OFFSET : unit);
    if (unit >= 0x80 && LEFT_OUT.test(character)) continue;
    offsets[characters.length] = at;
    characters.push(character);
  }
  return { original, text: new LineText(characters.join(''), buffer), offsets };
}

/** The range as it was typed, without the left-out characters around it. */
export function cutOriginal({ original, text, offsets }: ShadowText, { start, end }: Range): string {
  if (end <= start) return '';
  if (offsets === null) return text.slice(start, end);
  const first = offsets[start] ?? 0;
  const behind = (offsets[end - 1] ?? 0) + 1;
  // Isolates and embeddings come in pairs; where both halves are at the edge of the range, they belong to it.
  const outerFirst = start === 0 ? 0 : (offsets[start - 1] ?? 0) + 1;
  const outerBehind = end < text.length ? (offsets[end] ?? original.length) : original.length;
  const outer = trimLeftOut(original.slice(outerFirst, outerBehind));
  return isBalanced(outer) ? outer : original.slice(first, behind);
}

const PAIRED = /[\u202a-\u202e\u2066-\u2069]/;

function trimLeftOut(text: string): string {
  let start = 0;
  let end = text.length;
  const isPadding = (at: number) => {
    const unit = text.charAt(at);
    return isBlank(text.charCodeAt(at)) || (LEFT_OUT.test(unit) && !PAIRED.test(unit));
  };
  while (start < end && isPadding(start)) start += 1;
  while (end > start && isPadding(end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBalanced(text: string): boolean {
  if (!PAIRED.test(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x202c || unit === 0x2069) depth -= 1;
    else if ((unit >= 0x202a && unit <= 0x202e) || (unit >= 0x2066 && unit <= 0x2068)) depth += 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
