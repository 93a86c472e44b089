import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem } from '../problem.ts';
import type { CallOutcome } from './webhook-calls.ts';

type Failed = Extract<CallOutcome, { kind: 'refused' | 'unknown' }>;
type Refused = Extract<CallOutcome, { kind: 'refused' }>;

/** The webhook is not there, or its token is wrong. */
const WEBHOOK_CODES: ReadonlySet<number> = new Set([ErrorCode.UnknownWebhook, ErrorCode.InvalidWebhookToken]);
/** Codes of a refusal that says nothing of a field, in words that a caller can act on. */
const EXPLAINED: ReadonlyMap<number, { field: string; error: string; hint: string }> = new Map([
  [
    ErrorCode.WebhooksPostedToForumChannelsMustHaveAThreadNameOrThreadId,
    {
      field: 'thread_name',
      error: 'The channel of this webhook is a forum: it takes messages only in a thread.',
      hint: 'Send thread_name for a new thread, or thread_id for one that is there.',
    },
  ],
  [
    ErrorCode.WebhooksCanOnlyCreateThreadsInForumChannels,
    {
      field: 'thread_name',
      error: 'The field thread_name works only with the webhook of a forum.',
      hint: 'Leave it out.',
    },
  ],
  [
    ErrorCode.InvalidActionOnArchivedThread,
    {
      field: 'thread_id',
      error: 'The thread is closed.',
      hint: 'Open it again in Discord, or send the text to another thread.',
    },
  ],
  [
    ErrorCode.MessageWasBlockedByAutomaticModeration,
    {
      field: 'text',
      error: 'AutoMod of the server blocks this text.',
      hint: 'Change the text, or let the rule of AutoMod make an exception for this channel.',
    },
  ],
  [
    ErrorCode.TitleWasBlockedByAutomaticModeration,
    {
      field: 'thread_name',
      error: 'AutoMod of the server blocks the name of the thread.',
      hint: 'Change thread_name, or let the rule of AutoMod make an exception for this channel.',
    },
  ],
  [
    ErrorCode.MessageBlockedByHarmfulLinksFilter,
    {
      field: 'text',
      error: 'Discord takes a link in this text for harmful.',
      hint: 'Leave the link out.',
    },
  ],
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
  const explained = EXPLAINED.get(code);
  if (explained !== undefined) return new Problem('invalid_field', { ...explained, cause });
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
