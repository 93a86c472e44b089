import { FairSemaphore, fromHeaviestTenant, type Claim } from '../../kernel/fair-semaphore.ts';
import { Problem } from '../../kernel/problem.ts';
import { toAddressGroup } from '../../rate-limit/address-group.ts';

/** A guild, or an address that has no key. */
export interface BodyTenant {
  readonly id: string;
  readonly budget: BodyBudget;
}

/** The part of the memory for callers without a key, whose bodies are small. */
const ANONYMOUS_SHARE = 1 / 8;

/** Bodies above this size are rare, and working on one takes many times its size. */
const LARGE_BYTES = 64 * 1024;
/** Bytes of all large bodies that are being worked on. */
const WORKED_BYTES_MAX = 16 * 1024 * 1024;
/** The share of one tenant: four of the largest bodies. */
const WORKED_BYTES_OF_ONE_MAX = 4 * 1024 * 1024;

/**
 * The memory for bodies, shared fairly among tenants: for all bodies until they are received, and for large ones until
 * they are answered.
 */
export class BodyMemory {
  readonly #guilds: BodyBudget;
  readonly #anonymous: BodyBudget;
  /**
   * A claim is one body here, and its weight is its size in bytes. No claim is evicted, because work that has begun is
   * finished.
   */
  readonly #worked = new FairSemaphore<Claim>({
    hasCapacity: (worked, { tenant }, bytes) =>
      worked.of(tenant).weight + bytes <= WORKED_BYTES_OF_ONE_MAX &&
      worked.weight + bytes <= WORKED_BYTES_MAX,
  });

  /** @param bytesMax for all bodies that have not been read to the end */
  constructor(bytesMax: number) {
    this.#guilds = new BodyBudget(bytesMax * (1 - ANONYMOUS_SHARE));
    this.#anonymous = new BodyBudget(bytesMax * ANONYMOUS_SHARE);
  }

  ofGuild(tenantId: string): BodyTenant {
    return { id: tenantId, budget: this.#guilds };
  }

  ofAddress(address: string): BodyTenant {
    return { id: toAddressGroup(address), budget: this.#anonymous };
  }

  /**
   * Call it before a body is parsed. Reserves memory for the work on it, until its answer is sent.
   * @returns a function that releases the memory; null for a body that is too small to count
   * @throws Problem `busy`
   */
  reserveUntilAnswered({ id }: BodyTenant, bytes: number): (() => void) | null {
    if (bytes <= LARGE_BYTES) return null;
    const claim = { tenant: id };
    if (!this.#worked.tryAcquire(claim, bytes)) throw bodyMemoryFull();
    return () => this.#worked.release(claim);
  }
}

/** The bytes that one body has reserved from a budget. */
export interface BodyReservation {
  /** @returns false when the memory is full. Nothing is reserved then. */
  reserve(bytes: number): boolean;
  /** Releases all bytes. A second call does nothing. */
  release(): void;
}

interface BodyClaim extends Claim {
  readonly onEvicted: () => void;
}

/**
 * The memory for unfinished bodies, shared fairly among tenants. The tenant that holds the most loses its latest body to
 * one that holds less, so that one tenant cannot fill the memory.
 */
export class BodyBudget {
  readonly #bytes: FairSemaphore<BodyClaim>;

  constructor(bytesMax: number) {
    this.#bytes = new FairSemaphore({
      hasCapacity: (held, _claim, bytes) => held.weight + bytes <= bytesMax,
      evict: fromHeaviestTenant(),
      onEvicted: ({ onEvicted }) => onEvicted(),
    });
  }

  /** @param onEvicted called at most once: the body has lost its memory and must be refused */
  open(tenant: string, onEvicted: () => void): BodyReservation {
    const claim = { tenant, onEvicted };
    return {
      reserve: (bytes) => this.#bytes.tryAcquire(claim, bytes),
      release: () => this.#bytes.release(claim),
    };
  }
}

/** The problem of a body that gets no memory, because other tenants hold less. */
export function bodyMemoryFull(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}
