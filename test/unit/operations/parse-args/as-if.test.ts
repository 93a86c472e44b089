import { describe, expect, test } from 'vitest';

import { parseLine, type CommandLine } from '../../../../src/operations/parse-args/parse-line.ts';
import { A, B, C } from './cases/line-case.ts';

const TARGETS = [
  `<@${A}>`,
  `<@!${A}>`,
  A,
  `<#${B}>`,
  `<@&${B}>`,
  '@spammer',
  `"<@${A}>"`,
  `(${A})`,
  `**<@${A}>**`,
  `“<@${A}>”`,
];
const DASHES = ['—', '–'];

/** What a line says, whatever its words are. */
function read(text: string, argsOnly = false): Omit<CommandLine, 'args'> {
  const { args: _args, ...said } = parseLine(text, argsOnly);
  return said;
}

/** Expects the typed line to say what the meant one says, and names both when it does not. */
function expectSame(typed: string, meant: string, argsOnly = false): void {
  expect([typed, read(typed, argsOnly)]).toEqual([typed, read(meant, argsOnly)]);
}

describe('a dash that a phone typed', () => {
  const FLAGS = [
    'silent',
    's',
    'Silent',
    'delete-messages',
    'a_b',
    'days=7',
    'note=',
    'reason=links',
    'reason="bad links"',
    'note=“two words”',
    `note='x y'`,
    `user=<@${A}>`,
    'x'.repeat(32),
  ];
  const PLACES = [
    (flag: string) => `!ban ${flag} <@${A}> 7d spam`,
    (flag: string) => `!mod ban ${flag} ${A}`,
    (flag: string) => `!ban <@${A}> ${flag} 7d spam`,
    (flag: string) => `!ban <@${A}> 7d ${flag} spam`,
    (flag: string) => `!ban <@${A}> 7d spam ${flag}`,
    (flag: string) => `!ban <@${A}> perm\n${flag}`,
    (flag: string) => `!ban 7d ${flag} <@${A}> spam`,
    (flag: string) => `!ban spam <@${A}> again ${flag}`,
    (flag: string) => `!temprole <@${A}> 7d ${flag} <@&${B}>`,
    (flag: string) => `!ban <@${A}> ${flag} --more 7d ${flag}`,
    (flag: string) => `!ban <@${A}>. ${flag} 7d spam`,
    (flag: string) => `!ban <@${A}>, ${flag} 7d spam`,
    (flag: string) => `!ban <@${A}> 7d - ${flag} spam`,
    (flag: string) => `${flag} <@${A}> 7d spam`,
  ];

  test.each(DASHES)('%s before a complete flag is read as two dashes, in every position', (dash) => {
    for (const place of PLACES) {
      for (const flag of FLAGS) {
        expectSame(place(dash + flag), place(`--${flag}`));
        const args = (typed: string) => place(typed).replace(/^!(?:mod )?\w+ /, '');
        expectSame(args(dash + flag), args(`--${flag}`), true);
      }
    }
  });

  test.each(DASHES)('%s in the middle of a reason stays text, as two dashes do', (dash) => {
    expect(read(`!ban <@${A}> 7d spam ${dash}silent links`).reason).toBe(`spam ${dash}silent links`);
  });

  test.each(DASHES)('%s before an incomplete flag starts no flag', (dash) => {
    for (const rest of ['5m', '7d', 'sîlent', 'silent, spam', 'x'.repeat(33), '_a', `${dash}a`]) {
      const line = read(`!ban <@${A}> ${dash}${rest} spam`);
      expect([rest, line.flags, line.duration]).toEqual([rest, {}, null]);
      expect(line.reason).toContain(rest);
    }
  });

  test.each(DASHES)('%s at the end of a target or time separates', (dash) => {
    for (const target of TARGETS) {
      for (const rest of ['spam', '7d spam', 'silent', 'perm', 'spam links —silent']) {
        // A name ends where a blank or character that no name has ends it.
        if (target !== '@spammer') expectSame(`!ban ${target}${dash}${rest}`, `!ban ${target} ${rest}`);
      }
    }
    for (const time of [
      '7d',
      '1h',
      '1h30m',
      '1 hour',
      '1h30',
      'a week',
      'perm',
      'forever',
      '∞',
      '"7d"',
      '<t:5>',
      'for 2h',
    ]) {
      for (const rest of ['spam', 'silent', 'ban evasion']) {
        expectSame(`!ban <@${A}> ${time}${dash}${rest}`, `!ban <@${A}> ${time} - ${rest}`);
        expectSame(`!mute ${time}${dash}${rest}`, `!mute ${time} - ${rest}`);
      }
    }
  });

  test.each(DASHES)('%s between words stays text', (dash) => {
    expectSame(`!ban <@${A}> 7d a${dash}b`, `!ban <@${A}> 7d a${dash}b`);
    expect(read(`!ban <@${A}> 7d rude${dash}silent`)).toMatchObject({
      reason: `rude${dash}silent`,
      flags: {},
    });
  });
});

test('a flag after a separator is read as one at the start of the line', () => {
  for (const separator of [', ', ': ', ' - ', ' | ', '; '])
    expectSame(`!ban <@${A}>${separator}--silent 7d spam`, `!ban <@${A}> --silent 7d spam`);
});

describe('a punctuation mark', () => {
  const PUNCTUATION = ['.', '..', '...', '…', '!', '?', '?!', '!!', '.…', ':', ';'];
  const RESTS = [
    '',
    ' ',
    ' 7d spam',
    '\n7d spam',
    ' for 2 hours spam',
    ' perm',
    ' spam',
    ` <@&${C}> 1d`,
    ` <#${C}> 7d raid`,
    ` and <@${C}> 7d`,
    ` <@${C}> 7d`,
    ' --silent 7d spam',
    ' —silent 7d spam',
    ' - 7d spam',
    ' spam --silent',
  ];

  test.each(PUNCTUATION)('%s after a target is read as a space', (char) => {
    for (const target of TARGETS) {
      for (const rest of RESTS) {
        for (const before of ['!ban ', '!role add ', '!mute 7d ', '!ban spam ', '']) {
          // There the mention is the prefix of a command.
          if (before === '' && /^ (?:spam|and)/.test(rest)) continue;
          // Without a command a line begins with a user, and in a text only mentions of users are targets.
          if (before === '' && /#|&/.test(target)) continue;
          if (before === '!ban spam ' && !/<@!?\d/.test(target)) continue;
          expectSame(`${before}${target}${char}${rest}`, `${before}${target}${rest}`);
        }
        expectSame(`${target}${char}${rest}`, `${target}${rest}`, true);
      }
    }
  });

  test.each(PUNCTUATION.filter((char) => char !== ';'))('%s inside a word stays a part of it', (char) => {
    expect(read(`!ban <@${A}>${char}x`).reason).toBe(`${char}x`);
  });

  test('before a number is read as a decimal point', () => {
    expect(read(`!ban <@${A}>.5h spam`)).toMatchObject({
      duration: '.5h',
      durationMs: 1_800_000,
      reason: 'spam',
    });
  });

  test('begins the reason when it stands alone', () => {
    expect(read(`!ban <@${A}> ... spam`).reason).toBe('... spam');
  });
});

describe('a filler word', () => {
  const WORDS = ['me', 'set', 'start', 'extend', 'all', 'ME', 'Set', 'ａｌｌ', 'mich', 'Moi', 'bana', 'мне'];
  const COMMANDS = [
    '!remind',
    '!ban',
    '!slowmode',
    '!mod mute',
    '!raffle',
    '</temprole:1>',
    '!role',
    'c!timer',
  ];
  const FOLLOWED = [
    `<@${A}>`,
    `<@${A}> 7d spam`,
    `${A} spam`,
    `@spammer 7d`,
    `"<@${A}>" 7d`,
    `<#${B}> 10s`,
    `<@&${B}>`,
    `<@${A}> <@&${B}> 2d`,
    `<@${A}>. <@&${B}> 2d`,
    '<t:1700000000> spam',
    'until <t:1700000000:R>',
    '7 days',
    '7d spam',
    '1h30m <#5>',
    '.5h',
    '1 hour and 30 minutes',
    '(7d) spam',
    'in 1 hour',
    'in 1d 23h 59m 59s to test',
    'for 2 hours to cool off',
    'für 2 Tage',
    'через 5 минут чай',
    '--dm 7d spam',
    '—dm in 5 minutes',
  ];

  test.each(WORDS)('%s is skipped before a target or a length in digits', (word) => {
    for (const rest of FOLLOWED) {
      for (const command of COMMANDS) expectSame(`${command} ${word} ${rest}`, `${command} ${rest}`);
      expectSame(`${word} ${rest}`, rest, true);
    }
  });

  test('belongs to the reason or text if anything else follows', () => {
    for (const word of ['me', 'set', 'start', 'extend', 'all']) {
      for (const rest of [
        'tea',
        'a week',
        'half an hour',
        'members',
        '3 strikes',
        '',
        '7 things',
        '5m ago',
        'forever alone',
      ]) {
        const text = `${word} ${rest}`.trim();
        expect([text, read(`!ban ${text}`)]).toMatchObject([text, { reason: text, duration: null }]);
        expect([text, read(text, true)]).toMatchObject([text, { reason: text, duration: null }]);
      }
    }
  });

  test('is skipped once only, and directly after the command', () => {
    expect(read(`!slowmode set all <#${B}>`)).toMatchObject({ channelId: null, reason: `set all <#${B}>` });
    expect(read(`!ban please all <@${A}>`).reason).toBe('please all');
    expect(read(`!ban <@${A}> all 7d`)).toMatchObject({ reason: 'all 7d', duration: null });
    expect(read(`!ban all-in <@${A}>`).reason).toBe('all-in');
    expect(read(`!ban them <@${A}>`).reason).toBe('them');
  });

  test('is skipped before a word such as "forever" if the command can last', () => {
    for (const word of ['perm', 'forever', 'permanent', 'for ever', '∞', 'permanently, raid']) {
      expectSame(`!mute all ${word}`, `!mute ${word}`);
      expectSame(`all ${word}`, word, true);
      expect(read(`!remind me ${word}`)).toMatchObject({ isPermanent: false, reason: `me ${word}` });
    }
  });

  test('is skipped after a word such as "add" or "remove" for a role', () => {
    for (const word of ['add', 'give', 'remove', 'toggle']) {
      expectSame(`!role ${word} all <@&${B}>`, `!role <@&${B}>`);
      expectSame(`!role ${word} all <@&${B}> 7d`, `!role <@&${B}> 7d`);
    }
  });

  test('is skipped after the verb with args_only', () => {
    expect(read(`mute all 5m spam`, true)).toMatchObject({
      subcommand: 'mute',
      duration: '5m',
      reason: 'spam',
    });
    expect(read(`lock all doors`, true)).toMatchObject({ subcommand: null, reason: 'lock all doors' });
  });
});

describe('several targets', () => {
  const CONJUNCTIONS = [
    'and',
    'or',
    'OR',
    'und',
    'oder',
    'et',
    'ou',
    'y',
    'o',
    'e',
    'и',
    'или',
    've',
    'veya',
  ];

  test.each(CONJUNCTIONS)('may be joined by "%s"', (word) => {
    expectSame(`!ban <@${A}> ${word} <@${B}> 7d spam`, `!ban <@${A}> <@${B}> 7d spam`);
    expectSame(`!ban ${A}, ${word} ${B} 7d spam`, `!ban ${A} ${B} 7d spam`);
    expect(read(`!ban <@${A}> ${word} others`).reason).toBe(`${word} others`);
  });

  test.each(['/', '&', '+', ',', ';', '|'])('may be joined by %s, with or without spaces', (char) => {
    for (const [first, second] of [
      [A, B],
      [A, `<@${B}>`],
      [`<@${A}>`, B],
      [`<@${A}>`, `<@&${B}>`],
    ] as const) {
      for (const typed of [
        `${first}${char}${second}`,
        `${first} ${char} ${second}`,
        `${first}${char} ${second}`,
      ]) {
        // An id with a character at its end is an id only if that character ends words or another target follows at once.
        if (first === A && typed.includes(`${A}${char} `) && '/&+'.includes(char)) continue;
        expectSame(`!ban ${typed} 7d spam`, `!ban ${first} ${second} 7d spam`);
        expectSame(`${typed} 7d spam`, `${first} ${second} 7d spam`, true);
      }
    }
  });

  test('may be more than two', () => {
    expect(read(`!ban ${A}/${B}/${C} 7d`)).toMatchObject({
      mentions: [A, B, C],
      duration: '7d',
      reason: null,
    });
  });

  test('are not read from the numbers of a path', () => {
    for (const text of [`${A}/avatar`, `${A}/24`, `${A}/${B}/x`.replace(B, '12345'), `${A}/${B}7${C}`]) {
      expect([text, read(`!report ${text}`)]).toMatchObject([text, { user: null, reason: text }]);
    }
  });
});

describe('a closing quote that a phone turned round', () => {
  test('closes the quote that the same character opened, after a space', () => {
    expect(read(`!ban <@${A}> “spam “`).reason).toBe('spam');
    expect(read(`!ban <@${A}> 7d ‘bad links ‘`).reason).toBe('bad links');
    expect(read(`!ban <@${A}> “7d “ spam`)).toMatchObject({ duration: '7d', reason: 'spam' });
    expect(read(`!ban <@${A}> “1 hour“ “spam “`)).toMatchObject({ duration: '1 hour', reason: 'spam' });
    expect(read(`!ban <@${A}> —reason=“bad links “ —note=‘a b ‘`)).toMatchObject({
      flags: { reason: 'bad links ', note: 'a b ' },
      reason: 'bad links',
    });
    expect(read(`!ban <@${A}> --note=“two words “ spam ”links”`)).toMatchObject({
      flags: { note: 'two words ' },
      reason: 'spam ”links”',
    });
  });

  test('closes no quote inside the text', () => {
    for (const reason of ['“a“ and “b“', '“first” and “second”', '“open', '“a “b” c “d“'])
      expect(read(`!ban <@${A}> 7d ${reason}`).reason).toBe(reason);
  });
});
