import { Problem } from '../kernel/problem.ts';
import type { Webhook } from '../upstream/webhook-sender.ts';

export interface WebhookUrl {
  readonly webhook: Webhook;
  /** From the query, where libraries write it; null when it is not there. */
  readonly threadId: string | null;
}

/**
 * A URL as Discord's clients copy it, also in its older forms, or only id and token, because some builders cut a header
 * at its second colon.
 */
const WEBHOOK_URL =
  /^(?:(?:https?:\/\/)?(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/)?(\d{17,20})\/([\w-]{60,100})(?:\/(slack|github))?\/?(?:\?(.*))?$/i;
/** As OpenAPI says. */
const LENGTH_MAX = 300;
/** People write these around a URL to set it apart. */
const WRAPPED = /^(?:"([^"]*)"|'([^']*)'|<([^<>]*)>)$/;

/** @throws Problem `missing_field` `token_malformed`, `invalid_field` for the thread in the URL */
export function parseWebhook(header: string | null): WebhookUrl {
  const url = unwrap(header?.trim() ?? '');
  if (url === '') {
    throw new Problem('missing_field/webhook', { field: 'Webhook' });
  }
  const [, id, token, format, query = ''] = (url.length > LENGTH_MAX ? null : WEBHOOK_URL.exec(url)) ?? [];
  if (id === undefined || token === undefined) {
    throw new Problem('token_malformed/webhook', { field: 'Webhook' });
  }
  if (format !== undefined) {
    throw new Problem('token_malformed/webhook_format', {
      field: 'Webhook',
      values: { format: format === 'slack' ? 'Slack' : 'GitHub' },
    });
  }
  return { webhook: { id, token }, threadId: readThread(query) };
}

function unwrap(text: string): string {
  const [, ...inside] = WRAPPED.exec(text) ?? [];
  return inside.find((part) => part !== undefined)?.trim() ?? text;
}

/**
 * Refuses anything else in the query, which would silently have no effect. `wait` is allowed, because we wait anyway.
 */
function readThread(query: string): string | null {
  const parameters = new URLSearchParams(query);
  const other = [...parameters.keys()].find((name) => name !== 'thread_id' && name !== 'wait');
  const threads = parameters.getAll('thread_id');
  if (other !== undefined || threads.length > 1) {
    throw new Problem('token_malformed/webhook_query', { field: 'Webhook' });
  }
  const [thread = null] = threads;
  if (thread !== null && !/^\d{17,20}$/.test(thread)) {
    throw new Problem('invalid_field/thread_in_address', { field: 'thread_id' });
  }
  return thread;
}
