import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

import { readStyles } from '../discord-reader.ts';

/**
 * What a reader sees of a text, on GitHub and in Discord: each character that is no white space with its style and the
 * address that it leads to, and the markers of lists with their depth. Neither side uses anything of the converter:
 * GitHub is read by micromark, Discord by the expressions of its clients.
 */
export type Shown = readonly string[];

interface State {
  readonly styles: readonly string[];
  readonly url: string | null;
  readonly depth: number;
}

const START: State = { styles: [], url: null, depth: 0 };

/** The line under the header of a table in code, which no one wrote. */
const RULE = /^ *-+(?: +-+)*$/gm;
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

function show(text: string, { styles, url }: State, out: string[]): void {
  const style = [...new Set(styles)].sort().join(' ');
  // Labels that look like addresses are shown without their scheme, and `www.` comes with one.
  const leadsTo = styles.includes('fence') ? '' : (url ?? '');
  for (const sign of text.replaceAll(/[\s\u200b]+|https?:\/\//gi, '')) {
    // The brackets of a label are round, since others would end it.
    const shown = leadsTo === '' ? sign : sign.replace('[', '(').replace(']', ')');
    out.push(`${shown} ${style} ${leadsTo}`.trim());
  }
}

function withStyle(state: State, style: string): State {
  return state.styles.includes('fence') ? state : { ...state, styles: [...state.styles, style] };
}

/** Written as it is sent: what would end a masked link is encoded. */
function webAddress(url: string): string | null {
  if (!/^https?:\/\/[^\s/]/i.test(url)) return null;
  return url.replaceAll(/[\s<>()\\]/g, (sign) =>
    /[()]/.test(sign) ? `%${sign.charCodeAt(0).toString(16)}` : encodeURIComponent(sign),
  );
}

// ---- GitHub

const GITHUB_STYLES: Readonly<Record<string, string>> = {
  emphasis: 'italic',
  strong: 'bold',
  delete: 'strike',
};

/** The address and name of what is referred to by label. */
type Definitions = ReadonlyMap<string, string>;

export function shownOnGithub(source: string): Shown {
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const definitions = new Map<string, string>();
  const notes: Nodes[] = [];
  visit(tree, (node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node.url);
    if (node.type === 'footnoteDefinition') notes.push(node);
  });
  const out: string[] = [];
  walk(tree, START, { definitions, out, isNote: false });
  for (const note of notes) walk(note, START, { definitions, out, isNote: true });
  return out;
}

function visit(node: Nodes, see: (node: Nodes) => void): void {
  see(node);
  if ('children' in node) for (const child of node.children) visit(child, see);
}

interface Walk {
  readonly definitions: Definitions;
  readonly out: string[];
  readonly isNote: boolean;
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
function noteMark(label: string): string {
  const digits = label.replaceAll(/\d/g, (digit) => DIGITS.charAt(Number(digit)));
  return /^\d{1,3}$/.test(label) ? digits : `[${label}]`;
}

function walk(node: Nodes, state: State, context: Walk): void {
  const { out, definitions } = context;
  switch (node.type) {
    case 'text':
      show(node.value, state, out);
      return;
    case 'blockquote': {
      const [first] = node.children;
      const [text] = first?.type === 'paragraph' ? first.children : [];
      const alert = text?.type === 'text' ? ALERT.exec(text.value) : null;
      const quoted = withStyle(state, 'quote');
      if (text?.type === 'text' && alert !== null) {
        const name = alert[1] ?? '';
        show(name.charAt(0).toUpperCase() + name.slice(1).toLowerCase(), withStyle(quoted, 'bold'), out);
        text.value = text.value.slice(alert[0].length);
      }
      for (const child of node.children) walk(child, quoted, context);
      return;
    }
    case 'inlineCode':
      show(node.value, withStyle(state, 'code'), out);
      return;
    case 'code':
      show(node.value.replaceAll(RULE, ''), fenced(state), out);
      return;
    case 'html':
      out.push(`html`);
      return;
    case 'image':
    case 'imageReference': {
      const url = node.type === 'image' ? node.url : (definitions.get(node.identifier) ?? '');
      const name = (node.alt ?? '') === '' ? fileName(url) : (node.alt ?? '');
      show(name.replaceAll(/https?:\/\//gi, ''), { ...state, url: state.url ?? webAddress(url) }, out);
      return;
    }
    case 'link':
    case 'linkReference': {
      const url = node.type === 'link' ? node.url : (definitions.get(node.identifier) ?? '');
      const inner = { ...state, url: state.url ?? webAddress(url) };
      for (const child of node.children) walk(child, inner, context);
      return;
    }
    case 'heading': {
      const inner = withStyle(state, node.depth > 3 ? 'bold' : `heading${'#'.repeat(node.depth)}`);
      for (const child of node.children) walk(child, inner, context);
      return;
    }
    case 'list':
      for (const item of node.children) {
        out.push(`item ${node.ordered === true ? '1.' : '-'} ${state.depth}`);
        if (item.checked !== null && item.checked !== undefined) show(item.checked ? '☑' : '☐', state, out);
        for (const child of item.children) walk(child, { ...state, depth: state.depth + 1 }, context);
      }
      return;
    case 'table':
      for (const row of node.children) for (const cell of row.children) walk(cell, fenced(state), context);
      return;
    case 'footnoteReference':
      show(noteMark(node.label ?? node.identifier), state, out);
      return;
    case 'footnoteDefinition':
      if (!context.isNote) return;
      show(noteMark(node.label ?? node.identifier), state, out);
      for (const child of node.children) walk(child, state, context);
      return;
    default: {
      if (!('children' in node)) return;
      const style = GITHUB_STYLES[node.type];
      for (const child of node.children)
        walk(child, style === undefined ? state : withStyle(state, style), context);
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

/** Shows what lies between two places, a stretch of one style at a time. */
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
    if (link === null || webAddress(url ?? '') === null) {
      show(link === null ? (url ?? token) : token, { ...START, styles, url: webAddress(url ?? '') }, out);
      continue;
    }
    const label = link[1] ?? '';
    showStretches(label, readStyles(label), { from: 0, to: label.length }, { ...START, styles, url }, out);
  }
}
