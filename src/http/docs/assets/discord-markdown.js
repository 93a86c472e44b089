// A message as Discord shows it: its Markdown, read into a tree of elements. Nothing here makes HTML of a text, so a
// page can draw what anybody has written. The page draws it in the browser, and the service on the pages that it sends.
//
// Rules are tried in this order where the reader is, as Discord does. Lists, quotes and headings only count at the
// start of a line.
const QUOTE_ALL = / *>>> ([^]*)/y;
const QUOTE_LINES = / *> [^\n]*(?:\n *> [^\n]*)*\n?/y;
const HEADING = /(#{1,3}) +(?! )([^\n]+)\n?/y;
const SUBTEXT = /-# +([^\n]+)\n?/y;
const LIST = /(?: *(?:[-*]|\d{1,9}\.) +[^\n]+(?:\n|$))+/y;
const LIST_ITEM = /^( *)([-*]|\d{1,9}\.) +(.+)$/;
const ESCAPE = /\\([^0-9A-Za-z\s])/y;
const FENCE = /^(?:([a-z0-9_+\-.#]+)\n)?\n*([^]*?)\n*$/i;
const AUTOLINK = /<(https?:\/\/[^ >]+)>/y;
const URL = /(https?:\/\/[^\s<]+[^<.,:;"')\]\s])/y;
const LINK =
  /\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?(https?:\/\/(?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+"[^"]*")?\s*\)/y;
const SPOILER = /\|\|([^]+?)\|\|/y;
const STRONG = /\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y;
const UNDERLINE = /__((?:\\[^]|[^\\])+?)__(?!_)/y;
const EMPHASIS =
  /_((?:__|\\[^]|[^\\_])+?)_\b|\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y;
const STRIKE = /~~([^]+?)~~(?!_)/y;
/**
 * Mentions and other ids by shape, with the name that each gets here.
 * @type {readonly (readonly [RegExp, (name: string) => string])[]}
 */
const MENTIONS = [
  [/<@!?\d{17,20}>/y, () => '@Someone'],
  [/<@&\d{17,20}>/y, () => '@Role'],
  [/<#\d{17,20}>/y, () => '#channel'],
  [/<\/([^:\n>]{1,100}):\d{17,20}>/y, (name) => `/${name}`],
  [/@(everyone|here)/y, (name) => `@${name}`],
  [/<id:(\w{1,20})(?::\d+)?>/y, (name) => `#${name}`],
];
const EMOJI = /<a?:(\w{2,32}):\d{17,20}>/y;
const TIME = /<t:(-?\d{1,13})(?::[tTdDfFR])?>/y;

/**
 * A piece of a drawn message: a text, or an element with its content.
 * @typedef {string | Piece} MessagePart
 * @typedef {{ readonly tag: string, readonly attributes: Readonly<Record<string, string>>, readonly children: readonly MessagePart[] }} Piece
 * @typedef {{ readonly part: MessagePart, readonly length: number }} Found
 * @typedef {{ readonly depth: number, readonly isInQuote: boolean, readonly isLineStart: boolean }} Context
 * @typedef {(content: string, change?: Partial<Context>) => MessagePart[]} Within
 */

/**
 * @param {string} tag
 * @param {readonly MessagePart[]} children
 * @param {Readonly<Record<string, string>>} attributes
 * @returns {Piece}
 */
const element = (tag, children, attributes = {}) => ({ tag, attributes, children });
/**
 * @param {string} name
 * @param {readonly MessagePart[]} children
 * @param {string} tag
 */
const styled = (name, children, tag = 'div') => element(tag, children, { class: name });

/**
 * The match of an expression that begins right here.
 * @param {RegExp} expression
 * @param {string} text
 * @param {number} at
 */
function matchAt(expression, text, at) {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** @type {readonly (readonly [RegExp, (inner: string) => MessagePart])[]} */
const MENTION_RULES = MENTIONS.map(([expression, nameOf]) => [
  expression,
  (name) => styled('mention', [nameOf(name)], 'span'),
]);

/** Nobody writes styles within styles as deep as this. */
const DEPTH_MAX = 30;

/**
 * Texts and elements, in order.
 * @param {string} text
 */
export function readMessage(text) {
  return read(text, { depth: 0, isInQuote: false, isLineStart: true });
}

/**
 * @param {string} text
 * @param {Context} context how deep it is, whether in a quote, and whether what it begins with is the start of a line
 * @returns {MessagePart[]}
 */
function read(text, context) {
  const { depth, isInQuote, isLineStart } = context;
  if (depth > DEPTH_MAX) return [text];
  /** @type {Within} */
  const within = (content, change = {}) =>
    read(content, { depth: depth + 1, isInQuote, isLineStart: false, ...change });
  /** @type {MessagePart[]} */
  const parts = [];
  let plain = '';
  let at = 0;
  /**
   * @param {MessagePart} part
   * @param {number} length
   */
  const take = (part, length) => {
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push(part);
    at += length;
  };
  while (at < text.length) {
    const isStart = at === 0 ? isLineStart : text[at - 1] === '\n';
    const found = (isStart ? readLine(text, at, within, isInQuote) : null) ?? readInline(text, at, within);
    if (found === null) plain += text[at++];
    else if (typeof found.part === 'string') {
      plain += found.part;
      at += found.length;
    } else take(found.part, found.length);
  }
  if (plain !== '') parts.push(plain);
  return parts;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {Within} within
 * @param {boolean} isInQuote
 * @returns {Found | null}
 */
function readLine(text, at, within, isInQuote) {
  if (!isInQuote) {
    const all = matchAt(QUOTE_ALL, text, at);
    const lines = all === null ? matchAt(QUOTE_LINES, text, at) : null;
    const [whole] = all ?? lines ?? [];
    if (whole !== undefined) {
      const content = all?.[1] ?? whole.replaceAll(/^ *> /gm, '').replace(/\n$/, '');
      const children = within(content, { isInQuote: true, isLineStart: true });
      return { part: element('blockquote', children), length: whole.length };
    }
  }
  const heading = matchAt(HEADING, text, at);
  if (heading !== null) {
    const [all, marks = '', content = ''] = heading;
    return { part: styled(`heading heading-${marks.length}`, within(content)), length: all.length };
  }
  const subtext = matchAt(SUBTEXT, text, at);
  if (subtext !== null)
    return { part: styled('subtext', within(subtext[1] ?? '')), length: subtext[0].length };
  const list = matchAt(LIST, text, at);
  return list === null ? null : { part: readList(list[0], within), length: list[0].length };
}

/**
 * A bullet or a number is part of the line, so that numbers stay those that were written.
 * @param {string} lines
 * @param {Within} within
 */
function readList(lines, within) {
  const items = lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, indent = '', mark = '', content = ''] = LIST_ITEM.exec(line) ?? ['', '', '', line];
      const bullet = /\d/.test(mark) ? mark : '•';
      return element('li', [styled('bullet', [`${bullet} `], 'span'), ...within(content)], {
        class: `depth-${Math.min(3, Math.ceil(indent.length / 2))}`,
      });
    });
  return element('ul', items);
}

/**
 * @param {string} text
 * @param {number} at
 * @param {Within} within
 * @returns {Found | null}
 */
function readInline(text, at, within) {
  const sign = text[at];
  /**
   * @param {(readonly [RegExp, (inner: string, second: string) => MessagePart])[]} rules
   * @returns {Found | null}
   */
  const tryAll = (...rules) => {
    for (const [expression, toPart] of rules) {
      const match = matchAt(expression, text, at);
      if (match !== null) return { part: toPart(match[1] ?? '', match[2] ?? ''), length: match[0].length };
    }
    return null;
  };
  switch (sign) {
    case '\\':
      return tryAll([ESCAPE, (escaped) => escaped]);
    case '`':
      return readFence(text, at) ?? readCode(text, at);
    case '<':
      return tryAll(
        [AUTOLINK, (href) => link(href, [href])],
        ...MENTION_RULES,
        [EMOJI, (name) => `:${name}:`],
        [TIME, (seconds) => styled('time', [showTime(Number(seconds))], 'span')],
      );
    case '@':
      return tryAll(...MENTION_RULES);
    case 'h':
      return tryAll([URL, (href) => link(href, [href])]);
    case '[':
      return tryAll([LINK, (label, href) => link(href, within(label))]);
    case '|':
      return tryAll([SPOILER, (content) => spoiler(within(content))]);
    case '~':
      return tryAll([STRIKE, (content) => element('s', within(content))]);
    case '*':
    case '_':
      return readStars(text, at, within);
    default:
      return null;
  }
}

/** @type {readonly (readonly [tag: string, expression: RegExp, bonus: number])[]} */
const STARS = [
  ['em', EMPHASIS, 0.2],
  ['strong', STRONG, 0.1],
  ['u', UNDERLINE, 0],
];

/**
 * The longest of the three wins, then italics, then bold.
 * @param {string} text
 * @param {number} at
 * @param {Within} within
 * @returns {Found | null}
 */
function readStars(text, at, within) {
  const [best] = STARS.flatMap(([tag, expression, bonus]) => {
    const match = matchAt(expression, text, at);
    return match === null ? [] : [{ tag, match, weight: match[0].length + bonus }];
  }).sort((a, b) => b.weight - a.weight);
  if (best === undefined) return null;
  const content = best.match[1] ?? best.match[2] ?? '';
  return { part: element(best.tag, within(content)), length: best.match[0].length };
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {Found | null}
 */
function readFence(text, at) {
  if (!text.startsWith('```', at)) return null;
  const end = text.indexOf('```', at + 3);
  const [, language = '', code = ''] = (end < 0 ? null : FENCE.exec(text.slice(at + 3, end))) ?? [];
  if (code === '') return null;
  const part = element('pre', [element('code', [code], { 'data-language': language.toLowerCase() })]);
  return { part, length: end + 3 - at };
}

/**
 * As many back-ticks end it as began it. Those that nothing ends are text.
 * @param {string} text
 * @param {number} at
 * @returns {Found}
 */
function readCode(text, at) {
  const [ticks] = matchAt(/`+/y, text, at) ?? ['`'];
  const from = at + ticks.length;
  for (const { 0: other, index } of text.slice(from).matchAll(/`+/g)) {
    if (other.length !== ticks.length) continue;
    const code = text.slice(from, from + index);
    return { part: element('code', [code.trim()]), length: ticks.length * 2 + code.length };
  }
  return { part: ticks, length: ticks.length };
}

/**
 * @param {string} href
 * @param {MessagePart[]} children
 */
function link(href, children) {
  return element('a', children, { href, rel: 'noreferrer nofollow' });
}

/**
 * The button is over the text until it is pressed.
 * @param {MessagePart[]} children
 */
function spoiler(children) {
  const cover = element('button', [], {
    type: 'button',
    'data-spoiler': '',
    'aria-label': 'Show the spoiler',
  });
  return styled('spoiler', [cover, element('span', children)], 'span');
}

/** @param {number} seconds since 1970 */
function showTime(seconds) {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.valueOf())
    ? 'Invalid Date'
    : date.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
