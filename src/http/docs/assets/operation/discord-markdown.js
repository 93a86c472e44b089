// A message as Discord shows it: its Markdown, parsed into a tree of nodes. No text becomes HTML here, so a page can
// safely show any user's text.
import { vnode } from '../vnode.js';

/**
 * @typedef {import('../vnode.js').VirtualNode} VirtualNode
 * @typedef {(content: string, change?: Partial<Context>) => VirtualNode[]} Within reads what is inside
 * @typedef {readonly [expression: RegExp, draw: (match: RegExpExecArray, within: Within) => VirtualNode]} Rule
 * @typedef {object} Context
 * @property {number} depth
 * @property {boolean} isLineStart whether what it begins with is the start of a line
 * @property {readonly Rule[]} blocks what counts at the start of a line
 */

/**
 * @param {string} name
 * @param {VirtualNode[]} children
 */
const span = (name, ...children) => vnode('span', { class: name }, ...children);
/** @param {string} name */
const mention = (name) => span('mention', name);
/**
 * @param {string} href
 * @param {VirtualNode[]} children
 */
const link = (href, ...children) => vnode('a', { href, rel: 'noreferrer nofollow' }, ...children);
/**
 * @param {string} tag
 * @returns {Rule[1]}
 */
const styled =
  (tag) =>
  ([, content, other = ''], within) =>
    vnode(tag, {}, ...within(content ?? other));

/** @type {readonly Rule[]} */
const BLOCKS = [
  [
    /(#{1,3}) +(?! )([^\n]+)\n?/y,
    ([, marks = '', content = ''], within) =>
      vnode('div', { class: `heading heading-${marks.length}` }, ...within(content)),
  ],
  [
    /-# +(?! )([^\n]+)\n?/y,
    ([, content = ''], within) => vnode('div', { class: 'subtext' }, ...within(content)),
  ],
  [/(?: *(?:[-*]|\d{1,9}\.) +(?! )[^\n]+(?:\n|$))+/y, ([lines], within) => drawList(lines, within)],
];
/**
 * There are no quotes within quotes.
 * @type {readonly Rule[]}
 */
const QUOTES = [
  [/ *>>> ([^]*)/y, ([, content = ''], within) => drawQuote(content, within)],
  [
    / *> [^\n]*(?:\n *> [^\n]*)*\n?/y,
    ([lines], within) => drawQuote(lines.replaceAll(/^ *> /gm, '').replace(/\n$/, ''), within),
  ],
];
/**
 * Tried in this order at each position, as Discord does. Mentions and other ids get a placeholder for a name.
 * @type {readonly Rule[]}
 */
const INLINE = [
  [/[^\\`<@h[|~*_\n]+/y, ([plain]) => plain],
  [/\\([^0-9A-Za-z\s])/y, ([, escaped = '']) => escaped],
  [
    /```(?:[a-z0-9_+\-.#]+?\n)?\n*([^\n][^]*?)```/iy,
    ([, code = '']) => vnode('pre', {}, vnode('code', {}, code.replace(/(?<!\n)\n+$/, ''))),
  ],
  // As many back-ticks end it as began it. Back-ticks without an end are text.
  [/(`+)(?!`)([^]*?[^`])\1(?!`)/y, ([, , code = '']) => vnode('code', {}, code.trim())],
  [/`+/y, ([ticks]) => ticks],
  [/<(https?:\/\/[^ >]+)>/y, ([, href = '']) => link(href, href)],
  [/<@!?\d{17,20}>/y, () => mention('@Someone')],
  [/<@&\d{17,20}>/y, () => mention('@Role')],
  [/<#\d{17,20}>/y, () => mention('#channel')],
  [/<\/([^:\n>]{1,100}):\d{17,20}>/y, ([, name]) => mention(`/${name}`)],
  [/@(?:everyone|here)/y, ([name]) => mention(name)],
  [/<id:(\w{1,20})(?::\d+)?>/y, ([, name]) => mention(`#${name}`)],
  [/<a?:(\w{2,32}):\d{17,20}>/y, ([, name]) => `:${name}:`],
  [/<t:(-?\d{1,13})(?::[tTdDfFR])?>/y, ([, seconds]) => span('time', showTime(Number(seconds)))],
  [/https?:\/\/[^\s<]+[^<.,:;"')\]\s]/y, ([href]) => link(href, href)],
  [
    /\[((?:\[[^[\]]*\]|[^[\]])*)\]\(<?(https?:\/\/[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)(?:\s+"[^"]*")?\)/y,
    ([, label = '', href = ''], within) => link(href.replace(/>$/, ''), ...within(label)),
  ],
  [/\|\|([^]+?)\|\|/y, ([, content = ''], within) => spoiler(within(content))],
  [/~~([^]+?)~~(?!_)/y, styled('s')],
];
/**
 * The longest of these wins, then italics, then bold.
 * @type {readonly Rule[]}
 */
const STARS = [
  [
    /_((?:__|\\[^]|[^\\_])+?)_\b|\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y,
    styled('em'),
  ],
  [/\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y, styled('strong')],
  [/__((?:\\[^]|[^\\])+?)__(?!_)/y, styled('u')],
];

/** The deepest styles within styles. Real messages never have as many. */
const DEPTH_MAX = 30;

/** @param {string} text */
export function readMessage(text) {
  return read(text, { depth: 0, isLineStart: true, blocks: [...QUOTES, ...BLOCKS] });
}

/**
 * @param {string} text
 * @param {Context} context
 * @returns {VirtualNode[]}
 */
function read(text, { depth, isLineStart, blocks }) {
  if (depth > DEPTH_MAX) return [text];
  /** @type {Within} */
  const within = (content, change) =>
    read(content, { depth: depth + 1, isLineStart: false, blocks, ...change });
  /** @type {VirtualNode[]} */
  const nodes = [];
  /** @param {VirtualNode} found */
  const add = (found) => {
    const last = nodes.at(-1);
    if (typeof last === 'string' && typeof found === 'string') nodes.splice(-1, 1, last + found);
    else nodes.push(found);
  };
  let at = 0;
  while (at < text.length) {
    const isStart = at === 0 ? isLineStart : text[at - 1] === '\n';
    const [first] = matchesAt(isStart ? [...blocks, ...INLINE] : INLINE, text, at);
    const [longest] = matchesAt(STARS, text, at).sort((a, b) => b.match[0].length - a.match[0].length);
    const found = first ?? longest;
    add(found?.draw(found.match, within) ?? text.charAt(at));
    at += found?.match[0].length ?? 1;
  }
  return nodes;
}

/**
 * The rules that match at `at`.
 * @param {readonly Rule[]} rules
 * @param {string} text
 * @param {number} at
 */
function matchesAt(rules, text, at) {
  return rules.flatMap(([expression, draw]) => {
    expression.lastIndex = at;
    const match = expression.exec(text);
    return match === null ? [] : [{ match, draw }];
  });
}

/**
 * @param {string} content
 * @param {Within} within
 */
function drawQuote(content, within) {
  return vnode('blockquote', {}, ...within(content, { isLineStart: true, blocks: BLOCKS }));
}

/**
 * A bullet or a number is part of the line, so that numbers stay those that were written.
 * @param {string} lines
 * @param {Within} within
 */
function drawList(lines, within) {
  const items = [...lines.matchAll(/^( *)(\S+) +(.+)$/gm)].map(([, indent = '', mark = '', content = '']) => {
    const bullet = /\d/.test(mark) ? mark : '•';
    const depth = Math.min(3, Math.ceil(indent.length / 2));
    return vnode('li', { class: `depth-${depth}` }, span('bullet', `${bullet} `), ...within(content));
  });
  return vnode('ul', {}, ...items);
}

/**
 * The button is over the text until it is pressed.
 * @param {VirtualNode[]} content
 */
function spoiler(content) {
  const attributes = { type: 'button', 'data-spoiler': '', 'aria-label': 'Show the spoiler' };
  return span('spoiler', vnode('button', attributes), vnode('span', {}, ...content));
}

/** @param {number} seconds since 1970 */
function showTime(seconds) {
  const date = new Date(seconds * 1000);
  return date.toLocaleString('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
