import { send } from '../../../operations/send/operation.ts';
import { present } from './presentation.ts';

export const sendPresentation = present(send, {
  group: 'Texts',
  uses: 'post write announce long message webhook',
  inOut: ['a text, a webhook', 'messages'],
  shown: ['state', 'sent', 'total', 'channel_id'],
});
