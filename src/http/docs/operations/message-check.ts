import { messageCheck } from '../../../operations/message-check/operation.ts';
import { present } from './presentation.ts';

export const messageCheckPresentation = present(messageCheck, {
  group: 'Texts',
  uses: 'embed colour',
  inOut: ['a message, an error', 'what is wrong'],
  shown: ['valid', 'count', 'left'],
  sharedBox: {
    fields: ['message', 'error'],
    label: 'A message, or the error that came back',
    hint: 'The JSON that Discord gets. Or what it answered, such as `{"embeds":["0"]}`, or the lines that discord.js or discord.py printed. You may paste both, one below the other.',
  },
  findings: {
    lists: { problems: 'What Discord refuses', notices: 'What it takes, and shows otherwise' },
    repaired: 'fixed',
  },
  words: {
    message: 'invalid form body 50035 50006 50109 embed component',
    error: 'DiscordAPIError HTTPException bad request empty message',
  },
});
