import { createHash } from 'node:crypto';

import type { Delivery, DeliveryResult } from '../../deliveries/deliveries.ts';
import { parseWebhook } from '../../deliveries/webhook.ts';
import { CALLER_WAIT_MS } from '../../kernel/caller-wait.ts';
import { Problem } from '../../kernel/problem.ts';
import { defineOperation } from '../define-operation.ts';
import { normaliseRequest } from './normalise-request.ts';
import { MESSAGES_MAX, prepareMessages } from './prepare-messages.ts';
import { sayRefusal } from './say-refusal.ts';
import { input, output, type SendAnswer, type SendRequest } from './request.ts';

export const send = defineOperation({
  name: 'send',
  path: '/api/send',
  method: 'POST',
  summary: 'Posts a text in a channel, in order, through a webhook',
  description: `Cuts the text as text-splitter does and posts its messages one after the other, waiting for Discord's
limits. The webhook must belong to your server.

The URL of the webhook comes in the header \`Webhook\`, as Discord copies it or as \`<id>/<token>\`, and is dropped
after this text. A \`thread_id\` after its \`?\` is used where the field of that name is not sent.

**One call posts at most ${MESSAGES_MAX} messages, and is done when it answers.** \`state\` is \`sent\` when all of the text is in
the channel. Else it is \`stopped\`: there were more than ${MESSAGES_MAX} messages, ${CALLER_WAIT_MS / 1_000} seconds were over, Discord refused a message,
or did not say whether one arrived (\`uncertain\`). \`rest\` is the text that is left. Wait \`retry_after\` seconds
and send it with one more call, without \`dialect\`, and with \`channel_id\` as \`thread_id\` in place of
\`thread_name\`; go on until \`retry_after\` is null. Nothing is ever posted twice by the service. If nothing was
posted, the answer is a failure. The rest of a text needs a new \`Idempotency-Key\`.`,
  readOnly: false,
  bucket: 'send',
  secretHeader: 'Webhook',
  takesIdempotencyKey: true,
  bodyBytesMax: 1024 * 1024,
  textField: 'text',
  mistakenFields: { content: 'missing_field/content' },
  keepsEmpty: [],
  noCommandReason: '/split already posts in Discord, and others could see the URL of a webhook in a command.',
  refusedFields: {
    details: 'invalid_field/whole_text',
    index: 'invalid_field/whole_text',
    final: 'invalid_field/whole_text',
    overflow: 'invalid_field/whole_text',
  },
  input,
  output,
  example: {
    input: { text: '**The shop is open.** New hats are in, and the old ones are half price.' },
    answer: {
      state: 'sent',
      total: 1,
      sent: 1,
      message_ids: ['1100000000000000001'],
      channel_id: '1000000000000000001',
      uncertain: false,
      rest: null,
      reason: null,
      retry_after: null,
    },
    volatileKeys: ['message_ids', 'channel_id'],
  },
  problems: [
    'token_malformed',
    'guild_mismatch',
    'discord_missing_access',
    'unknown_channel',
    'unknown_webhook',
    'idempotency_conflict',
    'text_too_long',
    'too_many_chunks',
    'limit_too_small',
    'token_attempts',
    'discord_rate_limited',
    'discord_unavailable',
    'discord_paused',
    'shutting_down',
    'discord_timeout',
  ],
  async run(request, { deliveries, secret, guildId, tenantId, idempotencyKey, signal }) {
    const startedAt = performance.now();
    const { webhook, threadId } = parseWebhook(secret);
    checkRequest(request, threadId);
    const effective = normaliseRequest(request, threadId);
    const { bodies, total, restFrom } = await prepareMessages(effective, tenantId, signal);
    const delivery: Delivery = {
      webhook,
      guildId,
      tenantId,
      bodies,
      total,
      withComponents: request.as === 'components',
      threadId: effective.thread_id ?? null,
      makesThread: request.thread_name !== undefined,
      idempotencyKey,
      input: createHash('sha256')
        .update(JSON.stringify([webhook.id, effective]))
        .digest('base64url'),
      startedAt,
    };
    const result = await deliveries.send(delivery).catch((error: unknown) => {
      throw explainRefusal(error, bodies[0] ?? '');
    });
    const value = toAnswer(result, restFrom);
    const { refusedPlace, reason } = result;
    if (refusedPlace === undefined) return { value };
    return {
      value: {
        ...value,
        reason: `${reason ?? ''} ${sayRefusal(bodies[value.sent] ?? '', refusedPlace)}`.trim(),
      },
    };
  },
});

/** @throws Problem `missing_field` `invalid_field` */
function checkRequest(
  { text, thread_id: threadId, thread_name: threadName, applied_tags: tags, as, mentions }: SendRequest,
  threadIdInUrl: string | null,
): void {
  if (!/\S/.test(text)) {
    throw new Problem('missing_field/blank', { field: 'text' });
  }
  if (threadId !== undefined && threadName !== undefined) {
    throw new Problem('invalid_field/thread_name', { field: 'thread_name' });
  }
  if (threadIdInUrl !== null && threadName !== undefined) {
    throw new Problem('invalid_field/thread_name_in_address', { field: 'thread_name' });
  }
  if (tags !== undefined && threadName === undefined) {
    throw new Problem('invalid_field/tags_alone', { field: 'applied_tags' });
  }
  if (as === 'embed' && mentions !== 'none') {
    throw new Problem('invalid_field/mentions_in_embed', { field: 'mentions' });
  }
}

/**
 * Discord refused the first message, so no message was posted. If it named a field, the problem says what is wrong
 * there.
 */
function explainRefusal(error: unknown, body: string): unknown {
  const path = error instanceof Problem && error.key === 'invalid_field/refused' ? error.values['path'] : '';
  if (!(error instanceof Problem) || typeof path !== 'string' || path === '') return error;
  const why = sayRefusal(body, path);
  if (why === '') return error;
  return new Problem('invalid_field/refused_place', {
    ...(error.field === null ? {} : { field: error.field }),
    values: { why },
    cause: error.cause,
  });
}

function toAnswer(result: DeliveryResult, restFrom: (message: number) => string): SendAnswer {
  const sent = result.messageIds.length;
  return {
    state: result.state,
    total: result.total,
    sent,
    message_ids: [...result.messageIds],
    channel_id: result.channelId,
    uncertain: result.uncertain,
    rest: result.state === 'sent' ? null : restFrom(sent),
    reason: result.reason,
    retry_after: result.retryAfterSeconds,
  };
}
