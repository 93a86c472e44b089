import { messageCheck } from '../../../operations/message-check/operation.ts';
import { present } from './presentation.ts';

export const messageCheckPresentation = present(messageCheck, {
  group: 'Texts',
  inOut: ['a message, an error', 'what is wrong'],
  shown: ['valid', 'count', 'left', 'problems', 'notices', 'fixed'],
  words: {
    message: 'invalid form body 50035 50006 50109 embed component',
    error: 'DiscordAPIError HTTPException bad request empty message',
  },
});
