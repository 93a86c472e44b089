import { Problem } from '../problem.ts';

/** All that is taken from the address of a webhook. The token is a secret: whoever has it can post. */
export interface Webhook {
  readonly id: string;
  readonly token: string;
}

/**
 * An address as Discord's clients copy it, in its older forms too, or the two parts alone: some tools cut a header at
 * its second colon.
 */
const ADDRESS =
  /^(?:(?:https?:\/\/)?(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/)?(\d{17,20})\/([\w-]{60,100})\/?$/i;
const CHARS_MAX = 300;

/** @throws Problem `missing_field` `token_malformed` */
export function parseWebhook(header: string | null): Webhook {
  const address = header?.trim() ?? '';
  if (address === '') {
    throw new Problem('missing_field', {
      field: 'Webhook',
      error: 'The header Webhook is missing.',
      hint: 'Copy it in Discord: settings of the channel, Integrations, Webhooks, Copy Webhook URL.',
    });
  }
  const [, id, token] = (address.length > CHARS_MAX ? null : ADDRESS.exec(address)) ?? [];
  if (id === undefined || token === undefined) {
    throw new Problem('token_malformed', {
      field: 'Webhook',
      error: 'The Webhook header is not the address of a webhook.',
      hint: 'It ends with /api/webhooks/, the id and the token, and has nothing after them. Copy it in Discord: settings of the channel, Integrations, Webhooks, Copy Webhook URL.',
    });
  }
  return { id, token };
}
