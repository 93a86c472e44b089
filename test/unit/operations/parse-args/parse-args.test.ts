import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../../src/operations/operation.ts';
import { parseArgs } from '../../../../src/operations/parse-args/operation.ts';
import { LINE_LENGTH_MAX } from '../../../../src/operations/parse-args/request.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { DURATIONS, NO_DURATIONS } from './cases/durations.ts';
import { FLAGS } from './cases/flags.ts';
import { LANGUAGES } from './cases/languages.ts';
import { ENGLISH } from './cases/lengths/english.ts';
import { FRENCH } from './cases/lengths/french.ts';
import { GERMAN } from './cases/lengths/german.ts';
import { PORTUGUESE } from './cases/lengths/portuguese.ts';
import { RUSSIAN } from './cases/lengths/russian.ts';
import { SPANISH } from './cases/lengths/spanish.ts';
import { TURKISH } from './cases/lengths/turkish.ts';
import { A, B, type LineCase } from './cases/line-case.ts';
import { NEAR_LENGTHS } from './cases/near-lengths.ts';
import { ARGUMENTS, PLACES } from './cases/places.ts';
import { PREFIX_AND_COMMAND } from './cases/prefix-and-command.ts';
import { NO_PROSE, PROSE } from './cases/prose.ts';
import { REASONS } from './cases/reasons.ts';
import { INVISIBLE_CHARACTERS } from './cases/invisible-characters.ts';
import { USERS } from './cases/users.ts';

// This operation reaches nothing outside its input.
const context = {} as OperationContext;

async function parse(text: unknown, options: Readonly<Record<string, unknown>> = {}) {
  return (await parseArgs.answer({ text, ...options }, context)).value;
}

async function problemOf(raw: Readonly<Record<string, unknown>>): Promise<Problem> {
  const outcome = await parseArgs.answer(raw, context).catch((error: unknown) => error);
  if (outcome instanceof Problem) return outcome;
  throw new Error('No problem was raised.');
}

function at(until: number, iso: string) {
  return { until, until_iso: iso, until_markdown: `<t:${until}:R>` };
}

async function expectLine({ text, expected }: LineCase, options: Readonly<Record<string, unknown>> = {}) {
  const { args: _args, flags, mentions, ...answer } = await parse(text, options);
  const { flags: expectedFlags = {}, mentions: expectedMentions, ...fields } = expected;
  expect(answer).toEqual({
    ok: true,
    prefix: null,
    command: null,
    subcommand: null,
    user: null,
    user_id: null,
    channel_id: null,
    role_id: null,
    duration: null,
    duration_ms: null,
    duration_seconds: fields.duration_ms === undefined ? null : fields.duration_ms / 1000,
    permanent: false,
    until: null,
    reason: null,
    ...fields,
  });
  expect(flags).toEqual(expectedFlags);
  expect(mentions).toEqual(expectedMentions ?? (fields.user_id === undefined ? [] : [fields.user_id]));
}

function titled(cases: readonly LineCase[]) {
  return cases.map((lineCase) => [JSON.stringify(lineCase.text), lineCase] as const);
}

describe.each([
  ['prefix, command and subcommand', PREFIX_AND_COMMAND],
  ['users', USERS],
  ['channels, roles, timestamps, quotes and lines without a command', PLACES],
  ['durations', DURATIONS],
  ['text that is not a duration', NO_DURATIONS],
  ['text that looks like a length', NEAR_LENGTHS],
  ['prose that is not a time', PROSE],
  ['times that look like prose', NO_PROSE],
  ...LANGUAGES,
  ['lengths in English', ENGLISH],
  ['lengths in Russian', RUSSIAN],
  ['lengths in French', FRENCH],
  ['lengths in Spanish', SPANISH],
  ['lengths in Portuguese', PORTUGUESE],
  ['lengths in German', GERMAN],
  ['lengths in Turkish', TURKISH],
  ['reasons', REASONS],
  ['flags', FLAGS],
  ['white space, invisible and full-width characters', INVISIBLE_CHARACTERS],
] satisfies (readonly [string, readonly LineCase[]])[])('%s', (_name, cases) => {
  test.each(titled(cases))('are read from %s', (_title, lineCase) => expectLine(lineCase));
});

describe('args_only', () => {
  test.each(titled(ARGUMENTS))('reads %s', (_title, lineCase) => expectLine(lineCase, { args_only: true }));

  test('returns all words as args', async () => {
    expect(await parse(`ban <@${A}> 7d`, { args_only: 'yes' })).toMatchObject({
      args: ['ban', `<@${A}>`, '7d'],
    });
  });
});

describe('args', () => {
  test.each([
    [`!tempban <@${A}> 7d spamming links`, [`<@${A}>`, '7d', 'spamming', 'links']],
    [`!mod ban <@${A}> --silent "two words"`, ['ban', `<@${A}>`, '--silent', '"two', 'words"']],
    [`!ban<@${A}>`, [`<@${A}>`]],
    [`!ban \n <@${A}>\t❤️  x`, [`<@${A}>`, '❤️', 'x']],
    [`</mod ban:1> <@${A}>`, [`<@${A}>`]],
    [`<@${A}> 7d`, [`<@${A}>`, '7d']],
    ['!ban', []],
    ['???', []],
  ])('are the words of %j', async (text, args) => {
    expect((await parse(text)).args).toEqual(args);
  });
});

describe('pingtoid', () => {
  test.each([
    [`!ban <@${A}> 7d spam`, A, 'spam', [A, '7d', 'spam']],
    [`!ban <@!${A}> insulted <@${B}>`, A, `insulted ${B}`, [A, 'insulted', B]],
    [`!ban ${A} spam`, A, 'spam', [A, 'spam']],
    ['!ban @name spam', '@name', 'spam', ['@name', 'spam']],
    [`!ban <@${A}> x<@${B}>y`, A, `x${B}y`, [A, `x${B}y`]],
    [`!ban <@${A}> x <@${B}><@${A}>`, A, `x ${B} ${A}`, [A, 'x', `${B} ${A}`]],
    [`!ban <@${A}> x <@1><@!2><@3>`, A, 'x 1 2 3', [A, 'x', '1 2 3']],
    [`!ban <@${A}> x ${B}<@${A}>`, A, `x ${B} ${A}`, [A, 'x', `${B} ${A}`]],
    [`!ban <@${A}> x <@${A}>${B}`, A, `x ${A} ${B}`, [A, 'x', `${A} ${B}`]],
    [`!ban <@${A}> x <@\u200b${B}>\u200b<@${A}>`, A, `x ${B} ${A}`, [A, 'x', `${B} ${A}`]],
    [`!ban <@${A}> x <@<@${B}>>`, A, `x ${B}`, [A, 'x', B]],
    [`!ban <@${A}> x <@<@!<@1>2>>`, A, 'x 12', [A, 'x', '12']],
    [`!ban <@${A}> <@&${B}> <#${B}> <:a:${B}>`, A, `<:a:${B}>`, [A, `<@&${B}>`, `<#${B}>`, `<:a:${B}>`]],
    [`!ban <@${A}> x <@\u200b${B}>`, A, `x ${B}`, [A, 'x', B]],
    [`!ban <@${A}> x ＜＠${B}＞`, A, `x ${B}`, [A, 'x', B]],
  ])('replaces the mentions in %j', async (text, user, reason, args) => {
    expect(await parse(text, { pingtoid: 'yes' })).toMatchObject({ user, reason, args });
  });

  test('changes no other part', async () => {
    const text = `<@${B}> mute <@${A}> 1h spam <@${B}> --by=<@${B}>`;
    const { user, reason, args, ...rest } = await parse(text, { pingtoid: true });
    expect([user, reason, args]).toEqual([A, `spam ${B}`, [A, '1h', 'spam', B, `--by=${B}`]]);
    expect(rest).toMatchObject({ prefix: `<@${B}>`, user_id: A, mentions: [A, B], flags: { by: `<@${B}>` } });
  });
});

describe('textstatus', () => {
  test.each([
    ['7d spam', 'time_and_reason', true, true],
    ['perm spam', 'time_and_reason', true, true],
    ['7d', 'time_only', true, false],
    ['forever', 'time_only', true, false],
    ['spam', 'reason_only', false, true],
    ['3 strikes', 'reason_only', false, true],
    ['--reason=spam', 'reason_only', false, true],
    ['', 'none', false, false],
    ['--silent', 'none', false, false],
  ])('describes %j', async (rest, textstatus, has_time, has_reason) => {
    const answer = await parse(`!ban <@${A}> ${rest}`, { textstatus: true });
    expect(answer).toMatchObject({ textstatus, has_time, has_reason });
  });

  test('is absent unless it is requested', async () => {
    for (const options of [{}, { textstatus: false }, { textstatus: 'off' }, { textstatus: '0' }]) {
      expect(Object.keys(await parse('!ban', options))).not.toContain('textstatus');
    }
  });
});

describe('timestamps', () => {
  const NOW = Date.UTC(2026, 0, 1);
  const now = NOW / 1000;
  const ask = async (rest: string) => {
    const input = { text: `!mute <@${A}> ${rest}`, textstatus: true, timestamps: true };
    return (await parseArgs.answer(input, { ...context, now: () => NOW })).value;
  };

  test.each([
    ['7d spam', 604_800_000, at(now + 604_800, '2026-01-08T00:00:00.000Z')],
    ['1.5s', 1500, at(now + 1, '2026-01-01T00:00:01.000Z')],
    [`<t:${now + 60}:F> spam`, 60_000, at(now + 60, '2026-01-01T00:01:00.000Z')],
    [`<t:${now}> spam`, null, at(now, '2026-01-01T00:00:00.000Z')],
    [`<t:${now - 60}>`, null, at(now - 60, '2025-12-31T23:59:00.000Z')],
    ['<t:8640000000000>', 8_640_000_000_000_000 - NOW, at(8_640_000_000_000, '+275760-09-13T00:00:00.000Z')],
  ])('counts from now: %s', async (rest, duration_ms, end) => {
    const duration_seconds = duration_ms === null ? null : duration_ms / 1000;
    expect(await ask(rest)).toMatchObject({ duration_ms, duration_seconds, has_time: true, ...end });
  });

  test.each([
    ['perm', true],
    ['spam', false],
    ['<t:8640000000001>', false],
    ['<t:-8640000000001>', false],
  ])('do not include an end for %s', async (rest, has_time) => {
    const none = { duration_ms: null, until: null, until_iso: null, until_markdown: null };
    expect(await ask(rest)).toMatchObject({ ...none, has_time });
  });

  test('read no clock unless they are requested', async () => {
    const answer = await parse(`!mute <@${A}> 7d`, { timestamps: 'no' });
    expect(answer).toMatchObject({ until: null });
    expect(Object.keys(answer).filter((key) => key.startsWith('until_'))).toEqual([]);
  });
});

describe('bad input', () => {
  test.each([
    [{}, 400, 'missing_field', 'text'],
    [{ text: null }, 400, 'missing_field', 'text'],
    [{ text: '' }, 400, 'missing_field', 'text'],
    [{ text: ' \n\t\u00a0\u3000' }, 400, 'missing_field', 'text'],
    [{ text: '\u200b\u200d\ufeff\u2060' }, 400, 'missing_field', 'text'],
    [{ text: '\ufe0f\u{e0020}\u3164\u2800\u00ad' }, 400, 'missing_field', 'text'],
    [{ text: 5 }, 400, 'invalid_field', 'text'],
    [{ text: true }, 400, 'invalid_field', 'text'],
    [{ text: ['!ban', '!kick'] }, 400, 'invalid_field', 'text'],
    [{ text: { a: 1 } }, 400, 'invalid_field', 'text'],
    [{ text: '!ban', pingtoid: 'maybe' }, 400, 'invalid_field', 'pingtoid'],
    [{ text: '!ban', textstatus: 2 }, 400, 'invalid_field', 'textstatus'],
    [{ text: '!ban', args_only: 'some' }, 400, 'invalid_field', 'args_only'],
    [{ text: '!ban', timestamps: 'now' }, 400, 'invalid_field', 'timestamps'],
  ])('is refused: %j', async (raw, status, code, field) => {
    const problem = await problemOf(raw);
    expect(problem).toMatchObject({ status, code, field });
    expect(problem.message).toContain(field);
  });

  test.each([
    ['letters', 'x'.repeat(4001)],
    ['blanks', ' '.repeat(4001)],
    ['emoji', '😀'.repeat(2001)],
  ])('includes more than 4,000 UTF-16 code units of %s', async (_, text) => {
    const problem = await problemOf({ text });
    expect(problem).toMatchObject({ status: 413, code: 'text_too_long', field: 'text' });
    expect(problem.message).toBe(`The field text is longer than ${LINE_LENGTH_MAX} characters.`);
  });

  test('does not include 4,000 UTF-16 units', async () => {
    expect((await parse('x'.repeat(4000))).command).toHaveLength(4000);
    expect((await parse('😀'.repeat(2000))).command).toBeNull();
  });
});
