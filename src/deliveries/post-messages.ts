import { Problem } from '../kernel/problem.ts';
import { failureProblem } from './call-problem.ts';
import type { DeliveryOrder } from './deliveries.ts';
import type { FinalOutcome } from './webhook-calls.ts';

/** Why the next message was not posted, or not for certain. */
interface Stop {
  readonly problem: Problem;
  /** The message may have arrived. */
  readonly uncertain: boolean;
}

export interface Posted {
  /** Messages that have certainly arrived. */
  readonly messageIds: readonly string[];
  /** Of the last one; null before the first. */
  readonly channelId: string | null;
  /** null when all messages of the order have arrived. */
  readonly stop: Stop | null;
}

/**
 * Makes one call for a message.
 * @param query without a question mark
 * @throws Problem when the message was certainly not posted
 */
type Post = (query: string, body: string) => Promise<FinalOutcome>;

/** Posts the messages of an order, each after the one before has arrived. Never rejects. */
export async function postMessages(order: DeliveryOrder, post: Post): Promise<Posted> {
  const messageIds: string[] = [];
  let channelId: string | null = null;
  for (const body of order.bodies) {
    const arrived = await postOne(body, queryOf(order, channelId), post);
    if ('problem' in arrived) return { messageIds, channelId, stop: arrived };
    messageIds.push(arrived.id);
    ({ channelId } = arrived);
  }
  return { messageIds, channelId, stop: null };
}

async function postOne(
  body: string,
  query: string,
  post: Post,
): Promise<Stop | { readonly id: string; readonly channelId: string }> {
  try {
    const outcome = await post(query, body);
    if (outcome.kind !== 'done') {
      return { problem: failureProblem(outcome), uncertain: outcome.kind === 'unknown' };
    }
    const { id, channel_id: channelId } = outcome.body;
    if (typeof id === 'string' && typeof channelId === 'string') return { id, channelId };
    const cause = new Error('Discord answered with something that is no message');
    return { problem: failureProblem({ kind: 'unknown', isSlow: false, cause }), uncertain: true };
  } catch (error) {
    return { problem: Problem.from(error), uncertain: false };
  }
}

/** @param postedIn where the message before arrived; null for the first */
function queryOf({ withComponents, makesThread, threadId }: DeliveryOrder, postedIn: string | null): string {
  const query = new URLSearchParams({ wait: 'true' });
  if (withComponents) query.set('with_components', 'true');
  const thread = makesThread ? postedIn : threadId;
  if (thread !== null) query.set('thread_id', thread);
  return query.toString();
}
