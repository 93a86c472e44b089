import { FairSemaphore, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';

export interface DeliveryClaim extends Claim {
  readonly webhook: string;
}

/** Deliveries that this process posts concurrently, each over a connection to Discord. */
const POSTING_MAX = 16;
/** Deliveries that a guild posts concurrently, through different webhooks. Other guilds have the rest. */
const POSTING_PER_GUILD_MAX = 2;
/** One that posts, and four that wait for it: the last has to begin within `DELIVERY_SETTINGS.beginMs`. */
const ADMITTED_PER_POSTING = 5;

/**
 * A delivery first waits in the queue of its webhook, and only then in the queue of all deliveries. So one that waits
 * for its webhook does not delay other webhooks.
 */
export function deliveryQueues() {
  return {
    /** All deliveries, waiting or not. Refuses those above the limits. */
    admitted: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (deliveries, { tenant, webhook }) =>
        deliveries.size < POSTING_MAX * ADMITTED_PER_POSTING &&
        deliveries.of(tenant).claims.size < POSTING_PER_GUILD_MAX * ADMITTED_PER_POSTING &&
        countOf(deliveries, webhook) < ADMITTED_PER_POSTING,
    }),
    perWebhook: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (posting, { webhook }) => countOf(posting, webhook) === 0,
      queue: { hasCapacity: () => true, refusal: busy },
    }),
    posting: new FairSemaphore<DeliveryClaim>({
      hasCapacity: (posting, { tenant }) =>
        posting.size < POSTING_MAX && posting.of(tenant).claims.size < POSTING_PER_GUILD_MAX,
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
