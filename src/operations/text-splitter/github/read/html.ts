import { htmlBlockNames, htmlRawNames } from 'micromark-util-html-tag-name';

/** Elements that begin a line of their own, and HTML that continues up to a blank line. */
export const BLOCK_NAMES: ReadonlySet<string> = new Set(htmlBlockNames);
/** Elements whose text is not Markdown. */
export const RAW_NAMES: ReadonlySet<string> = new Set(htmlRawNames);

const BLOCK = new RegExp(`^</?(?:${htmlBlockNames.join('|')})(?:\\s|/?>|$)`, 'i');
const RAW = new RegExp(`^<(?:${htmlRawNames.join('|')})(?=[\\s>]|$)`, 'i');
const RAW_END = new RegExp(`</(?:${htmlRawNames.join('|')})>`, 'i');
const HIDDEN = [
  [/<!--/y, '-->'],
  [/<\?/y, '?>'],
  [/<!\[CDATA\[/y, ']]>'],
  [/<![a-z]/iy, '>'],
] as const;

/** Returns the characters that end the comment or declaration at `at`, or null. */
export function readHidden(text: string, at: number): string | null {
  for (const [pattern, end] of HIDDEN) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return end;
  }
  return null;
}

/** HTML at the beginning of a line. */
export interface HtmlStart {
  /** True for the line on which it ends, or null when it ends at the next blank line. */
  readonly endsOn: ((line: string) => boolean) | null;
}

const UP_TO_BLANK: HtmlStart = { endsOn: null };

/** @param isInParagraph tags other than those of blocks are part of the paragraph */
export function readHtmlStart(rest: string, isInParagraph: boolean): HtmlStart | null {
  if (!rest.startsWith('<')) return null;
  if (RAW.test(rest)) return { endsOn: (line) => RAW_END.test(line) };
  const hidden = readHidden(rest, 0);
  if (hidden !== null) return { endsOn: (line) => line.includes(hidden) };
  if (BLOCK.test(rest)) return UP_TO_BLANK;
  const tag = isInParagraph ? null : readTag(rest, 0);
  return tag !== null && rest.slice(tag.end).trim() === '' ? UP_TO_BLANK : null;
}

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
  /** Where the text continues. */
  readonly end: number;
}

/** A value without quotes ends before any character that could begin a tag or a quote. */
const VALUE = String.raw`"[^"]*"|'[^']*'|[^\s"'=<>\`]+`;
const NAME = String.raw`[a-z_:][\w.:-]*`;
/**
 * The tags of CommonMark. All else is text (`<I/O error>`, `n<b && m>c`). After a value in quotes a space is optional,
 * because browsers do not need one in a block of HTML.
 */
const TAG = new RegExp(
  String.raw`<(?:\/([a-z][a-z0-9-]{0,40})\s*|([a-z][a-z0-9-]{0,40})((?:(?:\s+|(?<=["']))${NAME}(?:\s*=\s*(?:${VALUE}))?){0,200})\s*\/?)>`,
  'iy',
);

const NAMES = new Set([
  ...BLOCK_NAMES,
  ...RAW_NAMES,
  ...(
    'a abbr acronym area audio b bdi bdo big blink br button canvas cite code data datalist del dfn em embed font g ' +
    'g-emoji i img input ins kbd label map mark marquee meta meter nobr noscript object output path picture progress ' +
    'q rp rt ruby s samp select slot small source span strike strong sub sup svg template time tt u var video wbr'
  ).split(' '),
]);

/** Reads the tag of an HTML element. Returns null for other text, also for an unknown tag (`Vec<String>`). */
export function readTag(text: string, at: number): Tag | null {
  TAG.lastIndex = at;
  const match = TAG.exec(text);
  if (match === null) return null;
  const [, closed, opened = '', attributes = ''] = match;
  const name = (closed ?? opened).toLowerCase();
  if (!NAMES.has(name)) return null;
  return { name, isEnd: closed !== undefined, attributes, end: TAG.lastIndex };
}

/** The text of code in HTML, without the tags in it. */
export function withoutTags(text: string): string {
  let shown = '';
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const end = readTag(text, at)?.end;
    if (end !== undefined) shown += text.slice(from, at);
    at = end ?? at + 1;
    from = end ?? from;
  }
  return shown + text.slice(from);
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** Returns null if the tag does not have it. */
export function readAttribute({ attributes }: Tag, name: string): string | null {
  for (const [, key = '', ...values] of attributes.matchAll(ATTRIBUTE)) {
    if (key.toLowerCase() === name) return (values.find((value) => value !== undefined) ?? '').trim();
  }
  return null;
}

/** The greatest depth of nested lists. */
export const LIST_DEPTH_MAX = 8;

/** The number of a list. null if the tag has none, or one with more digits than Markdown allows. */
export function readNumber(tag: Tag, name: string): number | null {
  const value = readAttribute(tag, name) ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}
