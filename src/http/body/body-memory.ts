import { FairSemaphore, fromHeaviestOwner, type Claim } from '../../kernel/fair-semaphore.ts';
import { Problem } from '../../kernel/problem.ts';
import { toAddressGroup } from '../../rate-limit/address-group.ts';

/** A guild, or an address that has no key. */
export interface BodyOwner {
  readonly id: string;
  readonly budget: BodyBudget;
}

/** The part of the memory for callers without a key, whose bodies are small. */
const ANONYMOUS_SHARE = 1 / 8;

/** Bodies above this size are rare, and working on one takes many times its size. */
const LARGE_BYTES = 64 * 1024;
/** Bytes of all large bodies that are being worked on. */
const WORKED_BYTES_MAX = 16 * 1024 * 1024;
/** The share of one owner: two of the largest bodies. */
const WORKED_BYTES_OF_ONE_MAX = 4 * 1024 * 1024;

/**
 * The memory for bodies, shared fairly among owners: for all bodies until they are read, and for large ones until they
 * are answered.
 */
export class BodyMemory {
  readonly #guilds: BodyBudget;
  readonly #anonymous: BodyBudget;
  /** No claim is evicted, because work that has begun is finished. */
  readonly #worked = new FairSemaphore<Claim>({
    hasCapacity: (worked, { owner }, bytes) =>
      worked.of(owner).weight + bytes <= WORKED_BYTES_OF_ONE_MAX && worked.weight + bytes <= WORKED_BYTES_MAX,
  });

  /** @param bytesMax for all bodies that have not been read to the end */
  constructor(bytesMax: number) {
    this.#guilds = new BodyBudget(bytesMax * (1 - ANONYMOUS_SHARE));
    this.#anonymous = new BodyBudget(bytesMax * ANONYMOUS_SHARE);
  }

  ofGuild(tenantId: string): BodyOwner {
    return { id: tenantId, budget: this.#guilds };
  }

  ofAddress(address: string): BodyOwner {
    return { id: toAddressGroup(address), budget: this.#anonymous };
  }

  /**
   * Call it before a body is read.
   * @returns a function that ends the work; null for a body that is too small to count
   * @throws Problem `busy`
   */
  beginWork({ id }: BodyOwner, bytes: number): (() => void) | null {
    if (bytes <= LARGE_BYTES) return null;
    const claim = { owner: id };
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
 * The memory for unfinished bodies, shared fairly among owners. The owner that holds the most loses its latest body to
 * one that holds less, so that one owner cannot fill the memory.
 */
export class BodyBudget {
  readonly #bytes: FairSemaphore<BodyClaim>;

  constructor(bytesMax: number) {
    this.#bytes = new FairSemaphore({
      hasCapacity: (held, _claim, bytes) => held.weight + bytes <= bytesMax,
      evict: fromHeaviestOwner(),
      onEvicted: ({ onEvicted }) => onEvicted(),
    });
  }

  /** @param onEvicted called at most once: the body has lost its memory and must be refused */
  open(owner: string, onEvicted: () => void): BodyReservation {
    const claim = { owner, onEvicted };
    return {
      reserve: (bytes) => this.#bytes.tryAcquire(claim, bytes),
      release: () => this.#bytes.release(claim),
    };
  }
}

/** The problem of a body that gets no memory, because other owners hold less. */
export function bodyMemoryFull(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}
