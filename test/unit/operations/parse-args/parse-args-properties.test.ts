import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { quickOrFull } from '../../../fixtures/full-run.ts';
import type { OperationContext } from '../../../../src/operations/operation.ts';
import { parseArgs } from '../../../../src/operations/parse-args/operation.ts';

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
  '7d', '.5h', '"7d"', '7 дней', 'на час', 'für 2 Tage', 'half an hour', 'forever', 'until', '<t:1700000000>', '1,5h', '1h30m', '1 hour', 'and', '30 minutes', 'a week', 'for', 'perm', '∞', '3 strikes', '1st', '13 years old', '@"a b"', '1 h 30', '1 y 2', '3 sem motivo', 'reason:', '-<@&5>', 'in <#5>', '100m', '!give', 'verspätet', 'без', '15mi',
  'of', 'ago', '0d', '-5m', '1h1h', '24/7', '99999999999999999999s', ',', ';', ':', '-', '—', '|', '->', '&',
  '--silent', '--days=7', '--reason="x y"', '--a="', '--__proto__=1', '--', '---', '="',
  'spam', 'links', "don't", 'שלום', '\u2067', '\u2069', 'cafe\u0301', '👨‍👩‍👧', '❤️', '1️⃣', '７ｄ', '＜＠１＞', 'ｓｐａｍ', '日本語',
  '—silent', '–reason=“x “', '“', '‘', '…', '5m ago', 'old', 'önce', 'me', 'set', 'all', 'in', 'or', '/', 'an hour and a half', 'and a half', '1½', '1/2', 'hours', '1h:30', 'iki', 'buçuk', 'saat', 'boyunca', 'час', 'create', '<#5:6:a>', '\n- <@1>\n',
  '\u0000', '\ud800', '\udc00', '\u202e', '\u3164', '\n', '\n- ', '\t', '  ', ...ZERO_WIDTH, ...BLANKS,
]; // prettier-ignore

const fragmentLine = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom(' ', ' ', ' ', '')), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pieces) => pieces.map(([piece, gap]) => piece + gap).join(''));
/** fast-check's own unit 'binary' first puts a million of them into a map. */
const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
const anyLine = fc.oneof(
  { weight: 6, arbitrary: fragmentLine },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, minLength: 1, maxLength: 60 }) },
);
/** With something to see, so that it is no bad input. */
const line = anyLine.filter((text) => /[a-z0-9!?]/i.test(text));

const INVISIBLE = /\p{Cf}|\u034f|\u1160|[\u180b-\u180f]/gu;
const FULL_WIDTH = /[！-～]/g;

/** Full-width ASCII as ASCII, without what cannot be seen. */
function fold(text: string): string {
  return text
    .replace(INVISIBLE, (char) => (char.length === 1 ? '' : char))
    .replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
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
  readonly has_time?: boolean | undefined;
  readonly has_reason?: boolean | undefined;
  readonly textstatus?: string | undefined;
}

async function parse(text: string, options: Readonly<Record<string, unknown>> = {}): Promise<Line> {
  return (await parseArgs.answer({ text, ...options }, context)).value;
}

/** The answer as it would be for the line without what is invisible in it. */
function foldAnswer(answer: Line): unknown {
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) =>
    typeof value === 'string' ? fold(value) : value,
  );
}

const padding = fc.string({ unit: fc.constantFrom(...BLANKS, ...ZERO_WIDTH), maxLength: 5 });
const splits = fc.tuple(fc.nat(), fc.constantFrom(...ZERO_WIDTH));

/** Lines of each seed. */
const LINES = quickOrFull(250, 5_000);

test.each([1, 2026, 77_777])('parse-args answers any lines of seed %i', (seed) =>
  fc.assert(
    fc.asyncProperty(line, padding, padding, splits, async (text, before, after, [position, zero]) => {
      const answer = await parse(text, { textstatus: true });
      const inArgs = await parse(text, { textstatus: true, args_only: true });
      const again = await parse(text, { textstatus: true });
      const bare = await parse(text, { pingtoid: true });
      // Half a pair of directional controls at an end is padding, a pair is not.
      const padded = PAIRED.test(text) ? text : before + text + after;
      const withPadding = await parse(padded, { textstatus: true });
      const at = position % (text.length + 1);
      const split = await parse(text.slice(0, at) + zero + text.slice(at), { textstatus: true });

      const broken = brokenPromises({
        'the same line is answered the same way': isDeepStrictEqual(again, answer),
        'args_only leaves the command out': inArgs.prefix === null && inArgs.command === null,
        'pingtoid leaves no mention': [bare.user ?? '', bare.reason ?? '', ...bare.args].every(
          (value) => !MENTION.test(fold(value)),
        ),
        'padding changes nothing': isDeepStrictEqual(withPadding, answer),
        'what cannot be seen changes nothing': isDeepStrictEqual(foldAnswer(split), foldAnswer(answer)),
        ...promisesOf(answer, text),
      });
      expect([...broken, ...brokenPromises(promisesOf(inArgs, text))]).toEqual([]);
    }),
    { seed, numRuns: LINES },
  ),
);

const PAIRED = /[\u202a-\u202e\u2066-\u2069]/;
const MENTION = /<@!?\d{1,20}>/;
const LONGEST_MS = 100 * 365 * 86_400_000;

/** One comparison a line: matchers take longer than the parser. */
function brokenPromises(promises: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(promises).filter((name) => promises[name] !== true);
}

function promisesOf(answer: Line, text: string): Readonly<Record<string, boolean>> {
  const { prefix, command, user, user_id, channel_id, role_id, duration, duration_ms, reason } = answer;
  const { args, mentions, permanent, until, flags } = answer;
  const folded = fold(text);
  const hasTime = duration !== null;
  const hasReason = reason !== null;
  const withTime = hasReason ? 'time_and_reason' : 'time_only';
  const withoutTime = hasReason ? 'reason_only' : 'none';
  return {
    'an answer is JSON': isDeepStrictEqual(JSON.parse(JSON.stringify(answer)), answer),
    'its words are in the text': [prefix, duration, ...args].every((part) => text.includes(part ?? '')),
    // A name may be in quotes: @"user name".
    'the user is in the text':
      text.replace(/@["“'‘`«„]/, '@').includes(user ?? '') || text.includes(user ?? ''),
    'the command is in the text': folded.toLowerCase().includes(command ?? ''),
    'ids are in the text': [user_id, channel_id, role_id, ...mentions].every((id) =>
      folded.includes(id ?? ''),
    ),
    'the reason is cut from the text': isCutFrom(reason ?? '', text),
    'has_time and has_reason agree': answer.has_time === hasTime && answer.has_reason === hasReason,
    'textstatus agrees': answer.textstatus === (hasTime ? withTime : withoutTime),
    'a time has one form':
      [permanent, duration_ms !== null, until !== null].filter(Boolean).length === (hasTime ? 1 : 0),
    'seconds agree': answer.duration_seconds === (duration_ms === null ? null : duration_ms / 1000),
    'a time is between zero and a hundred years': (duration_ms ?? 1) > 0 && (duration_ms ?? 1) <= LONGEST_MS,
    'mentions come once': new Set(mentions).size === mentions.length,
    'an id has its user': user_id === null || user !== null,
    'the user is among the mentions': mentions.includes(user_id ?? '') === (user_id !== null),
    'a reason is not blank': reason?.trim() !== '',
    'flags have names': Object.keys(flags).every((name) => /^[a-z0-9_]{1,32}$/.test(name)),
    'flags are few': Object.keys(flags).length <= 20,
  };
}
