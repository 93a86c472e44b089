import { parse } from 'discord-markdown-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readMessage } from '../../../src/http/docs/assets/operation/discord-markdown.js';
import type { VirtualNode } from '../../../src/http/docs/assets/vnode.js';
import { discordText } from '../operations/text-splitter/discord-text.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

/** The tree in one line: `strong(a em(b))`. */
function show(parts: readonly VirtualNode[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.attributes['data-spoiler'] !== undefined) return '';
      const name = part.attributes['class'] ?? part.tag;
      return `${name}(${show(part.children)})`;
    })
    .join('');
}

describe('a message of the preview', () => {
  test.each([
    ['plain words', 'plain words'],
    ['**a *b* c** __d__ ~~e~~ _f_', 'strong(a em(b) c) u(d) s(e) em(f)'],
    ['***both***', 'em(strong(both))'],
    ['||the butler **did** it||', 'spoiler(span(the butler strong(did) it))'],
    ['# One\n## Two\n-# small\nrest', 'heading heading-1(One)heading heading-2(Two)subtext(small)rest'],
    ['#### four\nnot # here', '#### four\nnot # here'],
    ['> a\n> **b**\nc', 'blockquote(a\nstrong(b))c'],
    ['>>> a\nb', 'blockquote(a\nb)'],
    ['- a\n  - **b**\n2. c', 'ul(depth-0(bullet(• )a)depth-1(bullet(• )strong(b))depth-0(bullet(2. )c))'],
    ['`a *b*` ``c ` d``', 'code(a *b*) code(c ` d)'],
    ['x ```js\nlet a = `*b*`;\n``` y', 'x pre(code(let a = `*b*`;)) y'],
    [
      '<@123456789012345678> <@&123456789012345678> <#123456789012345678>',
      'mention(@Someone) mention(@Role) mention(#channel)',
    ],
    ['</settings key:123456789012345678> <:blob:123456789012345678>', 'mention(/settings key) :blob:'],
    ['<t:1700000000:R>', 'time(November 14, 2023 at 10:13 PM)'],
    ['[a *b*](https://example.com/c) https://example.com/d.', 'a(a em(b)) a(https://example.com/d).'],
    ['\\*not\\* 2 * 3 * 4 snake_case', '*not* 2 * 3 * 4 snake_case'],
    [
      '[x](javascript:alert(1)) <img src=x onerror=alert(1)>',
      '[x](javascript:alert(1)) <img src=x onerror=alert(1)>',
    ],
  ])('shows %j as %s', (text, shown) => {
    expect(show(readMessage(text))).toBe(shown);
  });

  test.each(['`', '[', '**a', '> ', '||', '*_', '~~', '<t:'])(
    'of nothing but %j is read without delay',
    (char) => {
      expect(readMessage(char.repeat(4_096 / char.length)).length).toBeGreaterThan(0);
    },
  );

  test('links only to web pages, and keeps no attributes of the text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'[]()<>:/"\'*_|`~#>- \n'.split(''), 'https://x.y', 'javascript:', 'a'),
        }),
        (text) => {
          const check = (parts: readonly VirtualNode[]) => {
            for (const part of parts) {
              if (typeof part === 'string') continue;
              const { href = 'https://' } = part.attributes;
              expect(href).toMatch(/^https?:\/\//);
              expect(Object.keys(part.attributes).join(' ')).toMatch(
                /^(?:class|href rel|type data-spoiler aria-label)?$/,
              );
              check(part.children);
            }
          };
          check(readMessage(text));
        },
      ),
      { numRuns: quickOrFull(400, 2_000), seed: 11 },
    );
  });

  test('has the styles that an independent parser of Discord Markdown finds', () => {
    fc.assert(
      fc.property(discordText, (generated) => {
        // The parser knows no lists, no line breaks of two characters, and no heading directly behind a quote.
        const text = generated
          .replaceAll('\r\n', '\n')
          .replaceAll(/^ *(?:[-*]|\d+\.) +/gm, '')
          .replaceAll(/\n(?=-?#)/g, '\n\n');
        expect(flattenParts(readMessage(text), [])).toEqual(flatten(parse(text, 'extended') as Node[], []));
      }),
      { numRuns: quickOrFull(150, 500), seed: 7 },
    );
  });
});

interface Node {
  readonly type: string;
  readonly content?: string | readonly Node[];
  readonly name?: string;
}

const STYLES: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  u: 'underline',
  underline: 'underline',
  s: 'strike',
  strikethrough: 'strike',
  spoiler: 'spoiler',
  blockquote: 'quote',
  blockQuote: 'quote',
  'heading heading-1': 'heading',
  'heading heading-2': 'heading',
  'heading heading-3': 'heading',
  heading: 'heading',
  subtext: 'heading',
  code: 'code',
  inlineCode: 'code',
  codeBlock: 'code',
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
const TOKEN_ELEMENTS = new Set(['a', 'mention', 'time']);

function showText(text: string, styles: readonly string[]): string[] {
  const name = [...new Set(styles)].sort().join(' ');
  return text.split('').flatMap((unit) => (/\s/.test(unit) ? [] : [`${unit} ${name}`]));
}

/** The text that the parser shows, character by character, each with its styles; a token is one `@`. */
function flatten(nodes: string | readonly Node[], styles: readonly string[]): string[] {
  if (typeof nodes === 'string') return showText(nodes, styles);
  return nodes.flatMap((node) => {
    if (node.type === 'emoji') return showText(`:${node.name}:`, styles);
    if (TOKENS.has(node.type)) return showText('@', styles);
    if (node.type === 'twemoji') return showText(node.name ?? '', styles);
    const style = STYLES[node.type];
    return flatten(node.content ?? '', style === undefined ? styles : [...styles, style]);
  });
}

function flattenParts(parts: readonly VirtualNode[], styles: readonly string[]): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return showText(part, styles);
    const name = part.attributes['class'] ?? part.tag;
    if (TOKEN_ELEMENTS.has(name)) return showText('@', styles);
    const style = STYLES[name];
    return flattenParts(part.children, style === undefined ? styles : [...styles, style]);
  });
}
