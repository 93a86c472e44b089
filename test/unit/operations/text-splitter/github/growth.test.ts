import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';

import { describe, expect, test } from 'vitest';

import { quickOrFull } from '../../../../fixtures/full-run.ts';
import type { Inline } from '../../../../../src/operations/text-splitter/github/read/inline.ts';
import { ChangeCounts } from '../../../../../src/operations/text-splitter/github/change-counts.ts';
import { writeInline } from '../../../../../src/operations/text-splitter/github/write/write-inline.ts';
import { convert } from './convert.ts';

const LENGTH = quickOrFull(40_000, 100_000);
const ADDRESS = `https://example.org/${'u'.repeat(4_000)}`;
const fill = (unit: string) => unit.repeat(Math.floor(LENGTH / unit.length));

/** Texts that say a lot with a few characters. */
const GROWING: readonly (readonly [name: string, text: string])[] = [
  [
    'the reported request',
    `[a]: https://example.org/${'u'.repeat(0.8 * LENGTH)}\n\n${'[a] '.repeat(LENGTH / 2)}`,
  ],
  ['references in a paragraph', `[a]: ${ADDRESS}\n\n${fill('[a] ')}`],
  ['references in a heading', `[a]: ${ADDRESS}\n\n# ${fill('[a] ')}`],
  ['pictures', `[a]: ${ADDRESS}\n\n${fill('![a] ')}`],
  ['references in a quoted list', `[a]: ${ADDRESS}\n\n> - ${fill('[a] ')}`],
  ['references in one cell', `[a]: ${ADDRESS}\n\n|b|\n|-|\n|${fill('[a] ')}|`],
  ['references in many cells', `[a]: ${ADDRESS}\n\n|b|\n|-|\n${fill('|[a]|\n')}`],
  ['a definition between angles', `[a]: <${ADDRESS}>\n\n${fill('[a] ')}`],
  ['one wide cell', `|a|b|\n|-|-|\n|${'w'.repeat(0.9 * LENGTH)}|x|\n${fill('|x|y|\n')}`],
  ['one wide header', `|${'w'.repeat(900)}|b|\n|-|-|\n${fill('|x|y|\n')}`],
];

describe('a text that grows while it is written', () => {
  test('is refused within 96 MiB', async () => {
    const worker = new Worker(new URL('./growth-worker.ts', import.meta.url), {
      workerData: GROWING,
      stdout: true,
      resourceLimits: { maxOldGenerationSizeMb: 96 },
    });
    const refused = text(worker.stdout);
    // The first one that is missing does not fit or grows too long, which ends the worker.
    const error = await once(worker, 'exit').catch((reason: unknown) => reason);
    expect([await refused, error]).toEqual([GROWING.map(([name]) => `${name}\n`).join(''), [0]]);
  });

  test('is counted link by link, and not only at its end', () => {
    let written = 0;
    const link = (): Inline[] => {
      const start = {
        kind: 'link' as const,
        get url() {
          written += ADDRESS.length;
          return ADDRESS;
        },
      };
      return [start, { kind: 'text', text: 'a' }, { kind: 'linkEnd', start }];
    };
    const parts = Array.from({ length: 4_000 }, link).flat();
    const context = { changes: new ChangeCounts(), pairableChars: new Set<never>() };
    const options = { context, lineBreak: '\n', lengthMax: 65_536 };
    expect(() => writeInline(parts, options)).toThrow(expect.objectContaining({ code: 'text_too_long' }));
    expect(written).toBeLessThan(5 * 65_536);
  });

  test('is not begun for a URL that is longer than that of a link', () => {
    const longest = 'https://a.bc/'.padEnd(4_096, 'u');
    expect(convert(`[a]: ${longest}\n\n[a]`).text).toBe(`[a](${longest})`);
    expect(convert(`[a]: ${longest}u\n\n[a]`).text).toBe(`[a]: ${longest}u\n\n[a]`);
  });
});
