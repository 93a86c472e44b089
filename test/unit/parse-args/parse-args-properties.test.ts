import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { OperationContext } from '../../../src/operations/operation.ts';
import { parseArgs } from '../../../src/operations/parse-args/operation.ts';

const context = {} as OperationContext;
const ZERO_WIDTH = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u200e', '\u200f', '\u00ad'];
const BLANKS = [' ', '\n', '\t', '\u00a0', '\u3000', '\u2003'];

const A = '100000000000000001';
const B = '200000000000000002';
// What lines are made of, and what breaks parsers.
const FRAGMENTS = [
  '!', '?', 'c!', '!ban', '!mod ban', 'ban', '</mod ban:12>', '🔨', '.', '@',
  `<@${A}>`, `<@!${B}>`, '<@1>', A, B, '@name', '@everyone', '<@&5>', '<#5>', '<:a:5>', '<t:5:R>', '<@', '>', '<@<@1>2>',
  '"', "'", '`', '(', ')', '[', ']', '<', '“', '”', '\\', '```', '||',
  '7d', '.5h', '"7d"', '7 дней', 'на час', 'für 2 Tage', 'half an hour', 'forever', 'until', '<t:1700000000>', '1,5h', '1h30m', '1 hour', 'and', '30 minutes', 'a week', 'for', 'perm', '∞', '3 strikes', '1st', '13 years old',
  'of', 'ago', '0d', '-5m', '1h1h', '24/7', '99999999999999999999s', ',', ';', ':', '-', '—', '|', '->', '&',
  '--silent', '--days=7', '--reason="x y"', '--a="', '--__proto__=1', '--', '---', '="',
  'spam', 'links', "don't", 'שלום', '\u2067', '\u2069', 'cafe\u0301', '👨‍👩‍👧', '❤️', '1️⃣', '７ｄ', '＜＠１＞', 'ｓｐａｍ', '日本語',
  '\u0000', '\ud800', '\udc00', '\u202e', '\u3164', '\n', '\n- ', '\t', '  ', ...ZERO_WIDTH, ...BLANKS,
]; // prettier-ignore

const fragmentLine = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom(' ', ' ', ' ', '')), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pieces) => pieces.map(([piece, gap]) => piece + gap).join(''));
const anyLine = fc.oneof(
  { weight: 6, arbitrary: fragmentLine },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }) },
);
/** With something to see, so that it is no bad input. */
const line = anyLine.filter((text) => /[a-z0-9!?]/i.test(text));

const LEFT_OUT = /\p{Cf}|\u034f|\u1160|[\u180b-\u180f]/u;

/** Full-width ASCII as ASCII, without what cannot be seen. */
function fold(text: string): string {
  return text
    .split('')
    .filter((unit) => !LEFT_OUT.test(unit))
    .map((unit) => (unit >= '！' && unit <= '～' ? String.fromCharCode(unit.charCodeAt(0) - 0xfee0) : unit))
    .join('');
}

/** Cut from the text, with one blank added where a target was cut out of the middle of a word. */
function isCutFrom(reason: string, text: string): boolean {
  if (isSubsequence(reason, text)) return true;
  return Array.from(
    reason.matchAll(/ /g),
    ({ index }) => reason.slice(0, index) + reason.slice(index + 1),
  ).some((cut) => isSubsequence(cut, text));
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < whole.length && at < part.length; index += 1) {
    if (whole[index] === part[at]) at += 1;
  }
  return at === part.length;
}

interface Line {
  readonly prefix: string | null;
  readonly command: string | null;
  readonly user: string | null;
  readonly user_id: string | null;
  readonly duration: string | null;
  readonly duration_ms: number | null;
  readonly duration_seconds: number | null;
  readonly permanent: boolean;
  readonly until: number | null;
  readonly channel_id: string | null;
  readonly role_id: string | null;
  readonly reason: string | null;
  readonly args: readonly string[];
  readonly mentions: readonly string[];
  readonly flags: Readonly<Record<string, true | string>>;
}

async function parse(text: string, options: Readonly<Record<string, unknown>> = {}): Promise<Line> {
  return (await parseArgs.handle({ text, ...options }, context)).value;
}

/** The answer as it would be for the line without what is invisible in it. */
function foldAnswer(answer: Line): unknown {
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) =>
    typeof value === 'string' ? fold(value) : value,
  );
}

const padding = fc.string({ unit: fc.constantFrom(...BLANKS, ...ZERO_WIDTH), maxLength: 5 });
const splits = fc.tuple(fc.nat(), fc.constantFrom(...ZERO_WIDTH));

test.each([1, 2026, 77_777])('answers any 5,000 lines of seed %i', (seed) =>
  fc.assert(
    fc.asyncProperty(line, padding, padding, splits, async (text, before, after, [position, zero]) => {
      for (const args_only of [false, true]) {
        const answer = await parse(text, { textstatus: true, args_only });
        expectStable(answer, await parse(text, { textstatus: true, args_only }));
        expectFromText(answer, text);
        expectAgreement(answer);
        expect(args_only && (answer.prefix ?? answer.command) !== null).toBe(false);
      }
      const answer = await parse(text, { textstatus: true });

      const bare = await parse(text, { pingtoid: true });
      for (const value of [bare.user ?? '', bare.reason ?? '', ...bare.args]) {
        expect(fold(value)).not.toMatch(/<@!?\d{1,20}>/);
      }

      // Half a pair of directional controls at an end is padding, a pair is not.
      const padded = PAIRED.test(text) ? text : before + text + after;
      expect(await parse(padded, { textstatus: true })).toEqual(answer);
      const at = position % (text.length + 1);
      const split = await parse(text.slice(0, at) + zero + text.slice(at), { textstatus: true });
      expect(foldAnswer(split)).toEqual(foldAnswer(answer));
    }),
    { seed, numRuns: 5000 },
  ),
);

const PAIRED = /[\u202a-\u202e\u2066-\u2069]/;

function expectStable(answer: Line, again: Line) {
  expect(again).toEqual(answer);
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
}

function expectFromText(
  { prefix, command, user, user_id, channel_id, role_id, duration, reason, args, mentions }: Line,
  text: string,
) {
  for (const part of [prefix, user, duration, ...args]) expect(text).toContain(part ?? '');
  const folded = fold(text);
  expect(folded.toLowerCase()).toContain(command ?? '');
  for (const id of [user_id ?? '', channel_id ?? '', role_id ?? '', ...mentions])
    expect(folded).toContain(id);
  expect(isCutFrom(reason ?? '', text)).toBe(true);
}

function expectAgreement(answer: Line) {
  const {
    duration,
    duration_ms,
    duration_seconds,
    permanent,
    until,
    reason,
    user,
    user_id,
    mentions,
    flags,
  } = answer;
  const has_time = duration !== null;
  const has_reason = reason !== null;
  expect(answer).toMatchObject({
    has_time,
    has_reason,
    textstatus: has_time
      ? has_reason
        ? 'time_and_reason'
        : 'time_only'
      : has_reason
        ? 'reason_only'
        : 'none',
  });
  expect([permanent, duration_ms !== null, until !== null].filter(Boolean)).toHaveLength(has_time ? 1 : 0);
  expect(duration_seconds).toBe(duration_ms === null ? null : duration_ms / 1000);
  expect(duration_ms ?? 1).toBeGreaterThan(0);
  expect(duration_ms ?? 1).toBeLessThanOrEqual(100 * 365 * 86_400_000);
  expect(new Set(mentions).size).toBe(mentions.length);
  expect(user_id === null || user !== null).toBe(true);
  expect(mentions.includes(user_id ?? '')).toBe(user_id !== null);
  expect(reason?.trim()).not.toBe('');
  for (const name of Object.keys(flags)) expect(name).toMatch(/^[a-z0-9_]{1,32}$/);
  expect(Object.keys(flags).length).toBeLessThanOrEqual(20);
}
