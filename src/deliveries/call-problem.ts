import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem } from '../problem.ts';
import type { CallOutcome } from './webhook-calls.ts';

type Failed = Extract<CallOutcome, { kind: 'refused' | 'unknown' }>;
type Refused = Extract<CallOutcome, { kind: 'refused' }>;

/** The webhook is not there, or its token is wrong. */
const WEBHOOK_CODES: ReadonlySet<number> = new Set([ErrorCode.UnknownWebhook, ErrorCode.InvalidWebhookToken]);
/** Only a forum takes threads, and it takes nothing else. True: the webhook's channel is one. */
const FORUM_CODES: ReadonlyMap<number, boolean> = new Map([
  [ErrorCode.WebhooksPostedToForumChannelsMustHaveAThreadNameOrThreadId, true],
  [ErrorCode.WebhooksCanOnlyCreateThreadsInForumChannels, false],
]);

/** Fields of Discord's message, with the field of ours that fills each. */
const FIELDS: Readonly<Record<string, string>> = {
  content: 'text',
  embeds: 'text',
  components: 'text',
  username: 'username',
  avatar_url: 'avatar_url',
  thread_name: 'thread_name',
  thread_id: 'thread_id',
};

export function unknownWebhook(cause?: unknown): Problem {
  return new Problem('unknown_webhook', {
    field: 'Webhook',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** For the caller: Discord refused the call, or its answer says nothing certain. */
export function failureProblem(outcome: Failed): Problem {
  if (outcome.kind === 'refused') return refusalProblem(outcome);
  return new Problem(outcome.isSlow ? 'discord_timeout' : 'discord_unavailable', { cause: outcome.cause });
}

function refusalProblem({ status, code, field }: Refused): Problem {
  const cause = new Error(`Discord answered ${status}, code ${code}`);
  if (status === 401 || WEBHOOK_CODES.has(code)) return unknownWebhook(cause);
  if (status === 404) {
    return new Problem('unknown_channel', {
      field: 'thread_id',
      error: 'The webhook does not reach the channel or the thread.',
      hint: 'A thread must belong to the channel of the webhook. Check thread_id.',
      cause,
    });
  }
  if (status === 403) {
    return new Problem('discord_missing_access', {
      error: 'Discord does not let this webhook post there.',
      hint: 'Check that the channel and the thread are open and that the webhook may post in them.',
      cause,
    });
  }
  const isForum = FORUM_CODES.get(code);
  if (isForum !== undefined) {
    return new Problem('invalid_field', {
      field: 'thread_name',
      error: isForum
        ? 'The channel of this webhook is a forum: it takes messages only in a thread.'
        : 'The field thread_name works only with the webhook of a forum.',
      hint: isForum
        ? 'Send thread_name for a new thread, or thread_id for one that is there.'
        : 'Leave it out.',
      cause,
    });
  }
  if (status === 400) {
    const ours = FIELDS[field ?? ''] ?? null;
    return new Problem('invalid_field', {
      ...(ours === null ? {} : { field: ours }),
      error: ours === null ? 'Discord refuses this message.' : `Discord refuses the field ${ours}.`,
      cause,
    });
  }
  return new Problem('discord_unavailable', { cause });
}

export function rateLimited(waitMs: number): Problem {
  return new Problem('discord_rate_limited', {
    error: 'Discord asks to wait before more is posted.',
    retryAfterSeconds: waitMs / 1_000,
  });
}

export function shuttingDown(): Problem {
  return new Problem('shutting_down', { retryAfterSeconds: 5 });
}
