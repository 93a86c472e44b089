import * as z from 'zod';

import type { Problem } from '../kernel/problem.ts';
import { shortText } from '../kernel/schemas.ts';
import type { FinalOutcome } from '../upstream/call-outcome.ts';
import { failureProblem, refusedPlaceOf } from './call-problem.ts';
import type { Delivery, DeliveryResult } from './deliveries.ts';

/** The progress of a delivery. */
export interface Posted {
  /** Messages that have certainly arrived. */
  readonly messageIds: string[];
  /** Of the last one; null before the first. */
  channelId: string | null;
  /** Why the next message was not posted, or may not have been; null without a problem. */
  problem: Problem | null;
  /** True when the next message may have arrived. */
  uncertain: boolean;
}

const messageSchema = z.object({ id: shortText, channel_id: shortText });

/** Records how the next message turned out. */
export function recordOutcome(posted: Posted, outcome: FinalOutcome): void {
  if (outcome.kind !== 'done') {
    posted.problem = failureProblem(outcome);
    posted.uncertain = outcome.kind === 'uncertain';
    return;
  }
  const message = messageSchema.safeParse(outcome.body).data;
  if (message === undefined) {
    const cause = new Error('Discord answered with something that is no message');
    posted.problem = failureProblem({ kind: 'uncertain', isSlow: false, cause });
    posted.uncertain = true;
    return;
  }
  posted.messageIds.push(message.id);
  posted.channelId = message.channel_id;
}

/**
 * The query of the next post.
 *
 * @param postedIn the channel of the message before; null for the first
 */
export function queryOf(
  { withComponents, makesThread, threadId }: Delivery,
  postedIn: string | null,
): string {
  const query = new URLSearchParams({ wait: 'true' });
  if (withComponents) query.set('with_components', 'true');
  const thread = makesThread ? postedIn : threadId;
  if (thread !== null) query.set('thread_id', thread);
  return query.toString();
}

/** The result for the caller and for the next request with the same Idempotency-Key. */
export function resultOf({ total, idempotencyKey }: Delivery, posted: Posted): DeliveryResult {
  const { messageIds, channelId, problem, uncertain } = posted;
  const sent = messageIds.length;
  const summary = { total, messageIds, channelId, uncertain };
  if (problem !== null) {
    const which = `${sent + 1} of ${total}`;
    const reason = uncertain
      ? `Discord did not say whether message ${which} has arrived. Look into the channel before you send the rest.`
      : `${problem.message} Message ${which} and what follows it were not posted.`;
    // With the lock lost, another process may have posted all of it for the same Idempotency-Key.
    const mayBePosted = problem.key === 'busy/webhook' && idempotencyKey !== null;
    const retryAfterSeconds = uncertain || mayBePosted ? null : problem.retryAfterSeconds;
    const refused = refusedPlaceOf(problem);
    return {
      state: 'stopped',
      ...summary,
      reason,
      ...(refused === null ? {} : { refusedPlace: refused }),
      retryAfterSeconds,
    };
  }
  if (sent === total) return { state: 'sent', ...summary, reason: null, retryAfterSeconds: null };
  const reason = `One call posts at most ${sent} messages. Send the rest with another call.`;
  return { state: 'stopped', ...summary, reason, retryAfterSeconds: 0 };
}
