import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseBotToken } from '../../../src/operations/members-source.ts';
import { Problem } from '../../../src/kernel/problem.ts';

const TOKEN = `${'M'.repeat(24)}.G-_4xY.${'z'.repeat(38)}`;
const part = fc.stringMatching(/^[\w-]{1,40}$/);

describe('a bot token', () => {
  test.each([
    ['bare', TOKEN],
    ['with Bot', `Bot ${TOKEN}`],
    ['with bot and white space around', ` \tbot   ${TOKEN} `],
  ])('is accepted %s', (_, header) => {
    expect(parseBotToken(header)).toBe(TOKEN);
  });

  test.each([
    ['of 50 characters', `${'a'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(18)}`],
    ['of 1,024 characters', `${'a'.repeat(500)}.${'b'.repeat(500)}.${'c'.repeat(22)}`],
    ['that is a JWT', `eyJhbGciOiJFUzUxMiJ9.${'e'.repeat(200)}.${'s'.repeat(86)}`],
  ])('is accepted: %s', (_, token) => {
    expect(parseBotToken(token)).toBe(token);
  });
});

describe('a bot token is refused before any call', () => {
  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['only Bot', 'Bot '],
    ['Bearer', `Bearer ${TOKEN}`],
    ['Bot without a space', `Bot${TOKEN.slice(3)} x`],
    ['Bot twice', `Bot Bot ${TOKEN}`],
    ['a user token', `mfa.${'a'.repeat(84)}`],
    ['a user token of three parts', `mfa.${'a'.repeat(40)}.${'b'.repeat(40)}`],
    ['a user token in capitals', `MFA.${'a'.repeat(40)}.${'b'.repeat(40)}`],
    ['two parts', `${'a'.repeat(30)}.${'b'.repeat(30)}`],
    ['four parts', `${TOKEN}.x`],
    ['an empty part', `${'a'.repeat(30)}..${'b'.repeat(30)}`],
    ['49 characters', `${'a'.repeat(24)}.${'b'.repeat(6)}.${'c'.repeat(17)}`],
    ['1,025 characters', `${'a'.repeat(500)}.${'b'.repeat(500)}.${'c'.repeat(23)}`],
    ['a megabyte', 'a'.repeat(2 ** 20)],
    ['a megabyte of spaces', ' '.repeat(2 ** 20)],
    ['a line break inside', TOKEN.replace('G', '\n')],
    ['a line break at the end of a part', `${TOKEN}\nX: y`],
    ['NUL', TOKEN.replace('G', '\0')],
    ['another alphabet', TOKEN.replace('G', 'ß')],
    ['a full-width dot', TOKEN.replace('.', '．')],
    ['base64 with padding', `${TOKEN}==`],
    ['quotes', `"${TOKEN}"`],
    ['a placeholder', '{token}'],
    ['a long placeholder', `{{${'secrets.'.repeat(10)}token}}`],
    ['an API key of ours', `qm_${'A'.repeat(11)}${'B'.repeat(5)}_${'C'.repeat(38)}`],
  ])('when it is %s', (_, header) => {
    expect(() => parseBotToken(header)).toThrow(
      expect.objectContaining({ code: 'token_malformed', field: 'Token' }),
    );
  });

  test('when it is not three parts of the alphabet', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 80 }), fc.array(part, { maxLength: 5 })), (made) => {
        const header = typeof made === 'string' ? made : made.join('.');
        const bare = header.trim().replace(/^bot\s+/i, '');
        const isToken =
          /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){2}$/.test(bare) && bare.length >= 50 && !/^mfa\./i.test(bare);
        expect(outcomeOf(header)).toBe(isToken ? bare : 'The Token header is not a bot token.');
      }),
      { seed: 6, numRuns: 2_000 },
    );
  });
});

function outcomeOf(header: string): string {
  try {
    return parseBotToken(header);
  } catch (error) {
    return error instanceof Problem ? error.message : 'another error';
  }
}
