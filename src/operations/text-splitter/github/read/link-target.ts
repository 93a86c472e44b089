import { type Definition, normaliseLabel } from './block.ts';
import { decodeEntities } from './entities.ts';

const NESTING_MAX = 32;
const TARGET_LENGTH_MAX = 4_096;
const TITLE = /[ \t\n]{1,20}(?:"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|\((?:[^()\\]|\\.){0,300}\))/y;

export interface LinkTarget {
  readonly url: string;
  readonly end: number;
}

/** Reads `(url "title")` at `at`. */
export function readLinkTarget(text: string, at: number): LinkTarget | null {
  if (text.charCodeAt(at) !== 0x28) return null;
  let from = at + 1;
  while (from - at < 100 && isBlank(text.charCodeAt(from))) from += 1;
  const isAngled = text.charCodeAt(from) === 0x3c;
  const urlEnd = isAngled ? endOfAngled(text, from) : endOfBare(text, from);
  if (urlEnd < 0) return null;
  const url = isAngled ? text.slice(from + 1, urlEnd - 1) : text.slice(from, urlEnd);
  TITLE.lastIndex = urlEnd;
  let end = TITLE.test(text) ? TITLE.lastIndex : urlEnd;
  while (end - urlEnd < 1_000 && isBlank(text.charCodeAt(end))) end += 1;
  return text.charCodeAt(end) === 0x29 ? { url: decodeTarget(url), end: end + 1 } : null;
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09;
}

function endOfAngled(text: string, from: number): number {
  const limit = Math.min(text.length, from + TARGET_LENGTH_MAX);
  for (let at = from + 1; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x3e) return at + 1;
    if (unit === 0x0a || unit === 0x3c) return -1;
    if (unit === 0x5c) at += 1;
  }
  return -1;
}

function endOfBare(text: string, from: number): number {
  const limit = Math.min(text.length, from + TARGET_LENGTH_MAX);
  let depth = 0;
  let at = from;
  for (; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20) break;
    if (unit === 0x5c) at += 1;
    else if (unit === 0x28) {
      depth += 1;
      if (depth > NESTING_MAX) return -1;
    } else if (unit === 0x29) {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  return depth === 0 ? at : -1;
}

const BARE_URL = /https?:\/\/[^\s<>\]`]+/iy;

/** The end of a bare address at `at`, without the punctuation of the sentence round it; -1 for none. */
export function endOfBareUrl(text: string, at: number): number {
  BARE_URL.lastIndex = at;
  if (!BARE_URL.test(text)) return -1;
  let end = BARE_URL.lastIndex;
  let opened = 0;
  let closed = 0;
  for (let each = at; each < end; each += 1) {
    const unit = text.charCodeAt(each);
    if (unit === 0x28) opened += 1;
    else if (unit === 0x29) closed += 1;
  }
  for (; end > at + 8; end -= 1) {
    const unit = text.charCodeAt(end - 1);
    if (unit === 0x29 && closed > opened) closed -= 1;
    else if (!'?!.,:;*_~\'"|'.includes(text.charAt(end - 1))) break;
  }
  return end;
}

/** What an address means that is written with escapes and references to characters. */
function decodeTarget(source: string): string {
  return source.replaceAll(
    /\\([!-/:-@[-`{-~])|&#?\w{1,32};/g,
    (found, sign: string | undefined) => sign ?? decodeEntities(found),
  );
}

/** An address that Discord makes a link of, in a form that ends where it should; null for others. */
export function webUrl(source: string): string | null {
  const url = source.trim();
  if (!/^https?:\/\/[^\s/]/i.test(url)) return null;
  return url.replaceAll(/[\s<>()\\]/g, (sign) =>
    sign === '(' ? '%28' : sign === ')' ? '%29' : encodeURIComponent(sign),
  );
}

/** What is shown for a picture: its text, or else the last part of its address. */
export function imageName(alt: string, source: string): string {
  const text = alt.replaceAll(/\s+/g, ' ').trim();
  if (text !== '') return text;
  const path = source.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 100);
}

/** An address is at most as long as that of a link: a text may refer to it again and again. */
const LABEL_AND_URL =
  /\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t]*(?:<((?:[^<>\n\\]|\\.){0,4096})>|((?!<)\S{1,4096}))/y;
const DEFINITION_TITLE =
  /[ \t]*\n?[ \t]*(?:"(?:[^"\\]|\\[^]){0,300}"|'(?:[^'\\]|\\[^]){0,300}'|\((?:[^()\\]|\\[^]){0,300}\))[ \t]*(?:\n|$)/y;
const LINE_END = /[ \t]*(?:\n|$)/y;

/** Takes the definitions of links from the start of a paragraph. @returns where the rest begins */
export function takeDefinitions(text: string, definitions: Map<string, Definition>): number {
  let at = 0;
  while (text.startsWith('[', at)) {
    LABEL_AND_URL.lastIndex = at;
    const match = LABEL_AND_URL.exec(text);
    if (match === null) return at;
    const label = normaliseLabel(match[1] ?? '');
    if (label === '' || label.startsWith('^')) return at;
    const end = endOfDefinition(text, LABEL_AND_URL.lastIndex);
    if (end < 0) return at;
    const source = match[2] ?? match[3] ?? '';
    if (!definitions.has(label)) definitions.set(label, { source, url: decodeTarget(source) });
    at = end;
  }
  return at;
}

/** After the title, where there is one; -1 when something else follows on the line. */
function endOfDefinition(text: string, at: number): number {
  DEFINITION_TITLE.lastIndex = at;
  if (/[ \t\n]/.test(text.charAt(at)) && DEFINITION_TITLE.test(text)) return DEFINITION_TITLE.lastIndex;
  LINE_END.lastIndex = at;
  return LINE_END.test(text) ? LINE_END.lastIndex : -1;
}
