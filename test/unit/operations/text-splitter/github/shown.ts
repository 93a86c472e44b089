import type { Element, Nodes as Html } from 'hast';
import { raw } from 'hast-util-raw';
import type { Nodes, PhrasingContent, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';

import { readStyles } from '../discord-reader.ts';

/**
 * A text as a reader sees it, on GitHub and in Discord: each character that is no white space with its style and the
 * address that it leads to, and the markers of lists with their depth. Neither side uses anything of the converter:
 * GitHub is read by micromark and its HTML by parse5, Discord by the expressions of its clients.
 */
export type Shown = readonly string[];

interface State {
  readonly styles: readonly string[];
  readonly url: string | null;
  readonly depth: number;
  /** Lines of code, of which those that look like a table's rule are left out on both sides. */
  readonly isCode?: boolean;
}

const START: State = { styles: [], url: null, depth: 0 };

/** The line under the header of a table in code, which no one wrote. */
const RULE = /^ *-+(?: +-+)*$/gm;
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

function show(text: string, { styles, url }: State, out: string[]): void {
  const style = [...new Set(styles)].sort().join(' ');
  // Labels that look like addresses are shown without their scheme, and `www.` comes with one.
  const leadsTo = styles.includes('fence') ? '' : (url ?? '');
  for (const char of text.replaceAll(/[\s\u200b]+|https?:\/\//gi, '')) {
    // The brackets of a label are round, since others would end it.
    const shown = leadsTo === '' ? char : char.replace('[', '(').replace(']', ')');
    out.push(`${shown} ${style} ${leadsTo}`.trim());
  }
}

function withStyle(state: State, style: string): State {
  return state.styles.includes('fence') ? state : { ...state, styles: [...state.styles, style] };
}

/** Written as it is sent, with all characters encoded that may be: one reader encodes more of them than the other. */
function webUrl(url: string): string | null {
  if (!/^https?:\/\/[^\s/]/i.test(url)) return null;
  return url
    .toWellFormed()
    .replaceAll(/[()]|[^\w!#$%&'*+,./:;=?@~()-]+/g, (chars) =>
      /[()]/.test(chars) ? `%${chars.charCodeAt(0).toString(16)}` : encodeURIComponent(chars),
    );
}

// ---- GitHub

/** The meaning of elements, be they of HTML or of Markdown. */
const STYLES: Readonly<Record<string, string>> = {
  em: 'italic',
  i: 'italic',
  strong: 'bold',
  b: 'bold',
  del: 'strike',
  s: 'strike',
  strike: 'strike',
  u: 'underline',
  ins: 'underline',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
  h1: 'heading#',
  h2: 'heading##',
  h3: 'heading###',
  h4: 'bold',
  h5: 'bold',
  h6: 'bold',
  summary: 'bold',
  blockquote: 'quote',
};
const LISTS = new Set(['ul', 'ol', 'menu']);
/** Their text is not shown. */
const HIDDEN = new Set(['script', 'style', 'head', 'template']);

export function shownOnGithub(source: string): Shown {
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  nameWhatIsNamed(tree);
  const out: string[] = [];
  walk(raw(toHast(tree, { allowDangerousHtml: true })), START, null, out);
  return out;
}

/** Footnotes come last with their labels, alerts begin with their names, and pictures without a text are named. */
function nameWhatIsNamed(tree: Root): void {
  const urls = new Map<string, string>();
  const notes: Root['children'] = [];
  visit(tree, (node) => {
    if (node.type === 'definition' && !urls.has(node.identifier)) urls.set(node.identifier, node.url);
    if (node.type === 'footnoteDefinition') notes.push(noteMark(node), ...node.children);
  });
  visit(tree, (node) => {
    if (node.type === 'blockquote') nameAlert(node.children[0]);
    // Cells beyond the columns are kept.
    if (node.type === 'table') node.align = null;
    if ((node.type === 'image' || node.type === 'imageReference') && (node.alt ?? '') === '')
      node.alt = fileName(node.type === 'image' ? node.url : (urls.get(node.identifier) ?? ''));
    if (!('children' in node)) return;
    const children = node.children as Nodes[];
    for (const [index, child] of children.entries())
      if (child.type === 'footnoteReference') children[index] = noteMark(child);
  });
  tree.children = [...tree.children.filter(({ type }) => type !== 'footnoteDefinition'), ...notes];
}

function visit(node: Nodes, see: (node: Nodes) => void): void {
  see(node);
  if ('children' in node) for (const child of node.children) visit(child, see);
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
function noteMark({ label, identifier }: { label?: string | null | undefined; identifier: string }) {
  const name = label ?? identifier;
  const digits = name.replaceAll(/\d/g, (digit) => DIGITS.charAt(Number(digit)));
  return { type: 'text', value: /^\d{1,3}$/.test(name) ? digits : `[${name}]` } as const;
}

function nameAlert(first: Nodes | undefined): void {
  const text = first?.type === 'paragraph' ? first.children[0] : undefined;
  if (first?.type !== 'paragraph' || text?.type !== 'text') return;
  const [whole, name = ''] = ALERT.exec(text.value) ?? [];
  if (whole === undefined) return;
  text.value = text.value.slice(whole.length);
  const value = name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
  const title: PhrasingContent = { type: 'strong', children: [{ type: 'text', value }] };
  first.children.unshift(title);
}

function walk(node: Html, state: State, parent: Element | null, out: string[]): void {
  if (node.type === 'text') {
    show(state.isCode ? node.value.replaceAll(RULE, '') : node.value, state, out);
    return;
  }
  if (!('children' in node) || (node.type === 'element' && HIDDEN.has(node.tagName))) return;
  const inner = node.type === 'element' ? enter(node, state, parent, out) : state;
  for (const child of node.children) walk(child, inner, node.type === 'element' ? node : parent, out);
}

/** Shows what an element shows itself. @returns how its content is shown */
function enter({ tagName, properties }: Element, state: State, parent: Element | null, out: string[]): State {
  const text = (name: string) => (typeof properties[name] === 'string' ? properties[name] : '');
  const inner = { ...state, url: state.url ?? webUrl(text('src') + text('href')) };
  switch (tagName) {
    case 'pre':
      return { ...fenced(state), isCode: true };
    case 'table':
      return fenced(state);
    case 'li':
      out.push(`item ${parent?.tagName === 'ol' ? '1.' : '-'} ${Math.max(0, state.depth - 1)}`);
      return state;
    case 'input':
      if (properties['type'] === 'checkbox') show(properties['checked'] === true ? '☑' : '☐', state, out);
      return state;
    case 'img': {
      const name = properties['alt'] === undefined ? fileName(text('src')) : text('alt');
      show(name.replaceAll(/https?:\/\//gi, ''), inner, out);
      return state;
    }
    case 'a':
      return inner;
    default: {
      const style = STYLES[tagName];
      const styled = style === undefined ? state : withStyle(state, style);
      return LISTS.has(tagName) ? { ...styled, depth: state.depth + 1 } : styled;
    }
  }
}

/** Discord shows no styles in code, and quotes only. */
function fenced(state: State): State {
  return { ...state, styles: [...state.styles.filter((each) => each === 'quote'), 'fence'], url: null };
}

function fileName(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 100);
}

// ---- Discord

const ITEM = /^((?:> )?)( *)([-*]|\d{1,9}\.)(?: +|$)/;
const LINK = /^!?\[([\s\S]*)\]\(<?([^\s()]*?)>?\)$/;

export function shownInDiscord(converted: string): Shown {
  const out: string[] = [];
  const map = readStyles(converted);
  const columns: number[] = [];
  let at = 0;
  for (const line of converted.split('\n')) {
    const isCode = (map[at] ?? '').includes('fence') || line.replace(/^> /, '').startsWith('```');
    const item = isCode ? null : ITEM.exec(line);
    const start = at + (item === null ? 0 : readItem(item, columns, out));
    if (item === null && !isCode && /^(?:> )?\S/.test(line) && line !== '> ') columns.length = 0;
    showStretches(converted, map, { from: start, to: at + line.length }, START, out);
    at += line.length + 1;
  }
  return out;
}

/** @returns how long the marker is */
function readItem(
  [whole, , indent = '', marker = '']: RegExpExecArray,
  columns: number[],
  out: string[],
): number {
  while ((columns.at(-1) ?? -1) >= indent.length) columns.pop();
  out.push(`item ${/\d/.test(marker) ? '1.' : '-'} ${columns.length}`);
  columns.push(indent.length);
  return whole.length;
}

/** Shows the text between two places, a stretch of one style at a time. */
function showStretches(
  text: string,
  map: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
  state: State,
  out: string[],
): void {
  for (let start = from; start < to;) {
    let end = start + 1;
    while (end < to && map[end] === map[start]) end += 1;
    const own = (map[start] ?? '').split(' ').filter((each) => each !== '' && each !== 'token');
    const styles = [...state.styles, ...own.map((each) => (isFence(each) ? 'fence' : each))];
    const part = text.slice(start, end);
    if (map[start]?.includes('token') === true && state.url === null) showTokens(part, styles, out);
    else if (!own.includes('mark'))
      show(own.some(isFence) ? part.replaceAll(RULE, '') : part, { ...state, styles }, out);
    start = end;
  }
}

function isFence(style: string): boolean {
  return style.startsWith('fence');
}

const TOKENS = /(!?\[(?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*\]\([^\s()]*\)|<[^>\s]*>|https?:\/\/[^\s<]+)/g;

/** Links, addresses and mentions, which may follow one another. */
function showTokens(part: string, styles: readonly string[], out: string[]): void {
  for (const token of part.split(TOKENS)) {
    const link = LINK.exec(token);
    const url = link?.[2] ?? /^<?(https?:.*?)>?$/i.exec(token)?.[1] ?? null;
    // Discord makes links only of addresses of the web.
    if (link === null || webUrl(url ?? '') === null) {
      show(link === null ? (url ?? token) : token, { ...START, styles, url: webUrl(url ?? '') }, out);
      continue;
    }
    const label = link[1] ?? '';
    showStretches(label, readStyles(label), { from: 0, to: label.length }, { ...START, styles, url }, out);
  }
}
