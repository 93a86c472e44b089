import { A, B, C, DAY, HOUR, MINUTE, line, type LineCase } from './line-case.ts';

const user = { user: `<@${A}>`, user_id: A };
const bare = { user: A, user_id: A };
const WEEK = { duration: '7d', duration_ms: 7 * DAY };
const headless = { prefix: null, command: null };
const NEW_YEAR = 1_767_225_600;

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
  line(`!warn <@${A}> spam in <#${B}>`, { command: 'warn', ...user, reason: `spam in <#${B}>` }),
  line(`!warn <@${A}> 7d <#${B}> spam`, { command: 'warn', ...user, ...WEEK, reason: `<#${B}> spam` }),
  line(`!lock \`<#${B}>\` raid`, { command: 'lock', channel_id: B, reason: 'raid' }),
  line('!lock <#> raid', { command: 'lock', reason: '<#> raid' }),
  line(`<@${A}> <@&${B}> 7d`, { ...headless, ...user, role_id: B, ...WEEK }),
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
  line(`${A} 7d spam`, { ...headless, ...bare, ...WEEK, reason: 'spam' }),
  line(A, { ...headless, ...bare }),
  line(`"${A}" spam`, { ...headless, ...bare, reason: 'spam' }),
  line('@spammer 7d links', { ...headless, user: '@spammer', ...WEEK, reason: 'links' }),
  line(`--silent <@${A}> spam`, { ...headless, ...user, reason: 'spam', flags: { silent: true } }),
  line(`7d <@${A}> spam`, { ...headless, ...user, ...WEEK, reason: 'spam' }),
  line(`1 hour, ${A} spam`, {
    ...headless,
    ...bare,
    duration: '1 hour',
    duration_ms: HOUR,
    reason: 'spam',
  }),
  line(`perm <@${A}>`, { ...headless, ...user, duration: 'perm', permanent: true }),
  line('7d @spammer', { ...headless, user: '@spammer', ...WEEK }),
  line('7d spam', { prefix: null, command: '7d', reason: 'spam' }),
  line('8ball will it rain', { prefix: null, command: '8ball', reason: 'will it rain' }),
  line('@everyone look', { prefix: '@', command: 'everyone', reason: 'look' }),
  line('@!ban spam', { prefix: '@!', reason: 'spam' }),
  // A target cut out of the middle of a word leaves a blank.
  line(`!ban spam<@${A}>links`, { ...user, reason: 'spam links' }),
  line(`!ban spam<@${A}>`, { ...user, reason: 'spam' }),
];

/** What a builder calls the message: the line without prefix and command. */
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
  ] as const
).map(([text, expected]) => line(text, { ...headless, ...expected }));
