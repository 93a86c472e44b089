import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { parseLine } from '../../../../src/operations/parse-args/parse-line.ts';

const PAGE = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');

/** What stands in back-ticks. */
const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The cells of the table of docs/api.md with these headings. */
function rowsOf(...headings: readonly string[]): string[][] {
  const [, rows = ''] = PAGE.split(`| ${headings.join(' | ')} |\n`);
  const lines = rows.split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) => line.slice(1, -1).split('|'));
}

const LINES = rowsOf('line', '`user`', '`duration`', '`reason`');

test.each(LINES)('parse-args reads%sas docs/api.md says', (line, ...cells) => {
  const [typed = ''] = codeIn(line);
  const { user, duration, reason } = parseLine(typed);
  expect([user, duration, reason]).toEqual(cells.map((cell) => codeIn(cell)[0] ?? null));
});

test.each(rowsOf('line', 'also in the response'))(
  'parse-args reads%salso as docs/api.md says',
  (line, said) => {
    const [typed = ''] = codeIn(line);
    const { channelId, roleId, flags } = parseLine(typed);
    const read = { channel_id: channelId, role_id: roleId, flags: JSON.stringify(flags) };
    const [field, value] = codeIn(said);
    expect(Object.entries(read)).toContainEqual([field, value]);
  },
);

const LENGTHS = rowsOf('duration', 'as people type it').flatMap(([length = '', typed]) =>
  codeIn(typed).map((each) => [each, length.trim()] as const),
);

test.each(LENGTHS)('parse-args reads %s as %s', (typed, length) => {
  const { durationMs, reason } = parseLine(`!mute <@1> ${typed}`);
  expect(durationMs).toBeGreaterThan(0);
  expect([durationMs, reason]).toEqual([parseLine(`!mute <@1> ${length}`).durationMs, null]);
});

const [, FOR = ''] =
  /^A word such as \*for\* is left out of `duration` and of `reason`: ([^]*?)\sall\sgive\s`7d`\./m.exec(
    PAGE,
  ) ?? [];

test.each(codeIn(FOR))('parse-args reads %s as 7d', (typed) => {
  const { duration, reason } = parseLine(`!mute <@1> ${typed}`);
  expect([duration, reason]).toEqual(['7d', null]);
});

const REASONS = rowsOf('not a duration', 'such as').flatMap(([, typed]) =>
  codeIn(typed).map((each) => [each]),
);

test.each(REASONS)('parse-args reads no duration in %s', (typed) => {
  expect(parseLine(typed.startsWith('!') ? typed : `!mute <@1> ${typed}`).duration).toBeNull();
});

test('each of these tables has rows', () => {
  expect([LINES, LENGTHS, REASONS].map(({ length }) => length > 10)).toEqual([true, true, true]);
  expect(codeIn(FOR)).toHaveLength(5);
});
