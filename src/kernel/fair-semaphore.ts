import { untilAborted } from './until-aborted.ts';

/**
 * Something that a tenant holds or waits for, such as a job or the bytes of a body, as a claim of Kubernetes is. Its
 * weight is 1 by default. Claims are compared by identity.
 */
export interface Claim {
  /** A guild, or an IP address where the guild is unknown. It shares the semaphore with others. */
  readonly tenant: string;
}

interface Share<C> {
  /** Sum of what the claims weigh. */
  weight: number;
  /** The oldest first. */
  readonly claims: Set<C>;
}

const NOTHING: Readonly<Share<never>> = { weight: 0, claims: new Set() };

/** Claims by tenant, the oldest first. */
export class Shares<C extends Claim> implements Iterable<C> {
  readonly #weights = new Map<C, number>();
  readonly #byTenant = new Map<string, Share<C>>();
  #weight = 0;

  get size(): number {
    return this.#weights.size;
  }

  /** Sum of what all claims weigh. */
  get weight(): number {
    return this.#weight;
  }

  of(tenant: string): { readonly weight: number; readonly claims: ReadonlySet<C> } {
    return this.#byTenant.get(tenant) ?? NOTHING;
  }

  /** Adds a claim, or weight to one that is there. */
  add(claim: C, weight: number): void {
    const share = this.#byTenant.get(claim.tenant) ?? { weight: 0, claims: new Set<C>() };
    this.#byTenant.set(claim.tenant, share);
    share.claims.add(claim);
    share.weight += weight;
    this.#weight += weight;
    this.#weights.set(claim, (this.#weights.get(claim) ?? 0) + weight);
  }

  /** @returns false when it was not there */
  delete(claim: C): boolean {
    const weight = this.#weights.get(claim);
    const share = this.#byTenant.get(claim.tenant);
    if (weight === undefined || share === undefined) return false;
    this.#weights.delete(claim);
    share.claims.delete(claim);
    share.weight -= weight;
    this.#weight -= weight;
    if (share.claims.size === 0) this.#byTenant.delete(claim.tenant);
    return true;
  }

  /** Returns the claims of the heaviest tenant above `above`, or null. */
  heaviest(above: number): ReadonlySet<C> | null {
    let most: Share<C> | null = null;
    for (const share of this.#byTenant.values()) if (share.weight > (most?.weight ?? above)) most = share;
    return most?.claims ?? null;
  }

  [Symbol.iterator](): MapIterator<C> {
    return this.#weights.keys();
  }
}

/** Whether the claim fits beside the others when it weighs this much more than before. */
export type HasCapacity<C extends Claim> = (others: Shares<C>, claim: C, weight: number) => boolean;

/** Returns the claim to evict for one that does not fit, or null to refuse that one. */
export type ChooseEvicted<C extends Claim> = (others: Shares<C>, claim: C, weight: number) => C | null;

export interface FairSemaphoreOptions<C extends Claim> {
  readonly hasCapacity: HasCapacity<C>;
  /** Default: no claim is evicted. */
  readonly evict?: ChooseEvicted<C>;
  /** Called for each claim that was evicted. */
  readonly onEvicted?: (claim: C) => void;
  /** The same for waiting claims. Without it, no claim waits. */
  readonly queue?: {
    readonly hasCapacity: HasCapacity<C>;
    readonly evict?: ChooseEvicted<C>;
    /** Default: no deadline. */
    readonly timeoutMs?: number;
    /** For a claim that may not wait, that was evicted, or that has waited too long. */
    readonly refusal: () => Error;
  };
}

type ReadonlyShares<C extends Claim> = Iterable<C> & Pick<Shares<C>, 'size' | 'weight' | 'of'>;

interface Waiter {
  grant(): void;
  refuse(reason: unknown): void;
}

/**
 * A semaphore that tenants share fairly. Tenants are limited only without free capacity. Then the tenant that holds most
 * may lose a claim to one that holds less. Claims wait with a signal and a deadline. Free capacity goes to the tenant
 * that holds least, and among equals to the oldest claim. Each user of this class sets its own bounds and chooses the
 * claim to evict.
 * @example
 * // Eight jobs, two of them for one guild. 32 others wait, for ten seconds at most.
 * const jobs = new FairSemaphore<Claim>({
 *   hasCapacity: (others, { tenant }) => others.size < 8 && others.of(tenant).claims.size < 2,
 *   queue: { hasCapacity: (others) => others.size < 32, timeoutMs: 10_000, refusal: () => new Problem('busy') },
 * });
 * const claim = { tenant: guildId };
 * await jobs.acquire(claim, signal);
 * try {
 *   await doTheJob();
 * } finally {
 *   jobs.release(claim);
 * }
 */
export class FairSemaphore<C extends Claim> {
  readonly #options: FairSemaphoreOptions<C>;
  readonly #held = new Shares<C>();
  readonly #waiting = new Shares<C>();
  readonly #waiters = new Map<C, Waiter>();

  constructor(options: FairSemaphoreOptions<C>) {
    this.#options = options;
  }

  get held(): ReadonlyShares<C> {
    return this.#held;
  }

  get waiting(): ReadonlyShares<C> {
    return this.#waiting;
  }

  /**
   * Acquires immediately, or makes a claim that is held heavier.
   * @returns false when it does not fit; then nothing has changed
   */
  tryAcquire(claim: C, weight = 1): boolean {
    const { onEvicted, ...bounds } = this.#options;
    const fits = evictUntilFits(this.#held, bounds, claim, weight, (evicted) => onEvicted?.(evicted));
    if (fits) this.#held.add(claim, weight);
    return fits;
  }

  /**
   * Acquires as soon as there is capacity.
   * @throws the refusal of the queue, or the signal's reason
   */
  async acquire(claim: C, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryAcquire(claim)) return;
    const { queue } = this.#options;
    if (queue === undefined) throw new Error('This semaphore has no queue.');
    const fits = evictUntilFits(this.#waiting, queue, claim, 1, (evicted) =>
      this.#waiters.get(evicted)?.refuse(queue.refusal()),
    );
    if (!fits) throw queue.refusal();
    this.#waiting.add(claim, 1);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Leaves synchronously, so that no freed capacity goes to a cancelled claim.
    const leave = (reason: unknown) => {
      this.#leaveQueue(claim);
      reject(reason);
    };
    this.#waiters.set(claim, { grant: resolve, refuse: leave });
    const timer =
      queue.timeoutMs === undefined ? undefined : setTimeout(() => leave(queue.refusal()), queue.timeoutMs);
    try {
      await untilAborted(signal, promise, () => this.#leaveQueue(claim));
    } finally {
      clearTimeout(timer);
    }
  }

  /** A second call does nothing. */
  release(claim: C): void {
    if (this.#held.delete(claim)) this.#grantNext();
  }

  /** Refuses all claims of a tenant that wait. */
  refuse(tenant: string): void {
    for (const claim of this.#waiting.of(tenant).claims) {
      this.#waiters.get(claim)?.refuse(this.#options.queue?.refusal());
    }
  }

  #leaveQueue(claim: C): void {
    this.#waiting.delete(claim);
    this.#waiters.delete(claim);
  }

  /** One release may free capacity for several claims. */
  #grantNext(): void {
    for (let next = this.#nextInLine(); next !== null; next = this.#nextInLine()) {
      this.#held.add(next, 1);
      this.#waiters.get(next)?.grant();
      this.#leaveQueue(next);
    }
  }

  #nextInLine(): C | null {
    let next: C | null = null;
    let fewest = Infinity;
    for (const claim of this.#waiting) {
      const { weight } = this.#held.of(claim.tenant);
      if (weight >= fewest || !this.#options.hasCapacity(this.#held, claim, 1)) continue;
      next = claim;
      fewest = weight;
    }
    return next;
  }
}

/** @returns false when it still does not fit, and no other claim is evicted */
function evictUntilFits<C extends Claim>(
  others: Shares<C>,
  { hasCapacity, evict }: { readonly hasCapacity: HasCapacity<C>; readonly evict?: ChooseEvicted<C> },
  claim: C,
  weight: number,
  onEvicted: (evicted: C) => void,
): boolean {
  while (!hasCapacity(others, claim, weight)) {
    const next = evict?.(others, claim, weight) ?? null;
    if (next === null) return false;
    others.delete(next);
    onEvicted(next);
  }
  return true;
}

/**
 * Evicts from the tenant that holds most, if that is more than the newcomer would hold.
 * @param choose picks one of the tenant's claims, the oldest first; default: the latest
 */
export function fromHeaviestTenant<C extends Claim>(
  choose: (claims: readonly C[]) => C | undefined = (claims) => claims.at(-1),
): ChooseEvicted<C> {
  return (others, { tenant }, weight) => {
    const most = others.heaviest(others.of(tenant).weight + weight);
    return most === null ? null : (choose([...most]) ?? null);
  };
}
