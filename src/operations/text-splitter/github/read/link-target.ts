import { decodeString } from 'micromark-util-decode-string';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';

const CHARACTER = String.raw`[^ \t-\r()\\]|\\(?:[()\\]|(?![()\\]))`;
const inBrackets = (inner: string) => String.raw`${CHARACTER}|\((?:${inner})*\)`;
/** With brackets in pairs, three levels deep, as CommonMark requires. */
const URL_PATTERN = inBrackets(inBrackets(inBrackets(CHARACTER)));
const TITLE = String.raw`(?:"(?:[^"\\]|\\[^]){0,300}"|'(?:[^'\\]|\\[^]){0,300}'|\((?:[^()\\]|\\[^]){0,300}\))`;
const TARGET = new RegExp(
  String.raw`\([ \t\n]*(?![ \t\n])(?:<((?:[^<>\n\\]|\\.)*)>|(?!<)((?:${URL_PATTERN})*))(?:[ \t\n]+${TITLE})?[ \t\n]*\)`,
  'y',
);

/** Reads `(url "title")` at `at`. */
export function readLinkTarget(text: string, at: number): { url: string; end: number } | null {
  TARGET.lastIndex = at;
  const match = TARGET.exec(text);
  return match === null ? null : { url: decodeString(match[1] ?? match[2] ?? ''), end: TARGET.lastIndex };
}

const BARE_URL = /https?:\/\/[^\s<>\]`]+/iy;

/** The end of a bare URL at `at`, without the punctuation of the sentence around it, or -1. */
export function endOfBareUrl(text: string, at: number): number {
  BARE_URL.lastIndex = at;
  const url = BARE_URL.exec(text)?.[0];
  if (url === undefined) return -1;
  let excess = url.split(')').length - url.split('(').length;
  let { length } = url;
  for (; length > 8; length -= 1) {
    const char = url.charAt(length - 1);
    if (char === ')' && excess > 0) excess -= 1;
    else if (!'?!.,:;*_~\'"|'.includes(char)) break;
  }
  return at + length;
}

/** Returns a URL that Discord links, in a form that ends in the right position, or null. */
export function webUrl(source: string): string | null {
  const url = source.trim();
  if (!/^https?:\/\/[^\s/]/i.test(url)) return null;
  const encoded = url.replaceAll(/[\s<>\\]/g, (char) => encodeURIComponent(char));
  return encoded.replaceAll('(', '%28').replaceAll(')', '%29');
}

/** The text shown for a picture: its own, or else the last part of its URL. */
export function imageName(alt: string, source: string): string {
  const text = alt.replaceAll(/\s+/g, ' ').trim();
  if (text !== '') return text;
  const path = source.replace(/[?#].*$/s, '').replace(/(?<!\/)\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 100);
}

/** A URL has at most 4,096 characters, because a text may refer to it again and again. */
const DEFINITION = new RegExp(
  String.raw`\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*(?:\n[ \t]*)?(?:<((?:[^<>\n\\]|\\.){0,4096})>|((?!<)\S{1,4096}))` +
    String.raw`(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)${TITLE})?[ \t]*(?:\n|$)`,
  'y',
);

/**
 * Takes the definitions of links from the start of a paragraph.
 * @returns the start of the rest
 */
export function takeDefinitions(text: string, definitions: Map<string, string>): number {
  let at = 0;
  while (text.startsWith('[', at)) {
    DEFINITION.lastIndex = at;
    const match = DEFINITION.exec(text);
    const label = normalizeIdentifier(match?.[1] ?? '');
    if (match === null || label === '' || label.startsWith('^')) return at;
    if (!definitions.has(label)) definitions.set(label, decodeString(match[2] ?? match[3] ?? ''));
    at = DEFINITION.lastIndex;
  }
  return at;
}
