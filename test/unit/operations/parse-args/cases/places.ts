import { A, B, C, DAY, HOUR, MINUTE, line, type LineCase } from './line-case.ts';

const user = { user: `<@${A}>`, user_id: A };
const bare = { user: A, user_id: A };
const WEEK = { duration: '7d', duration_ms: 7 * DAY };
const withoutCommand = { prefix: null, command: null };
const NEW_YEAR = 1_767_225_600;

const HEAD_WORDS = `me set start extend all create new add on off open close instant channel member user guild
  server mich moi bana мне`.split(/\s+/);

/** Channels, roles, timestamps, quoted times, and lines that begin with an argument. */
export const PLACES: readonly LineCase[] = [
  line(`!lockdown <#${B}> 20m`, {
    command: 'lockdown',
    channel_id: B,
    duration: '20m',
    duration_ms: 20 * MINUTE,
  }),
  line(`!lock <#${B}> 2h raid`, {
    command: 'lock',
    channel_id: B,
    duration: '2h',
    duration_ms: 2 * HOUR,
    reason: 'raid',
  }),
  line(`!lock 2h <#${B}> raid`, {
    command: 'lock',
    channel_id: B,
    duration: '2h',
    duration_ms: 2 * HOUR,
    reason: 'raid',
  }),
  line(`!lockdown <#${B}> perm raid`, {
    command: 'lockdown',
    channel_id: B,
    duration: 'perm',
    permanent: true,
    reason: 'raid',
  }),
  line(`!lock <#${B}> <#${C}> raid`, { command: 'lock', channel_id: B, reason: 'raid' }),
  line(`!role <@${A}> <@&${B}>`, { command: 'role', ...user, role_id: B }),
  line(`!role <@${A}>, <@&${B}> 7d trial`, {
    command: 'role',
    ...user,
    role_id: B,
    ...WEEK,
    reason: 'trial',
  }),
  line(`!role <@&${B}> <@${A}> <@${C}>`, { command: 'role', ...user, role_id: B, mentions: [A, C] }),
  line(`!move <@${A}> <#${B}>`, { command: 'move', ...user, channel_id: B }),
  line(`!move <#${B}> please <@${A}>`, { command: 'move', ...user, channel_id: B, reason: `please <@${A}>` }),
  line(`!access <#${B}> <@&${C}> 7d`, { command: 'access', channel_id: B, role_id: C, ...WEEK }),
  // `+` or `-` says what to do with the role.
  ...['-', '+'].map((sign) =>
    line(`!role <@${A}> ${sign}<@&${B}>`, { command: 'role', ...user, role_id: B }),
  ),
  line(`!role -<@&${B}> <@${A}> trial`, { command: 'role', ...user, role_id: B, reason: 'trial' }),
  line(`!ban -<@${A}>`, { ...user, reason: '-' }),
  line(`!lock -<#${B}>`, { command: 'lock', reason: `-<#${B}>` }),
  // A place between the user and the time.
  ...['in', 'IN', 'en', 'em', 'dans', 'im', 'в', 'на', 'from'].map((word) =>
    line(`!mute <@${A}> ${word} <#${B}> 7d spam`, {
      command: 'mute',
      ...user,
      channel_id: B,
      ...WEEK,
      reason: 'spam',
    }),
  ),
  line(`!mute <@${A}> in <#${B}> for 7d, spam`, {
    command: 'mute',
    ...user,
    channel_id: B,
    ...WEEK,
    reason: 'spam',
  }),
  line(`!mute <@${A}> in <#${B}> spam`, { command: 'mute', ...user, reason: `in <#${B}> spam` }),
  line(`!mute <@${A}> in <#${B}> 5m ago`, { command: 'mute', ...user, reason: `in <#${B}> 5m ago` }),
  line(`!mute <@${A}> 7d in <#${B}> 3h`, { command: 'mute', ...user, ...WEEK, reason: `in <#${B}> 3h` }),
  line(`!mute <@${A}> with <@${C}> 7d`, {
    command: 'mute',
    ...user,
    mentions: [A, C],
    reason: `with <@${C}> 7d`,
  }),
  // The number of a thing before the time.
  line(`!reminduser 12 7d <@${A}>`, { command: 'reminduser', ...user, ...WEEK, reason: '12' }),
  line(`!case #12 7d, <@${A}> spam`, { command: 'case', ...user, ...WEEK, reason: '#12 spam' }),
  line(`!case 12 5m ago <@${A}>`, { command: 'case', ...user, reason: '12 5m ago' }),
  line(`!ban spamming for 7d <@${A}>`, { ...user, reason: 'spamming for 7d' }),
  ...['assign', 'grant', 'revoke', 'extend'].map((word) =>
    line(`!temprole ${word} <@${A}> <@&${B}> 7d`, { command: 'temprole', ...user, role_id: B, ...WEEK }),
  ),
  ...(
    [
      ['erinnere mich in', 7 * DAY, 'an Tee'],
      ['напомни мне через', 7 * DAY, 'хлеб'],
      ['rappelle moi dans', 7 * DAY, 'le thé'],
      ['recuérdame en', 7 * DAY, 'el té'],
      ['recuerda me dentro de', 7 * DAY, 'el té'],
      ['lembra me daqui a', 7 * DAY, 'o chá'],
      ['remind me in', 7 * DAY, 'tea'],
    ] as const
  ).map(([words, duration_ms, reason]) =>
    line(`!${words} 7d ${reason}`, {
      command: words.split(' ')[0] ?? '',
      duration: '7d',
      duration_ms,
      reason,
    }),
  ),
  line('!hatırlat bana 10 dakika sonra çay', {
    command: 'hatırlat',
    duration: '10 dakika',
    duration_ms: 10 * MINUTE,
    reason: 'çay',
  }),
  line(`!warn <@${A}> spam in <#${B}>`, { command: 'warn', ...user, reason: `spam in <#${B}>` }),
  // A role or channel counts wherever it is among the targets, the time and the flags before the reason.
  line(`!warn <@${A}> 7d <#${B}> spam`, { command: 'warn', ...user, ...WEEK, channel_id: B, reason: 'spam' }),
  line(`!temprole <@${A}> 7d <@&${B}> winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    reason: 'winner',
  }),
  line(`!temprole <@${A}> 7d <@&${B}>`, { command: 'temprole', ...user, ...WEEK, role_id: B }),
  line(`!temprole <@${A}> 7d, <@&${B}>, <#${C}>: winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    channel_id: C,
    reason: 'winner',
  }),
  line(`!temprole <@${A}> 7d --dm <@&${B}> --log winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    reason: 'winner',
    flags: { dm: true, log: true },
  }),
  line(`!temprole <@${A}> --dm <@&${B}> 7d winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    reason: 'winner',
    flags: { dm: true },
  }),
  line(`!temprole <@&${B}> 7d <@${A}> winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    reason: 'winner',
  }),
  line(`!temprole 7d <@${A}> <@&${B}> winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    reason: 'winner',
  }),
  line(`!temprole <@${A}> 7d <@&${B}> 3d winner`, {
    command: 'temprole',
    ...user,
    ...WEEK,
    role_id: B,
    reason: '3d winner',
  }),
  line(`!ban <@${A}> 7d <@${B}> spam`, { ...user, ...WEEK, mentions: [A, B], reason: `<@${B}> spam` }),
  line(`!ban <@${A}> 7d spam <@&${B}>`, { ...user, ...WEEK, reason: `spam <@&${B}>` }),
  // What a role command does is no part of the reason.
  ...['add', 'give', 'take', 'remove', 'set', 'toggle', 'ADD'].map((word) =>
    line(`!role ${word} <@${A}> <@&${B}> 7d trial`, {
      command: 'role',
      ...user,
      ...WEEK,
      role_id: B,
      reason: 'trial',
    }),
  ),
  ...['role', 'temprole', 'roles', 'rol', 'rôle', 'cargo', 'роль', 'rolle'].map((command) =>
    line(`!${command} add <@&${B}> <@${A}>`, { command, ...user, role_id: B }),
  ),
  line(`!role add 7d <@${A}> <@&${B}> trial`, {
    command: 'role',
    ...user,
    ...WEEK,
    role_id: B,
    reason: 'trial',
  }),
  line(`!role add for the winner <@${A}>`, { command: 'role', ...user, reason: 'for the winner' }),
  line(`!role add<@${A}>`, { command: 'role', ...user }),
  line('!role add', { command: 'role' }),
  line(`!role add-on <@${A}>`, { command: 'role', ...user, reason: 'add-on' }),
  line(`!role please add <@${A}>`, { command: 'role', ...user, reason: 'please add' }),
  line(`!role <@${A}> add <@&${B}>`, { command: 'role', ...user, reason: `add <@&${B}>` }),
  line(`!control set <@${A}>`, { command: 'control', ...user }),
  line(`!control set the tone <@${A}>`, { command: 'control', ...user, reason: 'set the tone' }),
  line(`!todo add <@${A}> 7d`, { command: 'todo', ...user, ...WEEK }),
  // So is one word for what a command does, or to whom.
  ...HEAD_WORDS.flatMap((word) => [
    line(`!mod ${word} <@${A}> 7d spam`, { command: 'mod', ...user, ...WEEK, reason: 'spam' }),
    line(`!timer ${word} 7d pizza`, { command: 'timer', ...WEEK, reason: 'pizza' }),
    line(`!timer ${word.toUpperCase()} in 7d pizza`, { command: 'timer', ...WEEK, reason: 'pizza' }),
    line(`!say ${word} week of rules`, { command: 'say', reason: `${word} week of rules` }),
    line(`!say ${word} spam <@${A}>`, { command: 'say', ...user, reason: `${word} spam` }),
  ]),
  line(`!giveaway new <#${B}> 1d 2 Nitro`, {
    command: 'giveaway',
    channel_id: B,
    duration: '1d',
    duration_ms: DAY,
    reason: '2 Nitro',
  }),
  line('!say new user guild rules', { command: 'say', reason: 'new user guild rules' }),
  line(`!warn add user <@${A}>`, { command: 'warn', ...user, reason: 'add user' }),
  ...['assign', 'grant', 'revoke'].flatMap((word) => [
    line(`!role ${word} <@${A}> <@&${B}> 7d`, { command: 'role', ...user, role_id: B, ...WEEK }),
    line(`!badge ${word} <@${A}> 7d`, { command: 'badge', ...user, ...WEEK, reason: word }),
  ]),
  // A Markdown list of ids, each on a line of its own.
  ...['-', '*', '+', '•', '1.'].flatMap((bullet) => [
    line(`!ban\n${bullet} ${A}\n${bullet} ${B}\nraid`, { ...bare, mentions: [A, B], reason: 'raid' }),
    line(`!ban\n${bullet} <@${A}>\n  ${bullet} <@${B}>\n7d\nraid`, {
      ...user,
      mentions: [A, B],
      ...WEEK,
      reason: 'raid',
    }),
  ]),
  line(`!ban\n- ${A},\n- ${B}\nraid`, { ...bare, mentions: [A, B], reason: 'raid' }),
  line(`!ban\n- ${A}`, bare),
  line(`!ban 7d\n- ${A}\n- ${B}`, { ...bare, ...WEEK, mentions: [A, B] }),
  line(`!ban ${A}\n- spam\n- raid`, { ...bare, reason: '- spam\n- raid' }),
  line(`!ban ${A}\n- ${B} too`, { ...bare, reason: `- ${B} too` }),
  line(`!say\n- first\n- ${A}`, { command: 'say', reason: `- first\n- ${A}` }),
  // A channel of another server.
  line(`!lockdown <#${B}:${C}:general> 7d`, { command: 'lockdown', channel_id: B, ...WEEK }),
  line(`!lockdown <#${B}:${C}:> 7d`, { command: 'lockdown', reason: `<#${B}:${C}:> 7d` }),
  line(`!lock \`<#${B}>\` raid`, { command: 'lock', channel_id: B, reason: 'raid' }),
  line('!lock <#> raid', { command: 'lock', reason: '<#> raid' }),
  line(`[7d] <@${A}> spam`, { ...withoutCommand, ...user, ...WEEK, reason: 'spam' }),
  line(`**<@${A}>** 7d spam`, { ...withoutCommand, ...user, ...WEEK, reason: 'spam' }),
  line(`<@${A}> <@&${B}> 7d`, { ...withoutCommand, ...user, role_id: B, ...WEEK }),
  // Timestamps in the place of a duration.
  line(`!ban <@${A}> <t:${NEW_YEAR}> spam`, {
    ...user,
    duration: `<t:${NEW_YEAR}>`,
    until: NEW_YEAR,
    reason: 'spam',
  }),
  line(`!ban <@${A}> <t:${NEW_YEAR}:R>`, { ...user, duration: `<t:${NEW_YEAR}:R>`, until: NEW_YEAR }),
  line(`!ban <@${A}> until <t:${NEW_YEAR}:F> spam`, {
    ...user,
    duration: `<t:${NEW_YEAR}:F>`,
    until: NEW_YEAR,
    reason: 'spam',
  }),
  line(`!mute <t:${NEW_YEAR}:R> <@${A}> spam`, {
    command: 'mute',
    ...user,
    duration: `<t:${NEW_YEAR}:R>`,
    until: NEW_YEAR,
    reason: 'spam',
  }),
  line('!ban <t:1700000000:R> spam', { duration: '<t:1700000000:R>', until: 1_700_000_000, reason: 'spam' }),
  line(`!бан <@${A}> до <t:${NEW_YEAR}>`, {
    command: 'бан',
    ...user,
    duration: `<t:${NEW_YEAR}>`,
    until: NEW_YEAR,
  }),
  line(`!ban <@${A}> <t:${NEW_YEAR}:X> spam`, { ...user, reason: `<t:${NEW_YEAR}:X> spam` }),
  line(`!ban <@${A}> <t:99999999999999> spam`, { ...user, reason: '<t:99999999999999> spam' }),
  line(`!ban <@${A}> since <t:${NEW_YEAR}>`, { ...user, reason: `since <t:${NEW_YEAR}>` }),
  line(`!ban <@${A}> until tomorrow`, { ...user, reason: 'until tomorrow' }),
  // In quotes.
  ...['""', "''", '“”', '«»', '„“'].flatMap((quotes) => [
    line(`!ban <@${A}> ${quotes.charAt(0)}7d${quotes.charAt(1)} spam`, { ...user, ...WEEK, reason: 'spam' }),
    line(`!ban <@${A}> ${quotes.charAt(0)}1 hour and 30 minutes${quotes.charAt(1)}`, {
      ...user,
      duration: '1 hour and 30 minutes',
      duration_ms: 90 * MINUTE,
    }),
  ]),
  line(`!ban <@${A}> "7d" "spam links"`, { ...user, ...WEEK, reason: 'spam links' }),
  line(`!ban <@${A}> "perm" raid`, { ...user, duration: 'perm', permanent: true, reason: 'raid' }),
  line(`!ban <@${A}> "7d spam"`, { ...user, reason: '7d spam' }),
  line(`!ban <@${A}> "7d" and "8d"`, { ...user, ...WEEK, reason: 'and "8d"' }),
  line(`!ban <@${A}> ""7d""`, { ...user, reason: '""7d""' }),
  line(`!ban <@${A}> "7d`, { ...user, reason: '"7d' }),
  line(`!ban <@${A}> .5h spam`, { ...user, duration: '.5h', duration_ms: 30 * MINUTE, reason: 'spam' }),
  line(`!ban <@${A}> half an hour`, { ...user, duration: 'half an hour', duration_ms: 30 * MINUTE }),
  line(`!ban <@${A}> for half a day spam`, {
    ...user,
    duration: 'half a day',
    duration_ms: 12 * HOUR,
    reason: 'spam',
  }),
  line(`!ban <@${A}> half a second account`, { ...user, reason: 'half a second account' }),
  line(`!ban <@${A}> half the server`, { ...user, reason: 'half the server' }),
  // Without a command.
  line(`${A} 7d spam`, { ...withoutCommand, ...bare, ...WEEK, reason: 'spam' }),
  line(A, { ...withoutCommand, ...bare }),
  line(`"${A}" spam`, { ...withoutCommand, ...bare, reason: 'spam' }),
  line('@spammer 7d links', { ...withoutCommand, user: '@spammer', ...WEEK, reason: 'links' }),
  line(`--silent <@${A}> spam`, { ...withoutCommand, ...user, reason: 'spam', flags: { silent: true } }),
  line(`7d <@${A}> spam`, { ...withoutCommand, ...user, ...WEEK, reason: 'spam' }),
  line(`1 hour, ${A} spam`, {
    ...withoutCommand,
    ...bare,
    duration: '1 hour',
    duration_ms: HOUR,
    reason: 'spam',
  }),
  line(`perm <@${A}>`, { ...withoutCommand, ...user, duration: 'perm', permanent: true }),
  line('7d @spammer', { ...withoutCommand, user: '@spammer', ...WEEK }),
  line('7d spam', { prefix: null, command: '7d', reason: 'spam' }),
  line('8ball will it rain', { prefix: null, command: '8ball', reason: 'will it rain' }),
  line('@everyone look', { prefix: '@', command: 'everyone', reason: 'look' }),
  line('@!ban spam', { prefix: '@!', reason: 'spam' }),
  // A target cut out of the middle of a word leaves a blank.
  line(`!ban spam<@${A}>links`, { ...user, reason: 'spam links' }),
  line(`!ban spam<@${A}>`, { ...user, reason: 'spam' }),
];

/** The message, as builders call it: the line without prefix and command. */
export const ARGUMENTS: readonly LineCase[] = (
  [
    [`<@${A}> 7d spam`, { ...user, ...WEEK, reason: 'spam' }],
    [`<@${A}> spam`, { ...user, reason: 'spam' }],
    [`<@${A}>`, user],
    [`${A} spam links`, { ...bare, reason: 'spam links' }],
    ['@spammer links', { user: '@spammer', reason: 'links' }],
    [`7d <@${A}> spam`, { ...user, ...WEEK, reason: 'spam' }],
    ['7d spam', { ...WEEK, reason: 'spam' }],
    ['10s', { duration: '10s', duration_ms: 10_000 }],
    [
      '2 hours take out the trash',
      { duration: '2 hours', duration_ms: 2 * HOUR, reason: 'take out the trash' },
    ],
    [`<#${B}> 2h raid`, { channel_id: B, duration: '2h', duration_ms: 2 * HOUR, reason: 'raid' }],
    [`<@${A}> <@&${B}>`, { ...user, role_id: B }],
    [`--silent <@${A}> spam`, { ...user, reason: 'spam', flags: { silent: true } }],
    ['spamming links', { reason: 'spamming links' }],
    [`spamming <@${A}> 7d`, { ...user, ...WEEK, reason: 'spamming' }],
    ['!important', { reason: '!important' }],
    ['??? what', { reason: '??? what' }],
    ['c!ban', { reason: 'c!ban' }],
    [`perm <@${A}>`, { ...user, duration: 'perm', permanent: true }],
    [`<@${A}> perm raid`, { ...user, duration: 'perm', permanent: true, reason: 'raid' }],
    ['<t:1700000000:R> spam', { duration: '<t:1700000000:R>', until: 1_700_000_000, reason: 'spam' }],
    [`ban <@${A}> 7d`, { subcommand: 'ban', ...user, ...WEEK }],
    [`BAN --silent <@${A}>`, { subcommand: 'ban', ...user, flags: { silent: true } }],
    ['ban evasion', { reason: 'ban evasion' }],
    [`mute evasion <@${A}>`, { ...user, reason: 'mute evasion' }],
    [`- spam <@${A}>`, { ...user, reason: '- spam' }],
    ['∞', { duration: '∞', permanent: true }],
    [
      'in 2 hours take out the trash',
      { duration: '2 hours', duration_ms: 2 * HOUR, reason: 'take out the trash' },
    ],
    [`add <@${A}> <@&${B}> 7d trial`, { ...user, ...WEEK, role_id: B, reason: 'trial' }],
    [`add <@&${B}> <@${A}>`, { ...user, role_id: B }],
    [`add <@${A}> to the list`, { ...user, reason: 'to the list' }],
    [`add <@&${B}>`, { role_id: B }],
  ] as const
).map(([text, expected]) => line(text, { ...withoutCommand, ...expected }));
