const BLOCK_NAMES = [
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt',
  'fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link',
  'main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|picture|search|section|summary|table|tbody|td|tfoot|th',
  'thead|title|tr|track|ul',
].join('|');

const RAW = /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i;
const RAW_END = /<\/(?:script|pre|style|textarea)>/i;
const BLOCK = new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i');
const ALONE =
  /^(?:<[a-z][\w-]{0,40}(?:\s+[a-z_:][\w.:-]{0,80}(?:\s*=\s*(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'=<>`]{1,2000}))?){0,30}\s*\/?>|<\/[a-z][\w-]{0,40}\s*>)\s*$/i;

/** Whether the HTML that is open ends on a line; `blank`: it ends at the next blank line. */
export type HtmlEnd = ((line: string) => boolean) | 'blank';

const includes = (end: string) => (line: string) => line.includes(end);

/** @returns where the HTML ends that a line begins with; null when it begins with none */
export function readHtmlStart(rest: string, isInParagraph: boolean): HtmlEnd | null {
  if (!rest.startsWith('<')) return null;
  if (RAW.test(rest)) return (line) => RAW_END.test(line);
  if (rest.startsWith('<!--')) return includes('-->');
  if (rest.startsWith('<?')) return includes('?>');
  if (rest.startsWith('<![CDATA[')) return includes(']]>');
  if (/^<![a-z]/i.test(rest)) return includes('>');
  if (BLOCK.test(rest)) return 'blank';
  return !isInParagraph && rest.length < 10_000 && ALONE.test(rest) ? 'blank' : null;
}

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
  /** Where the text goes on. */
  readonly end: number;
}

const NAME = /<(\/?)([a-z][a-z0-9-]{0,40})(?=[\s/>])/iy;
/** Tags hold addresses, and pictures as such. */
const TAG_LENGTH_MAX = 4_096;

const NAMES = new Set(
  [
    'a abbr acronym address area article aside audio b base basefont bdi bdo big blink blockquote body br button canvas',
    'caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset',
    'figcaption figure font footer form frame frameset g g-emoji h1 h2 h3 h4 h5 h6 head header hr html i iframe img input',
    'ins kbd label legend li link main map mark marquee menu meta meter nav nobr noframes noscript object ol optgroup',
    'option output p param path picture pre progress q rp rt ruby s samp script search section select slot small source',
    'span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u',
    'ul var video wbr',
  ]
    .join(' ')
    .split(' '),
);

/** Reads the tag of an HTML element; null where there is none, or an unknown one (`Vec<String>`), which is text. */
export function readTag(text: string, at: number): Tag | null {
  NAME.lastIndex = at;
  const match = NAME.exec(text);
  if (match === null) return null;
  const name = (match[2] ?? '').toLowerCase();
  if (!NAMES.has(name)) return null;
  const from = NAME.lastIndex;
  const limit = Math.min(text.length, at + TAG_LENGTH_MAX);
  let quote = 0;
  for (let end = from; end < limit; end += 1) {
    const unit = text.charCodeAt(end);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === 0x3e) {
      return { name, isEnd: match[1] === '/', attributes: text.slice(from, end), end: end + 1 };
    } else if ((unit === 0x22 || unit === 0x27) && text.charCodeAt(end - 1) === 0x3d) quote = unit;
    else if (unit === 0x3c) return null;
  }
  return null;
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** null where the tag has none. */
export function readAttribute({ attributes }: Tag, name: string): string | null {
  for (const [, key = '', ...values] of attributes.matchAll(ATTRIBUTE)) {
    if (key.toLowerCase() === name) return (values.find((value) => value !== undefined) ?? '').trim();
  }
  return null;
}
