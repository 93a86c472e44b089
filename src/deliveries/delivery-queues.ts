import { FairSemaphore, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';

/** One call. */
export interface DeliveryClaim extends Claim {
  readonly webhook: string;
}

const RUNNING_MAX = 16;
const RUNNING_PER_GUILD_MAX = 2;
const WAITING_MAX = 64;
const WAITING_PER_GUILD_MAX = 8;
const WAITING_PER_WEBHOOK_MAX = 4;

/**
 * A call first waits in the queue of its webhook, and only then in the queue of all texts. So a call that waits for its
 * webhook does not delay other webhooks.
 */
export function deliveryQueues() {
  return {
    /** All calls, waiting or not. A call above the limits is refused. */
    admitted: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (calls, { owner, webhook }) =>
        calls.size < RUNNING_MAX + WAITING_MAX &&
        calls.of(owner).weight < RUNNING_PER_GUILD_MAX + WAITING_PER_GUILD_MAX &&
        countOf(calls, webhook) < 1 + WAITING_PER_WEBHOOK_MAX,
    }),
    perWebhook: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (posting, { webhook }) => countOf(posting, webhook) === 0,
      queue: { hasCapacity: () => true, refusal: busy },
    }),
    posting: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (running, { owner }) =>
        running.size < RUNNING_MAX && running.of(owner).weight < RUNNING_PER_GUILD_MAX,
      queue: { hasCapacity: () => true, refusal: busy },
    }),
  };
}

function countOf(calls: Iterable<DeliveryClaim>, webhook: string): number {
  let count = 0;
  for (const call of calls) if (call.webhook === webhook) count += 1;
  return count;
}

export function busy(): Problem {
  return new Problem('busy/texts', { retryAfterSeconds: 10 });
}
