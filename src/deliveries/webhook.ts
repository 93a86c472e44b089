import { Problem } from '../problem.ts';

/** The token is a secret: whoever has it can post. */
export interface Webhook {
  readonly id: string;
  readonly token: string;
}

/** All that is taken from the address of a webhook. */
export interface WebhookAddress {
  readonly webhook: Webhook;
  /** As libraries write it behind the address; null when it is not there. */
  readonly threadId: string | null;
}

/**
 * An address as Discord's clients copy it, in its older forms too, or the two parts alone: some tools cut a header at
 * its second colon.
 */
const ADDRESS =
  /^(?:(?:https?:\/\/)?(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/)?(\d{17,20})\/([\w-]{60,100})(?:\/(slack|github))?\/?(?:\?(.*))?$/i;
const CHARS_MAX = 300;

/** @throws Problem `missing_field` `token_malformed`, `invalid_field` for the thread in the address */
export function parseWebhook(header: string | null): WebhookAddress {
  const address = header?.trim() ?? '';
  if (address === '') {
    throw new Problem('missing_field', {
      field: 'Webhook',
      error: 'The header Webhook is missing.',
      hint: 'Copy it in Discord: settings of the channel, Integrations, Webhooks, Copy Webhook URL.',
    });
  }
  const [, id, token, format, query = ''] = (address.length > CHARS_MAX ? null : ADDRESS.exec(address)) ?? [];
  if (id === undefined || token === undefined) {
    throw malformed(
      'The Webhook header is not the address of a webhook.',
      'It ends with /api/webhooks/, the id and the token; only ?thread_id= may come after them. Copy it in Discord: settings of the channel, Integrations, Webhooks, Copy Webhook URL.',
    );
  }
  if (format !== undefined) {
    throw malformed(
      `The address of the webhook is for messages in the format of ${format === 'slack' ? 'Slack' : 'GitHub'}.`,
      'Leave out what comes after the token.',
    );
  }
  return { webhook: { id, token }, threadId: readThread(query) };
}

/** Anything else after the address would have no effect, and nobody would know. `wait` is what is done anyway. */
function readThread(query: string): string | null {
  const parameters = new URLSearchParams(query);
  const other = [...parameters.keys()].find((name) => name !== 'thread_id' && name !== 'wait');
  const threads = parameters.getAll('thread_id');
  if (other !== undefined || threads.length > 1) {
    throw malformed(
      'The address of the webhook has something after its ? that has no effect.',
      'Only one thread_id and wait may be there. Send everything else in fields.',
    );
  }
  const [thread = null] = threads;
  if (thread !== null && !/^\d{17,20}$/.test(thread)) {
    throw new Problem('invalid_field', {
      field: 'thread_id',
      error: 'The thread_id in the address of the webhook is not the id of a thread.',
      hint: 'An id has 17 to 20 digits. Leave it out, or send it as the field thread_id.',
    });
  }
  return thread;
}

function malformed(error: string, hint: string): Problem {
  return new Problem('token_malformed', { field: 'Webhook', error, hint });
}
