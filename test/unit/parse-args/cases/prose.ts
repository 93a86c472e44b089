import { A, YEAR, afterUser, line, type LineCase } from './line-case.ts';

const none = (text: string) => afterUser(text, 'none', text);
const after = (command: string, rest: string) =>
  line(`!${command} <@${A}> ${rest}`, { command, user: `<@${A}>`, user_id: A, reason: rest });
const permanent = (command: string, word: string, reason?: string) =>
  line(`!${command} <@${A}> ${word}${reason === undefined ? '' : ` ${reason}`}`, {
    command,
    user: `<@${A}>`,
    user_id: A,
    duration: word,
    permanent: true,
    ...(reason === undefined ? {} : { reason }),
  });

const years = (command: string, count: number, reason?: string) =>
  line(`!${command} <@${A}> ${count} years${reason === undefined ? '' : ` ${reason}`}`, {
    command,
    user: `<@${A}>`,
    user_id: A,
    duration: `${count} years`,
    duration_ms: count * YEAR,
    ...(reason === undefined ? {} : { reason }),
  });

/** Texts after the user that begin like a time but are not one. */
export const PROSE: readonly LineCase[] = [
  ...[
    // What remains of a time.
    '1 day left on his ban',
    '2 days left of his mute',
    '5 minutes left in the match',
    '3 hours left',
    '10 minutes left before the event',
    '1 week left to appeal',
    // Another word before a unit than an article.
    'last week he spammed',
    'this day was bad',
    'half week of spam',
    // Between, and in a row.
    '10 seconds between messages',
    '5 minutes between raids',
    '2 hours between the two messages',
    '3 messages in 5 seconds',
    '5 pings in 10 minutes',
    // Things named by a time.
    '1 hour loop spam',
    '10 hour version of a meme',
    '10 hours loop',
    '24 hours challenge',
    '30 day challenge',
    '7 days challenge video',
    '2 weeks notice',
    '30 days notice given',
    '3 month version',
    '1 minute loop in voice',
    // Accounts and ages.
    '1 day account',
    '2 days account.',
    '2 days account age',
    '3 day account old',
    '1 day new account',
    '2 days new',
    '3 weeks new alt',
    '5 minutes new account',
    '14 years of age',
    '12 years age',
    '13 year old',
    '13 years old, ToS',
    '12 yrs old user',
    // What was, what comes.
    '2 days ago he raided',
    '3 hours earlier he did the same',
    '10 minutes later the same',
    '1 hour after the warning',
    '2 hours before the raid',
    '5 months since the last ban',
    '20 minutes late to the meeting',
    '30 minutes early',
    '3 days overdue',
    '2 weeks consecutively',
    '6 hours straight of spam',
    '2 hours at a time',
    '10 minutes from now he leaves',
    '4 days and counting',
    '3 hours per day on voice',
    // Words without an end that go on.
    'forever alone meme',
    'forever banned elsewhere',
    'forever annoying people',
    'indefinite spam',
    'infinite loop of pings',
    'lifetime achievement spam',
    'inf money glitch',
    'forever-alone memes',
    'lifetime supply scam',
    'infinity war spoilers',
    // Numbers with other words.
    '7 dayz players',
    '5 hourly pings',
    '3 minuteman alts',
    '2 monthsary posts',
    '10 mentions',
    '4 secret alts',
    '7 weekends of spam',
    '12 daily rewards abused',
  ].map(none),
  // 7 to 17 years after a warning are an age.
  after('warn', '12 years'),
  after('warn', '13 years.'),
  after('kick', '7 years'),
  after('kick', '17 yrs'),
  after('warn', '14y'),
  after('warn', '12 years spam'),
  after('warn', '13 years, not allowed here'),
  after('kick', '14y underage'),
  after('kick', 'for 16 years'),
  // A warning does not last, so a word without an end before others is prose.
  after('warn', 'permanent marker drawings'),
  after('kick', 'perm spammer'),
  after('note', 'permanent resident of the spam channel'),
  after('unban', 'perm appeal accepted'),
];

/** These look like prose but are times: one that is missed can make a mute last for ever. */
export const NO_PROSE: readonly LineCase[] = [
  ...(
    [
      ['7 days', 'to cool off'],
      ['7 days', 'rule 3'],
      ['7 days', 'ban evasion'],
      ['10 minutes', 'left the call'],
      ['7 days', 'account sharing'],
      ['7 days', 'account selling again'],
      ['2 hours', 'until he apologises'],
      ['1 day', 'loops in voice'],
      ['3 days', 'challenged the staff'],
      ['7 days', 'renewed'],
      ['7 days', 'versions of the same scam'],
      ['7 days', 'alt account'],
      ['5 minutes', 'nach dem Event'],
    ] as const
  ).map(([typed, reason]) => afterUser(`${typed} ${reason}`, [typed, lengthOf(typed)], reason)),
  afterUser('24h challenge', ['24h', 86_400_000], 'challenge'),
  years('warn', 6, 'spam'),
  years('ban', 12, 'spam'),
  years('warn', 6),
  years('warn', 18),
  years('ban', 12),
  permanent('ban', 'perm', 'raid'),
  permanent('tempban', 'permanent', 'ban evading'),
  permanent('mute', 'permanently', 'toxic'),
  permanent('timeout', 'perma', 'toxic'),
  permanent('jail', 'perm', 'toxic'),
  permanent('punish', 'perm', 'toxic'),
  permanent('role', 'perm', 'helper'),
  permanent('warn', 'permanent'),
  permanent('warn', 'permanent', 'for racism'),
  permanent('warn', 'forever', 'because of racism'),
  permanent('ban', 'forever', 'due to raiding'),
  permanent('ban', 'indefinitely', 'after 3 warnings'),
];

function lengthOf(typed: string): number {
  const [count, unit = ''] = typed.split(' ');
  const units: Record<string, number> = {
    minutes: 60_000,
    hours: 3_600_000,
    day: 86_400_000,
    days: 86_400_000,
  };
  return Number(count) * (units[unit] ?? NaN);
}
