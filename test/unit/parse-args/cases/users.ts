import { A, B, C, DAY, line, type LineCase } from './line-case.ts';

const user = { user: `<@${A}>`, user_id: A };
const bare = { user: A, user_id: A };
const WEEK = { duration: '7d', duration_ms: 7 * DAY };

export const USERS: readonly LineCase[] = [
  line(`!ban <@${A}>`, user),
  line(`!ban <@!${A}>`, { user: `<@!${A}>`, user_id: A }),
  line('!ban <@1>', { user: '<@1>', user_id: '1' }),
  line('!ban <@12345678901234567890>', { user: '<@12345678901234567890>', user_id: '12345678901234567890' }),
  line('!ban <@123456789012345678901>', { reason: '<@123456789012345678901>' }),
  line('!ban <@>', { reason: '<@>' }),
  line(`!ban <@ ${A}>`, { reason: `<@ ${A}>` }),
  line(`!ban ${A}`, bare),
  line(`!ban ${A} 7d spam`, { ...bare, ...WEEK, reason: 'spam' }),
  line(`!ban ${A}, 7d, spam`, { ...bare, ...WEEK, reason: 'spam' }),
  line('!ban 12345678901234567', { user: '12345678901234567', user_id: '12345678901234567' }),
  line('!ban 1234567890123456', { reason: '1234567890123456' }),
  line('!ban 123456789012345678901', { reason: '123456789012345678901' }),
  line(`!ban ${A}x`, { reason: `${A}x` }),
  line(`!ban spam ${A}`, { reason: `spam ${A}` }),
  // Quotes, back-ticks, brackets.
  ...['""', "''", '``', '()', '[]', '{}', '<>', '“”', '«»'].flatMap((pair) => [
    line(`!ban ${pair.charAt(0)}<@${A}>${pair.charAt(1)} 7d spam`, { ...user, ...WEEK, reason: 'spam' }),
    line(`!ban ${pair.charAt(0)}${A}${pair.charAt(1)} 7d spam`, { ...bare, ...WEEK, reason: 'spam' }),
  ]),
  // Names that only Discord could resolve.
  line('!ban @spammer', { user: '@spammer' }),
  line('!ban @spammer 7d links', { user: '@spammer', ...WEEK, reason: 'links' }),
  line('!ban @john.doe#0001 links', { user: '@john.doe#0001', reason: 'links' }),
  line('!ban @spammer: links', { user: '@spammer', reason: 'links' }),
  line('!ban @spammer, links', { user: '@spammer', reason: 'links' }),
  line('!ban `@spammer` links', { user: '@spammer', reason: 'links' }),
  line('!ban @Ünïcode 7d', { user: '@Ünïcode', ...WEEK }),
  line('!ban 7d @spammer links', { user: '@spammer', ...WEEK, reason: 'links' }),
  line(`!ban @spammer <@${A}> links`, { user: '@spammer', mentions: [A], reason: 'links' }),
  line(`!ban <@${A}> @spammer links`, { ...user, reason: '@spammer links' }),
  line('!ban links by @spammer', { reason: 'links by @spammer' }),
  // Never users.
  line('!ban @everyone', { reason: '@everyone' }),
  line('!ban @here spam', { reason: '@here spam' }),
  line('!ban @everyone, spam', { reason: '@everyone, spam' }),
  line(`!ban <@&${B}> spam`, { role_id: B, reason: 'spam' }),
  line(`!ban <#${B}> spam`, { channel_id: B, reason: 'spam' }),
  line(`!ban <:kappa:${B}> spam`, { reason: `<:kappa:${B}> spam` }),
  line(`!ban <a:kappa:${B}> spam`, { reason: `<a:kappa:${B}> spam` }),
  line('!ban <id:customize> spam', { reason: '<id:customize> spam' }),
  line(`!ban <@&${B}> <@${A}>`, { ...user, role_id: B }),
  line(`!ban @everyone <@${A}> spam`, { ...user, reason: '@everyone spam' }),
  line(`!move <#${B}> <@${A}>`, { command: 'move', ...user, channel_id: B }),
  // Several targets.
  ...[' ', ', ', ',', ' , ', ' and ', ', and ', ' & ', ' + ', '; ', ' | ', '', '\n', ' / '].map((separator) =>
    line(`!ban <@${A}>${separator}<@${B}> 7d spam`, { ...user, mentions: [A, B], ...WEEK, reason: 'spam' }),
  ),
  line(`!ban <@${A}>, <@${B}> and <@${C}> spam`, { ...user, mentions: [A, B, C], reason: 'spam' }),
  line(`!ban ${A} ${B} ${C} 7d`, { ...bare, mentions: [A, B, C], ...WEEK }),
  line(`!ban <@${A}> ${B} spam`, { ...user, mentions: [A, B], reason: 'spam' }),
  line(`!ban <@${A}> <@${A}> spam`, { ...user, reason: 'spam' }),
  line(`!ban <@${A}> and his alt`, { ...user, reason: 'and his alt' }),
  line(`!ban <@${A}> android user`, { ...user, reason: 'android user' }),
  line(`!warn <@${A}> insulted <@${B}> and <@${C}>`, {
    command: 'warn',
    ...user,
    mentions: [A, B, C],
    reason: `insulted <@${B}> and <@${C}>`,
  }),
  line(`!ban ${A} alt of <@${B}>`, { ...bare, mentions: [A, B], reason: `alt of <@${B}>` }),
  // A mention further on, when there is no target.
  line(`!ban spamming <@${A}>`, { ...user, reason: 'spamming' }),
  line(`!ban spamming <@${A}> 7d`, { ...user, ...WEEK, reason: 'spamming' }),
  line(`!ban spamming <@${A}> again`, { ...user, reason: 'spamming again' }),
  line(`!ban spamming <@${A}> 7d again`, { ...user, ...WEEK, reason: 'spamming again' }),
  line(`!mute 7d spamming <@${A}>`, { command: 'mute', ...user, ...WEEK, reason: 'spamming' }),
  line(`!mute 7d spamming <@${A}> again`, { command: 'mute', ...user, ...WEEK, reason: 'spamming again' }),
  line(`!ban the user <@${A}>, for spam`, { ...user, reason: 'the user for spam' }),
  line(`!ban user (<@${A}>) spam`, { ...user, reason: 'user spam' }),
  line(`!ban spam <@${B}> <@${A}>`, {
    user: `<@${B}>`,
    user_id: B,
    mentions: [B, A],
    reason: `spam <@${A}>`,
  }),
];
