import { A, DAY, line, type LineCase } from './line-case.ts';

const user = { user: `<@${A}>`, user_id: A };
const WEEK = { duration: '7d', duration_ms: 7 * DAY };
const twenty = Array.from({ length: 20 }, (_, index) => `f${index}`);

export const FLAGS: readonly LineCase[] = [
  line(`!ban --silent <@${A}> spam`, { ...user, reason: 'spam', flags: { silent: true } }),
  line(`!ban <@${A}> --silent spam`, { ...user, reason: 'spam', flags: { silent: true } }),
  line(`!ban <@${A}> --silent 7d spam`, { ...user, ...WEEK, reason: 'spam', flags: { silent: true } }),
  line(`!ban <@${A}> 7d --silent spam`, { ...user, ...WEEK, reason: 'spam', flags: { silent: true } }),
  line(`!ban <@${A}> 7d spam --silent`, { ...user, ...WEEK, reason: 'spam', flags: { silent: true } }),
  line(`!ban <@${A}> --silent`, { ...user, flags: { silent: true } }),
  line(`!mute --dm 7d <@${A}> spam`, {
    command: 'mute',
    ...user,
    ...WEEK,
    reason: 'spam',
    flags: { dm: true },
  }),
  line(`!mute 7d --dm <@${A}> spam`, {
    command: 'mute',
    ...user,
    ...WEEK,
    reason: 'spam',
    flags: { dm: true },
  }),
  line(`!mod ban --silent <@${A}>`, { command: 'mod', subcommand: 'ban', ...user, flags: { silent: true } }),
  line(`!ban spam <@${A}> again --silent`, { ...user, reason: 'spam again', flags: { silent: true } }),
  line(`!ban <@${A}> --days=7 spam`, { ...user, reason: 'spam', flags: { days: '7' } }),
  line(`!ban <@${A}> --delete-messages=7 spam`, { ...user, reason: 'spam', flags: { delete_messages: '7' } }),
  line(`!ban <@${A}> --Delete-Messages spam`, { ...user, reason: 'spam', flags: { delete_messages: true } }),
  line(`!ban <@${A}> --a --b=2 --c="x y" spam`, {
    ...user,
    reason: 'spam',
    flags: { a: true, b: '2', c: 'x y' },
  }),
  line(`!ban <@${A}> spam --a --b=2 --c="x y"`, {
    ...user,
    reason: 'spam',
    flags: { a: true, b: '2', c: 'x y' },
  }),
  line(`!ban <@${A}> --note='x y' spam`, { ...user, reason: 'spam', flags: { note: 'x y' } }),
  line(`!ban <@${A}> --note=“x y” spam`, { ...user, reason: 'spam', flags: { note: 'x y' } }),
  line(`!ban <@${A}> --note= spam`, { ...user, reason: 'spam', flags: { note: '' } }),
  line(`!ban <@${A}> --note="" spam`, { ...user, reason: 'spam', flags: { note: '' } }),
  line(`!ban <@${A}> --note="x spam`, { ...user, reason: 'spam', flags: { note: '"x' } }),
  line(`!ban <@${A}> --reason="bad links"`, { ...user, reason: 'bad links', flags: { reason: 'bad links' } }),
  line(`!ban <@${A}> --reason=links`, { ...user, reason: 'links', flags: { reason: 'links' } }),
  line(`!ban <@${A}> spam --reason="bad links"`, { ...user, reason: 'spam', flags: { reason: 'bad links' } }),
  line(`!ban <@${A}> --reason spam links`, { ...user, reason: 'spam links', flags: { reason: true } }),
  line(`!ban <@${A}> --silent --silent=no`, { ...user, flags: { silent: 'no' } }),
  // In the middle of the reason, or no flag at all.
  line(`!ban <@${A}> spam --silent links`, { ...user, reason: 'spam --silent links' }),
  line(`!ban <@${A}> spam-- --silent`, { ...user, reason: 'spam--', flags: { silent: true } }),
  line(`!ban <@${A}> -s spam`, { ...user, reason: '-s spam' }),
  line(`!ban <@${A}> --- spam`, { ...user, reason: '--- spam' }),
  line(`!ban <@${A}> --sîlent spam`, { ...user, reason: '--sîlent spam' }),
  line(`!ban <@${A}> --silent, spam`, { ...user, reason: '--silent, spam' }),
  line(`!ban <@${A}> --${'x'.repeat(32)} spam`, {
    ...user,
    reason: 'spam',
    flags: { ['x'.repeat(32)]: true },
  }),
  line(`!ban <@${A}> --${'x'.repeat(33)} spam`, { ...user, reason: `--${'x'.repeat(33)} spam` }),
  line(`!ban <@${A}> --constructor --toString=1`, {
    ...user,
    flags: Object.fromEntries([
      ['constructor', true],
      ['tostring', '1'],
    ]),
  }),
  line(`!ban <@${A}> --__proto__=1`, { ...user, reason: '--__proto__=1' }),
  line(`!ban <@${A}> ${twenty.map((name) => `--${name}`).join(' ')} --more spam`, {
    ...user,
    reason: '--more spam',
    flags: Object.fromEntries(twenty.map((name) => [name, true as const])),
  }),
  // At the end, twenty are flags; where there are more, they are all part of the reason.
  line(`!ban <@${A}> spam ${twenty.map((name) => `--${name}`).join(' ')}`, {
    ...user,
    reason: 'spam',
    flags: Object.fromEntries(twenty.map((name) => [name, true as const])),
  }),
  line(`!ban --silent <@${A}> spam ${twenty.map((name) => `--${name}`).join(' ')}`, {
    ...user,
    reason: `spam ${twenty.map((name) => `--${name}`).join(' ')}`,
    flags: { silent: true },
  }),
  line(`!ban --user=<@${A}> spam`, { ...user, reason: 'spam', flags: { user: `<@${A}>` } }),
];
