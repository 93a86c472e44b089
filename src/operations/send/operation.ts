import { createHash } from 'node:crypto';

import * as z from 'zod';

import type { DeliveryReport } from '../../deliveries/deliveries.ts';
import { parseWebhook } from '../../deliveries/webhook.ts';
import { Problem } from '../../kernel/problem.ts';
import { isIdPlaceholder, resolvedString } from '../fields.ts';
import { defineOperation } from '../define-operation.ts';
import { toEffectiveRequest } from './effective-request.ts';
import { prepareMessages } from './prepare-messages.ts';
import { input, output, type SendAnswer, type SendRequest } from './request.ts';

export const send = defineOperation({
  name: 'send',
  path: '/api/send',
  method: 'POST',
  group: 'Texts',
  inOut: ['a text, a webhook', 'messages'],
  shown: ['state', 'sent', 'total', 'channel_id'],
  summary: 'Posts a text of any length in a channel, in order, through a webhook',
  description: `Cuts the text as text-splitter does and posts its messages one after the other, 50 at most, waiting
for Discord's limits. The webhook must belong to your server.

The address of the webhook comes in the header \`Webhook\`, as Discord copies it or as \`<id>/<token>\`. Anyone who has
it can post in your channel: it is used for this text and then dropped. It is neither stored nor logged. A
\`thread_id\` after its \`?\` is used where the field of that name is not sent.

\`state\` is \`sent\` when all of it is in the channel. A text that takes longer than 8 seconds answers **202** with
\`pending\` and goes on; \`GET /api/send?delivery_id=…\` reports its progress, until 10 minutes after its end.
\`stopped\` means that Discord refused a message, that time was up, or that nobody knows whether a message arrived
(\`uncertain\`). Nothing is ever posted twice by the service: \`rest\` is the text that is left, ready to be sent again
without \`dialect\`, and with \`channel_id\` as \`thread_id\` in place of \`thread_name\`. If nothing was
posted, the answer is a failure like any other.

With the header \`Idempotency-Key\` a request can be sent again after a broken connection: it gets the state of the
first one for 10 minutes, and nothing is posted again. The rest of a text needs a new key.

A restart of the service ends a text after the current message (\`stopped\`, with its rest). If the process is killed,
what it has not posted is lost, so \`pending\` is no promise.`,
  readOnly: false,
  bucket: 'send',
  secretHeader: 'Webhook',
  takesIdempotencyKey: true,
  bodyBytesMax: 1024 * 1024,
  textField: 'text',
  keepsEmpty: [],
  command: {
    none: '/split already posts in Discord, and others could see the address of a webhook in a command.',
  },
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
      delivery_id: '6f1f7b0e-9a3c-4a53-8a2e-1f5b3f0c9d21_kJ8sQ2xV7bYtM0aZ',
      pending: false,
      uncertain: false,
      rest: null,
      reason: null,
      retry_after: null,
    },
    pending: {
      state: 'pending',
      total: 31,
      sent: 12,
      message_ids: ['1100000000000000001', '1100000000000000002'],
      channel_id: '1000000000000000001',
      delivery_id: '6f1f7b0e-9a3c-4a53-8a2e-1f5b3f0c9d21_kJ8sQ2xV7bYtM0aZ',
      pending: true,
      uncertain: false,
      rest: null,
      reason: null,
      retry_after: 2,
    },
    moving: ['message_ids', 'channel_id', 'delivery_id'],
  },
  problems: [
    'token_malformed',
    'guild_mismatch',
    'discord_missing_access',
    'unknown_channel',
    'unknown_webhook',
    'unknown_delivery',
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
  look: {
    description: `Reports on a text that was sent before.

It never sends anything, needs no \`Webhook\`, and counts in the bucket \`guild\`.`,
    input: z.object({
      delivery_id: resolvedString('invalid_field/text', isIdPlaceholder)
        .meta({ type: 'string', examples: ['6f1f7b0e-9a3c-4a53-8a2e-1f5b3f0c9d21_kJ8sQ2xV7bYtM0aZ'] })
        .describe('The `delivery_id` of an answer'),
    }),
    run: async ({ delivery_id: id }, { deliveries, ownerId }) => ({
      value: toAnswer(await deliveries.readStatus(id.trim(), ownerId)),
    }),
  },
  async run(request, { deliveries, secret, guildId, ownerId, idempotencyKey, signal }) {
    const { webhook, threadId } = parseWebhook(secret);
    checkRequest(request, threadId);
    const effective = toEffectiveRequest(request, threadId);
    const report = await deliveries.send(
      {
        webhook,
        guildId,
        ownerId,
        messages: await prepareMessages(effective, ownerId, signal),
        withComponents: request.as === 'components',
        threadId: effective.thread_id ?? null,
        makesThread: request.thread_name !== undefined,
        idempotencyKey,
        input: createHash('sha256')
          .update(JSON.stringify([webhook.id, effective]))
          .digest('base64url'),
      },
      signal,
    );
    return { value: toAnswer(report) };
  },
});

/** @throws Problem `missing_field` `invalid_field` */
function checkRequest(
  { text, thread_id: threadId, thread_name: threadName }: SendRequest,
  threadInAddress: string | null,
): void {
  if (!/\S/.test(text)) {
    throw new Problem('missing_field/blank', { field: 'text' });
  }
  if (threadId !== undefined && threadName !== undefined) {
    throw new Problem('invalid_field/thread_name', { field: 'thread_name' });
  }
  if (threadInAddress !== null && threadName !== undefined) {
    throw new Problem('invalid_field/thread_name_in_address', { field: 'thread_name' });
  }
}

function toAnswer(report: DeliveryReport): SendAnswer {
  const progress = {
    total: report.total,
    sent: report.messageIds.length,
    message_ids: [...report.messageIds],
    channel_id: report.channelId,
    delivery_id: report.deliveryId,
  };
  if (report.state === 'pending') {
    return {
      state: 'pending',
      ...progress,
      pending: true,
      uncertain: false,
      rest: null,
      reason: null,
      retry_after: report.retryAfterSeconds ?? 1,
    };
  }
  return {
    state: report.state,
    ...progress,
    pending: false,
    uncertain: report.uncertain,
    rest: report.rest,
    reason: report.reason,
    retry_after: report.retryAfterSeconds,
  };
}
