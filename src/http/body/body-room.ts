import { Problem } from '../../problem.ts';
import { toAddressGroup } from '../../rate-limit/address-group.ts';

/** A guild, or an address without a key. */
export interface BodyOwner {
  readonly id: string;
  readonly budget: BodyBudget;
}

/** All callers without a key together get this part of the memory for bodies: their bodies are small. */
const STRANGERS_SHARE = 1 / 8;

/** Bodies above this are few, and what is made of one takes many times its size. */
const LARGE_BYTES = 64 * 1024;
/** All large bodies that are being worked on, together. */
const WORKED_BYTES_MAX = 16 * 1024 * 1024;
/** The share of one owner: two of the largest bodies. */
const WORKED_BYTES_OF_ONE_MAX = 4 * 1024 * 1024;

/** The memory that bodies may take until they are read, and large ones until they are answered, shared out by owner. */
export class BodyRoom {
  readonly #guilds: BodyBudget;
  readonly #strangers: BodyBudget;
  readonly #workedBytes = new Map<string, number>();

  /** @param bytesMax for all bodies that are not read to their end */
  constructor(bytesMax: number) {
    this.#guilds = new BodyBudget(bytesMax * (1 - STRANGERS_SHARE));
    this.#strangers = new BodyBudget(bytesMax * STRANGERS_SHARE);
  }

  ofGuild(ownerId: string): BodyOwner {
    return { id: ownerId, budget: this.#guilds };
  }

  ofAddress(address: string): BodyOwner {
    return { id: toAddressGroup(address), budget: this.#strangers };
  }

  /**
   * Call it before a body is read.
   * @returns ends the work; null for a body that is too small to count
   * @throws Problem `busy`
   */
  beginWork({ id }: BodyOwner, bytes: number): (() => void) | null {
    if (bytes <= LARGE_BYTES) return null;
    const own = this.#workedBytes.get(id) ?? 0;
    const all = this.#workedBytes.values().reduce((sum, each) => sum + each, 0);
    if (own + bytes > WORKED_BYTES_OF_ONE_MAX || all + bytes > WORKED_BYTES_MAX) throw noRoom();
    this.#workedBytes.set(id, own + bytes);
    return () => {
      const left = (this.#workedBytes.get(id) ?? 0) - bytes;
      if (left > 0) this.#workedBytes.set(id, left);
      else this.#workedBytes.delete(id);
    };
  }
}

/** The bytes that one body has taken from a budget. */
export interface BodyHold {
  /** @returns false when there is no room; then nothing is taken */
  take(bytes: number): boolean;
  /** Gives everything back. A second call does nothing. */
  release(): void;
}

interface Share {
  bytes: number;
  readonly evict: () => void;
}

/** The bodies of one owner, the latest last. */
interface Holder {
  bytes: number;
  readonly shares: Set<Share>;
}

/**
 * Memory for unfinished bodies, shared out by owner. Nobody is limited while there is room. When no room is left, the
 * owner that holds the most loses its latest body to one that holds less, so that nobody can take what others need.
 */
export class BodyBudget {
  readonly #bytesMax: number;
  readonly #holders = new Map<string, Holder>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** @param onEvicted called at most once: the body has lost its room and must be refused */
  open(owner: string, onEvicted: () => void): BodyHold {
    const release = () => this.#release(owner, share);
    const share: Share = {
      bytes: 0,
      evict() {
        release();
        onEvicted();
      },
    };
    return {
      take: (bytes) => {
        while (this.#bytes + bytes > this.#bytesMax) if (!this.#evictFor(owner, bytes)) return false;
        const holder = this.#holders.get(owner) ?? { bytes: 0, shares: new Set() };
        this.#holders.set(owner, holder);
        holder.shares.add(share);
        holder.bytes += bytes;
        share.bytes += bytes;
        this.#bytes += bytes;
        return true;
      },
      release,
    };
  }

  /** @returns false when nobody holds more than this owner would */
  #evictFor(owner: string, bytes: number): boolean {
    let most: Holder | null = null;
    let mostBytes = (this.#holders.get(owner)?.bytes ?? 0) + bytes;
    for (const holder of this.#holders.values()) {
      if (holder.bytes <= mostBytes) continue;
      most = holder;
      mostBytes = holder.bytes;
    }
    const latest = most === null ? undefined : [...most.shares].at(-1);
    latest?.evict();
    return latest !== undefined;
  }

  #release(owner: string, share: Share): void {
    const holder = this.#holders.get(owner);
    if (holder === undefined || !holder.shares.delete(share)) return;
    holder.bytes -= share.bytes;
    this.#bytes -= share.bytes;
    if (holder.shares.size === 0) this.#holders.delete(owner);
  }
}

/** Others hold less than this caller does. */
export function noRoom(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}
