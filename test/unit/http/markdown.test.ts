import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { headingId, inlineMarkdown, markdown, plainText } from '../../../src/http/docs/pages/guides.ts';

describe('the Markdown of the pages', () => {
  test.each([
    ['a `b` *c* **d**', 'a <code>b</code> <em>c</em> <strong>d</strong>'],
    ['`<id>/<token>` & <b>', '<code>&lt;id&gt;/&lt;token&gt;</code> &amp; &lt;b&gt;'],
    ['unresolved_placeholder and key_unknown', 'unresolved_placeholder and key_unknown'],
    ['https://a.example/b.', '<a href="https://a.example/b">https://a.example/b</a>.'],
    ['[the API](api.md#your-key)', '<a href="api#your-key">the API</a>'],
    ['[x](javascript:alert(1))', '<a href="">x</a>'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ])('renders %j', (text, html) => {
    expect(inlineMarkdown(text).html).toBe(html);
  });

  test('gives headings the ids that GitHub gives them', () => {
    expect(markdown('## The `Token` header').html).toBe(
      '<h2 id="the-token-header">The <code>Token</code> header</h2>',
    );
    expect(headingId('Large servers: 202, then the list')).toBe('large-servers-202-then-the-list');
  });

  test('colours code, adds Copy beside it, and changes none of it', () => {
    const code = 'const a = "<b>";\n  // `c` *d* &amp;\n\n  | e |';
    const { html } = markdown(`# Code\n\n\`\`\`js\n${code}\n\`\`\`\n\nafter`);
    expect(html).toContain('<c-keyword>const</c-keyword>');
    expect(html).toContain('class="copy"');
    expect(html).toContain('<p>after</p>');
    const [, inner = ''] = /<code>(.*?)<\/code>/s.exec(html) ?? [];
    expect(plainCode(inner)).toBe(code);
  });

  test('lets tables scroll under a name of their own, and leaves no column heading empty', () => {
    const { html } = markdown('## Two\n\n| a | |\n| --- | --: |\n| 1 | 2 |\n\n| b |\n| --- |\n| 3 |');
    expect(html.match(/aria-label="([^"]+)"/g)).toEqual([
      'aria-label="Two, table 1"',
      'aria-label="Two, table 2"',
    ]);
    expect(html).not.toMatch(/<th[^>]*><\/th>/);
    expect(html).toContain('<td align="right">2</td>');
  });

  test('makes HTML elements only from Markdown', () => {
    const pieces = [
      '<script>',
      '</p>',
      '"',
      "'",
      '&',
      '`',
      '*',
      '#',
      '[',
      '](',
      ')',
      '\n',
      '|',
      'a',
      ' ',
      '```',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (text) => {
        expect(markdown(text.join('')).html).not.toMatch(/<script|\son\w+=/);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  test('can be turned into plain text', () => {
    expect(plainText(markdown('# A `b`\n\n| c | d |\n| --- | --- |\n| <e> | *f* |'))).toBe('A b c d <e> f');
  });
});

function plainCode(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(lt|gt|quot|amp|#39);/g, (char) => CHARS[char] ?? char);
}

const CHARS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#39;': "'",
};
