import { isSnowflake } from '../kernel/snowflake.ts';
import { failureProblem } from './call-problem.ts';
import type { DeliveryOrder } from './deliveries.ts';
import type { Delivery, Stop } from './delivery.ts';
import type { FinalOutcome } from './webhook-calls.ts';

/**
 * Makes one call for a message.
 * @param query without a question mark
 * @throws Problem when the message was certainly not posted
 */
type Post = (query: string, json: string) => Promise<FinalOutcome>;

/**
 * Posts the messages of an order, each after the one before has arrived.
 * @returns null when all have arrived, else why it is uncertain whether the next one has
 * @throws Problem when the next message was certainly not posted
 */
export async function postMessages(
  order: DeliveryOrder,
  delivery: Delivery,
  post: Post,
): Promise<Stop | null> {
  for (const { json } of order.messages) {
    const outcome = await post(queryOf(order, delivery), json);
    if (outcome.kind === 'refused') throw failureProblem(outcome);
    if (outcome.kind === 'unknown') return { problem: failureProblem(outcome), uncertain: true };
    const { id, channel_id: channelId } = outcome.body;
    if (!isId(id) || !isId(channelId)) {
      const cause = new Error('Discord answered with something that is no message');
      return { problem: failureProblem({ kind: 'unknown', isSlow: false, cause }), uncertain: true };
    }
    delivery.noteArrived(id, channelId);
  }
  return null;
}

function queryOf(
  { withComponents, makesThread, threadId }: DeliveryOrder,
  { sent, channelId }: Delivery,
): string {
  const query = new URLSearchParams({ wait: 'true' });
  if (withComponents) query.set('with_components', 'true');
  const thread = makesThread && sent > 0 ? channelId : threadId;
  if (thread !== null) query.set('thread_id', thread);
  return query.toString();
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isSnowflake(value);
}
