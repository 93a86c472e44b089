import { parseArgs } from '../../../operations/parse-args/operation.ts';
import { DURATION_UNITS, PERMANENT_WORDS } from '../../../operations/parse-args/time-words.ts';
import { present } from './presentation.ts';

/** Every word for a length of time, in all languages. */
const TIME_WORDS = [...DURATION_UNITS.keys(), ...PERMANENT_WORDS.keys()];

export const parseArgsPresentation = present(parseArgs, {
  group: 'Commands',
  inOut: ['!ban @Ann 7d spam', 'user, time, reason'],
  shown: [
    ['command', 'command'],
    ['user', 'user_id'],
    ['duration', 'duration_seconds'],
    ['reason', 'reason'],
  ],
  uses: 'timeout mute tempmute ban tempban kick warn moderation command',
  words: { duration: TIME_WORDS.join(' '), permanent: [...PERMANENT_WORDS.keys()].join(' ') },
  showcase: {
    'As usual': { text: '!tempban <@123456789012345678> 7d spamming links' },
    Deutsch: { text: '!mute <@123456789012345678> für 2 Std Beleidigungen' },
    Türkçe: { text: '!sustur <@123456789012345678> 3 gün reklam' },
    'Any order': { text: '!ban spamming <@123456789012345678> 1h30m' },
  },
});
