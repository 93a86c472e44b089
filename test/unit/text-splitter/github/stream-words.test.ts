import fc from 'fast-check';
import { expect, test } from 'vitest';

import { partsOf, restMax, shares } from '../stream-law.ts';
import { findWrongWords, nestedText } from './nested-blocks.ts';
import { convertWhole, streamGithub } from './stream-github.ts';

const bounds = { seed: 53, numRuns: 300 };

test('every word of nested blocks is shown once, and in its place', () => {
  fc.assert(
    fc.property(nestedText, (text) => {
      expect(findWrongWords(text, convertWhole(text, {}).text)).toEqual([]);
    }),
    bounds,
  );
});

test('every word of nested blocks comes out of a stream, whatever the pieces', () => {
  const limit = fc.constantFrom(200, 500, 1_000);
  const cuts = fc.oneof(shares, fc.constant(Array.from({ length: 100 }, (_, at) => at * 10)));
  fc.assert(
    fc.property(nestedText, cuts, limit, (text, cutAt, maxLength) => {
      const { chunks, rests } = streamGithub(partsOf(text, cutAt), { maxLength });
      expect(findWrongWords(text, chunks.join('\n'))).toEqual([]);
      expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
      expect(chunks.filter((chunk) => chunk.length > maxLength || chunk.trim() === '')).toEqual([]);
    }),
    bounds,
  );
});

test.each([
  [
    'a table of HTML whose cell is over many lines',
    '<table>\n<tr>\n<td>key</td>\n<td>\n',
    '</td></tr></table>',
  ],
  ['a list of HTML', '<ol>\n<li>\n', '</li></ol>'],
])('no line of %s is lost, in whatever pieces', (_name, opening, closing) => {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at} of the cell`);
  const text = `${opening}${lines.join('\n')}\n`;
  for (const size of [100, 800, text.length]) {
    const pieces = [...(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []), closing];
    const shown = streamGithub(pieces, { maxLength: 500 }).chunks.join(' ').replaceAll(/\s+/g, ' ');
    expect(lines.filter((line) => !shown.includes(line))).toEqual([]);
  }
});
