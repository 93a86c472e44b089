import { parse } from 'discord-markdown-parser';

import { readStyles } from './discord-reader.ts';

/**
 * Two readers of Discord's Markdown: an independent parser, and that of the tests. Both show a text character by
 * character, each with its styles; a token is one `@`.
 */

interface Node {
  readonly type: string;
  readonly content?: string | readonly Node[];
  readonly lang?: string;
  readonly name?: string;
}

const STYLES: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  spoiler: 'spoiler',
  blockQuote: 'quote',
  heading: 'heading',
  subtext: 'heading',
};
const TOKENS = new Set([
  'user',
  'channel',
  'role',
  'emoji',
  'timestamp',
  'slashCommand',
  'url',
  'autolink',
  'link',
]);

function flatten(nodes: string | readonly Node[], styles: readonly string[]): string[] {
  const name = (extra: string[] = []) => [...new Set([...styles, ...extra])].sort().join(' ');
  const show = (text: string, extra?: string[]) =>
    text.split('').flatMap((unit) => (/\s/.test(unit) ? [] : [`${unit} ${name(extra)}`]));
  if (typeof nodes === 'string') return show(nodes);
  return nodes.flatMap((node) => {
    if (TOKENS.has(node.type)) return [`@ ${name()}`];
    const code = typeof node.content === 'string' ? node.content : '';
    if (node.type === 'inlineCode') return show(code, ['code']);
    if (node.type === 'codeBlock') return show(code, [`fence:${node.lang ?? ''}`]);
    if (node.type === 'twemoji') return show(node.name ?? '');
    const style = STYLES[node.type];
    return flatten(node.content ?? '', style === undefined ? styles : [...styles, style]);
  });
}

export function shownByReader(text: string): string[] {
  const map = readStyles(text);
  return map.flatMap((style, at) => {
    const name = style.replace(/heading\S+/, 'heading');
    if (style === 'mark' || /\s/.test(text[at] ?? '')) return [];
    if (!style.includes('token')) return [`${text[at]} ${name}`];
    const isStart =
      map[at - 1] !== style || ('<[h'.includes(text[at] ?? '') && / |\*|_|~|\||^$/.test(text[at - 1] ?? ''));
    return isStart ? [`@ ${name.replace(/ ?token/, '').trim()}`] : [];
  });
}

export function shownByParser(text: string): string[] {
  return flatten(parse(text, 'extended'), []);
}
