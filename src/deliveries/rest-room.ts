import type { Delivery } from './delivery.ts';
import type { DeliverySettings } from './delivery-settings.ts';

type Bounds = Pick<DeliverySettings, 'keptMs' | 'restBytesMax' | 'restBytesPerGuildMax'>;

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
    const bytes = Buffer.byteLength(delivery.rest ?? '');
    if (bytes === 0) return;
    const { restBytesMax, restBytesPerGuildMax, keptMs } = this.#bounds;
    const own = [...this.#bytes.keys()].filter(({ ownerId }) => ownerId === delivery.ownerId);
    this.#makeRoom(own, restBytesPerGuildMax - bytes);
    this.#makeRoom([...this.#bytes.keys()], restBytesMax - bytes);
    this.#bytes.set(delivery, bytes);
    setTimeout(() => this.#drop(delivery), keptMs).unref();
  }

  #makeRoom(deliveries: readonly Delivery[], bytesMax: number): void {
    const left = [...deliveries];
    while (sum(left.map((each) => this.#bytes.get(each) ?? 0)) > bytesMax) {
      const oldest = left.shift();
      if (oldest === undefined) return;
      this.#drop(oldest);
    }
  }

  #drop(delivery: Delivery): void {
    if (this.#bytes.delete(delivery)) delivery.dropRest();
  }
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
