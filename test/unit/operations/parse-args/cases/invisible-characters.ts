import { A, B, DAY, line, type LineCase } from './line-case.ts';

const user = { user: `<@${A}>`, user_id: A };
const WEEK = { duration: '7d', duration_ms: 7 * DAY };
const all = { ...user, ...WEEK, reason: 'spam' };
const fullWidth = (text: string) =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** White space, invisible characters, full-width ASCII. */
export const INVISIBLE_CHARACTERS: readonly LineCase[] = [
  ...['\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\u2028', '   ', '\u3164', '\u2800'].map((blank) =>
    line(`!ban${blank}<@${A}>${blank}7d${blank}spam`, all),
  ),
  ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\u200f', '\u202e', '\u061c'].map(
    (zero) => line(`${zero}!${zero}ban ${zero}<@${A}>${zero} ${zero}7d${zero} ${zero}spam${zero}`, all),
  ),
  line(`!b\u200ban <@${A}> 7d spam`, all),
  line(`!ban <@${A}> 7\u200bd spam`, { ...all, duration: '7\u200bd' }),
  line(`!ban <@\u200b${A}> 7d spam`, { ...all, user: `<@\u200b${A}>` }),
  line('!ban @\u200beveryone 7d', { reason: '@\u200beveryone 7d' }),
  line(`!ban <@${A}> 7d sp\u200bam`, { ...all, reason: 'sp\u200bam' }),
  line(`\u2066!ban <@${A}> 7d spam\u2069`, all),
  line(fullWidth('!ban'), { prefix: '！' }),
  line(`${fullWidth(`!ban <@${A}>`).replaceAll(' ', '\u3000')} spam`, {
    prefix: '！',
    user: fullWidth(`<@${A}>`),
    user_id: A,
    reason: 'spam',
  }),
  line(`!ban <@${A}> ７ｄ spam`, { ...all, duration: '７ｄ' }),
  line(`!ban <@${A}> １，５ｈ`, { ...user, duration: '１，５ｈ', duration_ms: 5_400_000 }),
  line(`!ban ${fullWidth(A)}`, { user: fullWidth(A), user_id: A }),
  line(`!ban <@${A}> ＂spam＂`, { ...user, reason: 'spam' }),
  line(`!ban <@${A}> ｓｐａｍ！`, { ...user, reason: 'ｓｐａｍ！' }),
  line(`!ban <@${A}> --\u200bsilent spam`, { ...user, reason: 'spam', flags: { silent: true } }),
  line(`!warn <@${A}> pinged <@\u200b${B}>`, {
    command: 'warn',
    ...user,
    mentions: [A, B],
    reason: `pinged <@\u200b${B}>`,
  }),
];
