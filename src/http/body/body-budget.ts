import { Problem } from '../../problem.ts';

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
