import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../../src/operations/operation.ts';
import { permissionDecoder } from '../../../../src/operations/permission-decoder/operation.ts';
import { permissionEncoder } from '../../../../src/operations/permission-encoder/operation.ts';
import { Problem } from '../../../../src/kernel/problem.ts';

const context = {} as OperationContext;

const LINK =
  'https://discord.com/api/oauth2/authorize?client_id=123456789012345678&permissions=268435472&scope=bot%20applications.commands';

async function decode(bitfield: unknown) {
  return (await permissionDecoder.answer({ bitfield }, context)).value;
}

describe('decoding', () => {
  test('lists the names and the unknown bits of a bit field', async () => {
    expect(await decode('2112')).toEqual({
      ok: true,
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
      unknown_bits: [],
      hints: [],
    });
    expect(await decode((2n ** 60n + 2n ** 47n + 8n).toString())).toEqual({
      ok: true,
      bitfield: '1153062242095202312',
      hex: '0x1000800000000008',
      count: 1,
      permissions: ['ADMINISTRATOR'],
      elevated: ['ADMINISTRATOR'],
      unknown_bits: [47, 60],
      hints: [expect.stringContaining('ADMINISTRATOR includes every permission')],
    });
  });

  test.each(['0', '0x0', '0n', 0])('of %j explains what it means for a command', async (given) => {
    const { hints } = await decode(given);
    expect(hints).toEqual([expect.stringMatching(/default_member_permissions.*administrators only.*null/)]);
  });

  test('of only unknown bits differs from that of 0', async () => {
    expect(await decode((2n ** 60n).toString())).toMatchObject({ permissions: [], hints: [] });
  });

  test.each([
    ['0', '0', []],
    ['8', '8', ['ADMINISTRATOR']],
    [8, '8', ['ADMINISTRATOR']],
    [0, '0', []],
    ['0x8', '8', ['ADMINISTRATOR']],
    ['0X0F', '15', ['CREATE_INSTANT_INVITE', 'KICK_MEMBERS', 'BAN_MEMBERS', 'ADMINISTRATOR']],
    [' 0008 ', '8', ['ADMINISTRATOR']],
    // As consoles print a BigInt.
    ['8n', '8', ['ADMINISTRATOR']],
    ['0x8n', '8', ['ADMINISTRATOR']],
    ['4503599627370496', '4503599627370496', ['BYPASS_SLOWMODE']],
    [4503599627370496, '4503599627370496', ['BYPASS_SLOWMODE']],
    ['9007199254740993', '9007199254740993', ['CREATE_INSTANT_INVITE']],
    ['9'.repeat(38), '9'.repeat(38), expect.any(Array)],
  ])('reads %j', async (given, bitfield, permissions) => {
    expect(await decode(given)).toMatchObject({ bitfield, permissions });
  });

  test('keeps every bit of any field up to 2^126', () =>
    fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 124n - 1n }), async (bits) => {
        const answer = await decode(bits.toString());
        expect(await decode(`0x${bits.toString(16)}`)).toEqual(answer);
        const encoded = (await permissionEncoder.answer({ permissions: answer['permissions'] }, context))
          .value;
        const unknown = answer['unknown_bits'];
        const sum = unknown.reduce((rest, bit) => rest + (1n << BigInt(bit)), BigInt(encoded['bitfield']));
        expect(sum).toBe(bits);
        expect(answer['bitfield']).toBe(bits.toString());
      }),
      { seed: 8, numRuns: 500 },
    ));
});

describe('compare', () => {
  test.each([
    ['2112', '2048', [], ['ADD_REACTIONS']],
    ['2048', '2112', ['ADD_REACTIONS'], []],
    ['8', '0x840', ['ADD_REACTIONS', 'SEND_MESSAGES'], ['ADMINISTRATOR']],
    ['8', 8, [], []],
  ])('lists what changed from %s to %s', async (bitfield, compare, added, removed) => {
    const { value } = await permissionDecoder.answer({ bitfield, compare }, context);
    expect(value).toMatchObject({ added, removed });
    expect(value).toMatchObject(await decode(bitfield));
  });

  test('is absent unless it is given', async () => {
    const keys = Object.keys((await permissionDecoder.answer({ bitfield: '8', compare: '' }, context)).value);
    expect(keys.filter((key) => key === 'added' || key === 'removed')).toEqual([]);
  });

  test('must be a bit field too', async () => {
    const asked = permissionDecoder.answer({ bitfield: '8', compare: 'SPEAK' }, context);
    await expect(asked).rejects.toMatchObject({ code: 'invalid_field', field: 'compare' });
  });
});

async function hintsOf(names: readonly string[]) {
  const { value } = await permissionEncoder.answer({ permissions: names }, context);
  return (await decode(value['bitfield']))['hints'];
}

describe('the hints', () => {
  test.each([
    [['MANAGE_GUILD_EXPRESSIONS'], ['CREATE_GUILD_EXPRESSIONS']],
    [['MANAGE_EVENTS'], ['CREATE_EVENTS']],
    [['MANAGE_MESSAGES'], ['PIN_MESSAGES', 'BYPASS_SLOWMODE']],
    [['MANAGE_MESSAGES', 'PIN_MESSAGES'], ['BYPASS_SLOWMODE']],
    [['MANAGE_CHANNELS', 'MANAGE_THREADS'], ['BYPASS_SLOWMODE']],
  ])('say what %j lost on 23 February 2026', async (names, lost) => {
    expect(await hintsOf(names)).toEqual(
      lost.map(
        (name) =>
          expect.stringMatching(new RegExp(`^Since 23 February 2026 .*That needs ${name}\\.$`)) as unknown,
      ),
    );
  });

  test('say which permission has no effect without another', async () => {
    expect(await hintsOf(['ATTACH_FILES', 'EMBED_LINKS'])).toEqual([
      'EMBED_LINKS and ATTACH_FILES do nothing in a channel without SEND_MESSAGES.',
    ]);
  });

  test.each([
    [['SEND_MESSAGES', 'ATTACH_FILES']],
    [['MANAGE_EVENTS', 'CREATE_EVENTS']],
    [['MANAGE_MESSAGES', 'PIN_MESSAGES', 'BYPASS_SLOWMODE']],
  ])('are empty for %j', async (names) => {
    expect(await hintsOf(names)).toEqual([]);
  });

  test('say only that ADMINISTRATOR includes every permission', async () => {
    expect(await hintsOf(['ADMINISTRATOR', 'MANAGE_MESSAGES'])).toHaveLength(1);
  });
});

describe('bad input', () => {
  test.each([
    [{}, 'missing_field', 'is missing'],
    [{ bitfield: null }, 'missing_field', 'is missing'],
    [{ bitfield: '' }, 'missing_field', 'is missing'],
    [{ bitfield: 2 ** 53 }, 'invalid_field', 'has lost digits'],
    [{ bitfield: -1 }, 'invalid_field', 'is negative'],
    [{ bitfield: -(2 ** 31) }, 'invalid_field', 'is negative'],
    [{ bitfield: -1.5 }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: 1.5 }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '-8' }, 'invalid_field', 'is negative'],
    [{ bitfield: ' -2147483648n ' }, 'invalid_field', 'is negative'],
    [{ bitfield: '-0x8' }, 'invalid_field', 'is negative'],
    [{ bitfield: '-x' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '+8' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '8nn' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: 'n' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '1e3' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '0b11' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '0x' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '0xg' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '8 8' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: 'SEND_MESSAGES' }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: LINK }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '9'.repeat(39) }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: true }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: ['8'] }, 'invalid_field', 'must be a bit field'],
    [{ bitfield: '{bits}' }, 'unresolved_placeholder', 'placeholder'],
    [{ bitfield: '$userPerms[$authorID]' }, 'unresolved_placeholder', 'placeholder'],
  ])('is refused: %j', async (raw, code, message) => {
    const problem: unknown = await permissionDecoder.answer(raw, context).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ status: 400, code, field: 'bitfield' });
    expect(String(problem)).toContain(message);
  });
});

test('an invite link gets a hint where its number is', async () => {
  const hint = 'You sent an invite link. Send the number after permissions= in it.';
  for (const bitfield of [LINK, ` ${LINK} `, [LINK], LINK.replaceAll('&', '&amp;'), 'permissions=8']) {
    expect(await hintOf(permissionDecoder.answer({ bitfield }, context))).toEqual([
      'invalid_field',
      'bitfield',
      hint,
    ]);
  }
  const compared = permissionDecoder.answer({ bitfield: '8', compare: LINK }, context);
  expect(await hintOf(compared)).toEqual(['invalid_field', 'compare', hint]);
  const without = permissionDecoder.answer({ bitfield: LINK.split('&')[0] }, context);
  expect(await hintOf(without)).toEqual(['invalid_field', 'bitfield', null]);
});

/** What is said about a call. */
async function hintOf(asked: Promise<unknown>) {
  const error: unknown = await asked.then(
    () => 'answered',
    (refusal: unknown) => refusal,
  );
  return error instanceof Problem ? [error.code, error.field, error.hint] : error;
}

describe('a field of the other operation', () => {
  test.each([
    { permissions: ['KICK_MEMBERS'] },
    { Permissions: 'Kick Members' },
    { 'permissions[]': 'KICK' },
  ])('leads to the encoder: %j', async (raw) => {
    const hint = expect.stringContaining('permission-encoder') as unknown;
    expect(await hintOf(permissionDecoder.answer(raw, context))).toEqual(['missing_field', 'bitfield', hint]);
    expect(
      await hintOf(permissionDecoder.answerFields(permissionDecoder.names.read({}, raw), context)),
    ).toEqual(['missing_field', 'bitfield', hint]);
  });

  test.each([{ bitfield: '8' }, { bitField: 8 }])('leads to the decoder: %j', async (raw) => {
    expect(await hintOf(permissionEncoder.answer(raw, context))).toEqual([
      'missing_field',
      'permissions',
      expect.stringContaining('permission-decoder'),
    ]);
  });

  test('is ignored when no field is missing, as in the whole response of the encoder', async () => {
    const { value } = await permissionEncoder.answer(
      { permissions: ['KICK_MEMBERS'], bitfield: '8' },
      context,
    );
    expect(await hintOf(permissionDecoder.answer({ ...value }, context))).toBe('answered');
  });
});
