import { parse } from 'discord-markdown-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readStyles } from './discord-reader.ts';
import { discordText } from './discord-text.ts';

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

/** The text that the parser shows, character by character, each with its styles; a token is one `@`. */
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

/** The same from the reader. */
function shown(text: string): string[] {
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

describe('the reader of the tests', () => {
  test.each([
    'a **b *c* d** e',
    '***both*** **_nested_** *a **b** c*',
    'snake_case and __init__',
    '2 * 3 * 4',
    'a lone **kwargs',
    '||a `b` c|| ~~d~~ \\*e\\*',
    '> quote **a\n> b**\nrest',
    '>>> all\nof it',
    '```js\ncode\n``` `` a ` b ``',
  ])('reads %s', (text) => {
    expect(shown(text)).toEqual(flatten(parse(text, 'extended') as Node[], []));
  });

  test('sees what an independent parser of Discord Markdown sees', () => {
    fc.assert(
      fc.property(discordText, (generated) => {
        // The parser knows no line breaks of two characters, and no heading directly behind a quote.
        const text = generated.replaceAll('\r\n', '\n').replaceAll(/\n(?=-?#)/g, '\n\n');
        expect(shown(text)).toEqual(flatten(parse(text, 'extended') as Node[], []));
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
