import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { quickOrFull, sampleOf } from '../../../fixtures/full-run.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { closedFences, fenceText } from './fence-text.ts';
import { difference, partsOf, restMax, shares, stream } from './stream-law.ts';

/** More runs and other seeds: `SPLITTER_RUNS=10000 SPLITTER_SEED=2 npm test -- text-splitter`. */
const numRuns = Number(process.env['SPLITTER_RUNS'] ?? quickOrFull(12, 150));
const seed = Number(process.env['SPLITTER_SEED'] ?? 1);

const limit = fc.constantFrom(60, 80, 100, 150, 200, 300, 500);

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function inSteps(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
}

/** Numbers the words, so that one that is lost or repeated is seen; those that may be a language stay as they are. */
function numberWords(text: string): string {
  let count = 0;
  return text.replaceAll(/\b(?!js\b|c\b|py\b)[a-z]+\b/g, () => `w${(count += 1)}`);
}

describe('blocks of code that arrive in parts', () => {
  test('fit, hold every word once and look like the whole when each is closed in the end', () => {
    fc.assert(
      fc.property(closedFences, limit, fc.integer({ min: 1, max: 200 }), (source, maxLength, by) => {
        const text = numberWords(source);
        const { chunks, rests } = stream(inSteps(text, by), (part, isFinal) =>
          splitText(part, { maxLength, isFinal }),
        );
        expect(chunks.filter((chunk) => chunk.length > maxLength || chunk.trim() === '')).toEqual([]);
        expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
        expect(chunks.join('\n').match(/w\d+/g)).toEqual(text.match(/w\d+/g));
        expect(difference(text, chunks, { maxLength })).toBe(null);
      }),
      { numRuns, seed },
    );
  });

  const PROSE = 'Some words of prose that go on for a while. ';
  const LINES = `${PROSE.trim()}\n`.repeat(8);

  test.each([
    ['a line of tildes that continues as text', `~~~\n${LINES}~~~ is no end\n\n${PROSE}`],
    ['tildes after text', `${PROSE.repeat(3)}~~~js\n${LINES}${PROSE}\n\n${PROSE}`],
    ['a fence with a language after text', `${PROSE.repeat(3)}\`\`\`js\n${LINES}\`\`\`\n${PROSE}`],
    ['a fence that is only mentioned', `${PROSE}\`\`\` and more\n${LINES}\`\`\`js\nlet a;\n\`\`\`\n${PROSE}`],
    ['a fence in a quote', `> \`\`\`js\n> ${LINES.trim().replaceAll('\n', '\n> ')}\n> \`\`\`\n${PROSE}`],
    [
      'a fence in a quote that ends before it',
      `> \`\`\`\n> ${PROSE}\n${LINES}\n\`\`\`\n${LINES}\`\`\`\n${PROSE}`,
    ],
    ['an unclosed fence', `${PROSE}\n\`\`\`js\n${LINES.repeat(6)}`],
    ['words that begin like a block', `${PROSE.repeat(3)}# ${PROSE.repeat(3)}> ${PROSE.repeat(3)}- ${PROSE}`],
  ])('are split correctly: %s', (_name, text) => {
    for (const maxLength of sampleOf([60, 90, 100, 150], 2)) {
      const whole = difference(text, splitText(text, { maxLength }).chunks, { maxLength });
      for (const by of [1, 7, 50]) {
        const { chunks } = stream(inSteps(text, by), (part, isFinal) =>
          splitText(part, { maxLength, isFinal }),
        );
        expect([maxLength, by, difference(text, chunks, { maxLength })]).toEqual([maxLength, by, whole]);
      }
    }
  });

  test('are closed and opened again when their first line holds more than a language', () => {
    const code = 'let a = 1; // a is one\n'.repeat(60);
    const text = `Here:\n\n\`\`\`ts title="app.ts"\n${code}\`\`\`\n\n${PROSE.repeat(12)}`;
    const { chunks } = stream(inSteps(text, 20), (part, isFinal) =>
      splitText(part, { maxLength: 200, isFinal }),
    );
    const fenced = /^```ts(?: title="app\.ts")?\n(?:let a = 1; \/\/ a is one\n)+```$/;
    const withCode = chunks
      .filter((chunk) => chunk.includes('let a'))
      .map((chunk) => chunk.replace(/^Here:\s+/, ''));
    expect(withCode.filter((chunk) => !fenced.test(chunk))).toEqual([]);
    expect(chunks.filter((chunk) => chunk.includes('prose') && chunk.includes('```'))).toEqual([]);
  });

  test.each(['markdown', 'plain', 'code'] as const)(
    'lose no text in mode %s when no block is opened again',
    (mode) => {
      fc.assert(
        fc.property(fenceText, limit, shares, (text, maxLength, cutAt) => {
          const options = { maxLength, mode, reopen: false };
          const { chunks, rests } = stream(partsOf(text, cutAt), (part, isFinal) =>
            splitText(part, { ...options, isFinal }),
          );
          const own =
            mode === 'code' ? chunks.map((chunk) => chunk.replaceAll(/^```\n|\n```$/g, '')) : chunks;
          expect(mode === 'code' ? own.filter((chunk) => chunk.includes('```')) : []).toEqual([]);
          expect(withoutBlanks(own.join('').replaceAll('\u200b', ''))).toBe(withoutBlanks(text));
          expect(rests.filter((rest) => rest.includes('\u200b'))).toEqual([]);
          expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
        }),
        { numRuns: Math.ceil(numRuns / 3), seed },
      );
    },
  );
});
