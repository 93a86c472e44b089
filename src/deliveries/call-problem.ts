import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import type { CallOutcome, FailedOutcome } from '../upstream/call-outcome.ts';
import { refusedCall } from '../upstream/failed-call.ts';

type Refused = Extract<CallOutcome, { kind: 'refused' }>;

/** Codes for a webhook that does not exist, or has another token. */
const WEBHOOK_CODES: ReadonlySet<number> = new Set([ErrorCode.UnknownWebhook, ErrorCode.InvalidWebhookToken]);
/** Explains refusals that name no field, by Discord's code. */
const EXPLAINED: ReadonlyMap<number, { field: string; key: ProblemTextKey }> = new Map([
  [
    ErrorCode.WebhooksPostedToForumChannelsMustHaveAThreadNameOrThreadId,
    { field: 'thread_name', key: 'invalid_field/forum' },
  ],
  [
    ErrorCode.WebhooksCanOnlyCreateThreadsInForumChannels,
    { field: 'thread_name', key: 'invalid_field/no_forum' },
  ],
  [
    ErrorCode.TagRequiredToCreateAForumPostInThisChannel,
    { field: 'applied_tags', key: 'invalid_field/tag_wanted' },
  ],
  [ErrorCode.InvalidActionOnArchivedThread, { field: 'thread_id', key: 'invalid_field/closed_thread' }],
  [ErrorCode.MessageWasBlockedByAutomaticModeration, { field: 'text', key: 'invalid_field/blocked_text' }],
  [
    ErrorCode.TitleWasBlockedByAutomaticModeration,
    { field: 'thread_name', key: 'invalid_field/blocked_name' },
  ],
  [ErrorCode.MessageBlockedByHarmfulLinksFilter, { field: 'text', key: 'invalid_field/harmful_link' }],
]);

/** Maps each field of the Discord payload to our input field. */
const FIELDS: Readonly<Record<string, string>> = {
  content: 'text',
  embeds: 'text',
  components: 'text',
  username: 'username',
  avatar_url: 'avatar_url',
  thread_name: 'thread_name',
  applied_tags: 'applied_tags',
  thread_id: 'thread_id',
};

export function unknownWebhook(cause?: unknown): Problem {
  return new Problem('unknown_webhook', { field: 'Webhook', cause });
}

/** True when Discord does not know the webhook. */
export function isUnknownWebhook(outcome: CallOutcome): boolean {
  if (outcome.kind !== 'refused' || outcome.code === null) return false;
  return outcome.status === 401 || WEBHOOK_CODES.has(outcome.code);
}

/** The problem for the caller: Discord refused the call, or its answer leaves the outcome uncertain. */
export function failureProblem(outcome: FailedOutcome): Problem {
  if (outcome.kind === 'refused') return refusalProblem(outcome);
  return new Problem(outcome.isSlow ? 'discord_timeout' : 'discord_unavailable', { cause: outcome.cause });
}

function refusalProblem(refused: Refused): Problem {
  const { status, code, path } = refused;
  const cause = refusedCall(status, code);
  if (code === null) return new Problem('discord_unavailable/blocked', { cause });
  if (isUnknownWebhook(refused)) return unknownWebhook(cause);
  if (status === 404) {
    return new Problem('unknown_channel/webhook', { field: 'thread_id', cause });
  }
  if (status === 403) {
    return new Problem('discord_missing_access/webhook', { cause });
  }
  const explained = EXPLAINED.get(code);
  if (explained !== undefined) return new Problem(explained.key, { field: explained.field, cause });
  if (status === 400) {
    const ours = path === null ? null : (FIELDS[/^\w+/.exec(path)?.[0] ?? ''] ?? null);
    return ours === null
      ? new Problem('invalid_field/refused_message', { cause })
      : new Problem('invalid_field/refused', { field: ours, values: { path: path ?? '' }, cause });
  }
  return new Problem('discord_unavailable', { cause });
}

/** The part of the message that Discord refused, as `embeds[0].title`; null for other problems. */
export function refusedPlaceOf({ key, values }: Problem): string | null {
  const { path } = values;
  return key === 'invalid_field/refused' && typeof path === 'string' && path !== '' ? path : null;
}
