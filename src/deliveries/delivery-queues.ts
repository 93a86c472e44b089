import { FairSemaphore, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';

export interface DeliveryClaim extends Claim {
  readonly webhook: string;
}

const RUNNING_MAX = 16;
const RUNNING_PER_GUILD_MAX = 2;
const WAITING_MAX = 64;
const WAITING_PER_GUILD_MAX = 8;
const WAITING_PER_WEBHOOK_MAX = 4;

/**
 * A delivery first waits in the queue of its webhook, and only then in the queue of all deliveries. So one that waits
 * for its webhook does not delay other webhooks.
 */
export function deliveryQueues() {
  return {
    /** All deliveries, waiting or not. Refuses those above the limits. */
    admitted: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (deliveries, { tenant, webhook }) =>
        deliveries.size < RUNNING_MAX + WAITING_MAX &&
        deliveries.of(tenant).weight < RUNNING_PER_GUILD_MAX + WAITING_PER_GUILD_MAX &&
        countOf(deliveries, webhook) < 1 + WAITING_PER_WEBHOOK_MAX,
    }),
    perWebhook: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (posting, { webhook }) => countOf(posting, webhook) === 0,
      queue: { hasCapacity: () => true, refusal: busy },
    }),
    posting: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (running, { tenant }) =>
        running.size < RUNNING_MAX && running.of(tenant).weight < RUNNING_PER_GUILD_MAX,
      queue: { hasCapacity: () => true, refusal: busy },
    }),
  };
}

function countOf(deliveries: Iterable<DeliveryClaim>, webhook: string): number {
  let count = 0;
  for (const delivery of deliveries) if (delivery.webhook === webhook) count += 1;
  return count;
}

export function busy(): Problem {
  return new Problem('busy/texts', { retryAfterSeconds: 10 });
}
