import { defineOperation } from '../define-operation.ts';
import { answerLine } from './answer-line.ts';
import { input, output } from './request.ts';

export const parseArgs = defineOperation({
  name: 'parse-args',
  path: '/api/parse-args',
  method: 'POST',
  summary: 'Takes a command line apart: command, user, time and reason',
  description:
    'Reads lines such as `!tempban @user 7d spamming links`, also with the duration first or the mention last, and times in English, Spanish, Portuguese, French, German, Turkish and Russian. Nothing is clamped: Discord limits a timeout to 28 days (2,419,200 seconds) and an audit-log reason to 512 characters. For a line without anything readable, all values are null.',
  textField: 'text',
  mistakenFields: { content: 'missing_field/content' },
  input,
  output,
  example: {
    input: { text: '!tempban <@123456789012345678> 7d spamming links' },
    answer: {
      prefix: '!',
      command: 'tempban',
      subcommand: null,
      user: '<@123456789012345678>',
      user_id: '123456789012345678',
      channel_id: null,
      role_id: null,
      duration: '7d',
      duration_ms: 604_800_000,
      duration_seconds: 604_800,
      permanent: false,
      until: null,
      reason: 'spamming links',
      args: ['<@123456789012345678>', '7d', 'spamming', 'links'],
      mentions: ['123456789012345678'],
      flags: {},
    },
  },
  problems: ['text_too_long'],
  run: (request, { now }) => ({ value: answerLine(request, now) }),
});
