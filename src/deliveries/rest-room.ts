import type { Delivery } from './delivery.ts';

interface Bounds {
  readonly restBytesMax: number;
  readonly restBytesPerGuildMax: number;
}

/** Rests of ended deliveries, the oldest first. The oldest gives its text up when there are too many bytes. */
export class RestRoom {
  readonly #bounds: Bounds;
  readonly #bytes = new Map<Delivery, number>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return sum(this.#bytes.values());
  }

  /** The delivery has just ended. Its own rest stays, whatever its size: one text has a bound of its own. */
  keep(delivery: Delivery): void {
    const bytes = Buffer.byteLength(delivery.end?.rest ?? '');
    if (bytes === 0) return;
    const { restBytesMax, restBytesPerGuildMax } = this.#bounds;
    this.#makeRoom(restBytesPerGuildMax - bytes, ({ ownerId }) => ownerId === delivery.ownerId);
    this.#makeRoom(restBytesMax - bytes, () => true);
    this.#bytes.set(delivery, bytes);
  }

  /** The delivery is known no more. */
  forget(delivery: Delivery): void {
    this.#bytes.delete(delivery);
  }

  #makeRoom(bytesMax: number, isCounted: (delivery: Delivery) => boolean): void {
    const counted = [...this.#bytes].filter(([delivery]) => isCounted(delivery));
    let bytes = sum(counted.map(([, each]) => each));
    for (const [delivery, each] of counted) {
      if (bytes <= bytesMax) return;
      delivery.dropRest();
      this.#bytes.delete(delivery);
      bytes -= each;
    }
  }
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
