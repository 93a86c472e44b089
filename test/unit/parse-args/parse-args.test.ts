import { describe, expect, it } from 'vitest';

import type { OperationContext } from '../../../src/operations/operation.ts';
import { parseArgs } from '../../../src/operations/parse-args/operation.ts';
import { Problem } from '../../../src/problem.ts';
import { DURATIONS, NO_DURATIONS } from './cases/durations.ts';
import { FLAGS } from './cases/flags.ts';
import { A, B, type LineCase } from './cases/line-case.ts';
import { PREFIX_AND_COMMAND } from './cases/prefix-and-command.ts';
import { REASONS } from './cases/reasons.ts';
import { SHADOWS } from './cases/shadows.ts';
import { USERS } from './cases/users.ts';

// This operation reaches nothing outside its input.
const context = {} as OperationContext;

async function parse(text: unknown, options: Readonly<Record<string, unknown>> = {}) {
  return (await parseArgs.handle({ text, ...options }, context)).value;
}

async function problemOf(raw: Readonly<Record<string, unknown>>): Promise<Problem> {
  const outcome = await parseArgs.handle(raw, context).catch((error: unknown) => error);
  if (outcome instanceof Problem) return outcome;
  throw new Error('No problem was raised.');
}

describe.each([
  ['prefix, command and subcommand', PREFIX_AND_COMMAND],
  ['users', USERS],
  ['durations', DURATIONS],
  ['what is no duration', NO_DURATIONS],
  ['reasons', REASONS],
  ['flags', FLAGS],
  ['white space, invisible and full-width characters', SHADOWS],
] satisfies [string, readonly LineCase[]][])('%s', (_name, cases) => {
  it.each(cases.map(({ text, expected }) => [JSON.stringify(text), text, expected] as const))(
    '%s',
    async (_title, text, expected) => {
      const { args: _args, flags, mentions, ...answer } = await parse(text);
      const { flags: expectedFlags = {}, mentions: expectedMentions, ...fields } = expected;
      expect(answer).toEqual({
        ok: true,
        prefix: null,
        command: null,
        subcommand: null,
        user: null,
        user_id: null,
        duration: null,
        duration_ms: null,
        duration_seconds: fields.duration_ms === undefined ? null : fields.duration_ms / 1000,
        permanent: false,
        reason: null,
        ...fields,
      });
      expect(flags).toEqual(expectedFlags);
      expect(mentions).toEqual(expectedMentions ?? (fields.user_id === undefined ? [] : [fields.user_id]));
    },
  );
});

describe('args', () => {
  it.each([
    [`!tempban <@${A}> 7d spamming links`, [`<@${A}>`, '7d', 'spamming', 'links']],
    [`!mod ban <@${A}> --silent "two words"`, ['ban', `<@${A}>`, '--silent', '"two', 'words"']],
    [`!ban<@${A}>`, [`<@${A}>`]],
    [`!ban \n <@${A}>\t❤️  x`, [`<@${A}>`, '❤️', 'x']],
    [`</mod ban:1> <@${A}>`, [`<@${A}>`]],
    [`<@${A}> 7d`, [`<@${A}>`, '7d']],
    ['!ban', []],
    ['???', []],
  ])('%j', async (text, args) => {
    expect((await parse(text)).args).toEqual(args);
  });
});

describe('pingtoid', () => {
  it.each([
    [`!ban <@${A}> 7d spam`, A, 'spam', [A, '7d', 'spam']],
    [`!ban <@!${A}> insulted <@${B}>`, A, `insulted ${B}`, [A, 'insulted', B]],
    [`!ban ${A} spam`, A, 'spam', [A, 'spam']],
    ['!ban @name spam', '@name', 'spam', ['@name', 'spam']],
    [`!ban <@${A}> x<@${B}>y`, A, `x${B}y`, [A, `x${B}y`]],
    [`!ban <@${A}> x <@<@${B}>>`, A, `x ${B}`, [A, 'x', B]],
    [`!ban <@${A}> x <@<@!<@1>2>>`, A, 'x 12', [A, 'x', '12']],
    [
      `!ban <@${A}> <@&${B}> <#${B}> <:a:${B}>`,
      A,
      `<@&${B}> <#${B}> <:a:${B}>`,
      [A, `<@&${B}>`, `<#${B}>`, `<:a:${B}>`],
    ],
    [`!ban <@${A}> x <@\u200b${B}>`, A, `x ${B}`, [A, 'x', B]],
    [`!ban <@${A}> x ＜＠${B}＞`, A, `x ${B}`, [A, 'x', B]],
  ])('%j', async (text, user, reason, args) => {
    expect(await parse(text, { pingtoid: 'yes' })).toMatchObject({ user, reason, args });
  });

  it('changes nothing else', async () => {
    const text = `<@${B}> mute <@${A}> 1h spam <@${B}> --by=<@${B}>`;
    const { user, reason, args, ...rest } = await parse(text, { pingtoid: true });
    expect([user, reason, args]).toEqual([A, `spam ${B}`, [A, '1h', 'spam', B, `--by=${B}`]]);
    expect(rest).toMatchObject({ prefix: `<@${B}>`, user_id: A, mentions: [A, B], flags: { by: `<@${B}>` } });
  });
});

describe('textstatus', () => {
  it.each([
    ['7d spam', 'time_and_reason', true, true],
    ['perm spam', 'time_and_reason', true, true],
    ['7d', 'time_only', true, false],
    ['forever', 'time_only', true, false],
    ['spam', 'reason_only', false, true],
    ['3 strikes', 'reason_only', false, true],
    ['--reason=spam', 'reason_only', false, true],
    ['', 'none', false, false],
    ['--silent', 'none', false, false],
  ])('%j', async (rest, textstatus, has_time, has_reason) => {
    const answer = await parse(`!ban <@${A}> ${rest}`, { textstatus: true });
    expect(answer).toMatchObject({ textstatus, has_time, has_reason });
  });

  it('is absent unless it is asked for', async () => {
    for (const options of [{}, { textstatus: false }, { textstatus: 'off' }, { textstatus: '0' }]) {
      expect(Object.keys(await parse('!ban', options))).not.toContain('textstatus');
    }
  });
});

describe('bad input', () => {
  it.each([
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
    [{ text: 'x'.repeat(4001) }, 413, 'text_too_long', 'text'],
    [{ text: ' '.repeat(4001) }, 413, 'text_too_long', 'text'],
    [{ text: '😀'.repeat(2001) }, 413, 'text_too_long', 'text'],
    [{ text: '!ban', pingtoid: 'maybe' }, 400, 'invalid_field', 'pingtoid'],
    [{ text: '!ban', textstatus: 2 }, 400, 'invalid_field', 'textstatus'],
  ])('%j', async (raw, status, code, field) => {
    const problem = await problemOf(raw);
    expect(problem).toMatchObject({ status, code, field });
    expect(problem.message).toContain(field);
  });

  it('takes 4,000 UTF-16 units', async () => {
    expect((await parse('x'.repeat(4000))).command).toHaveLength(4000);
    expect((await parse('😀'.repeat(2000))).command).toBeNull();
  });
});
