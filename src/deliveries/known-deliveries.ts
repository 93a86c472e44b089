import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem } from '../kernel/problem.ts';
import type { Delivery } from './delivery.ts';
import type { DeliverySettings } from './delivery-settings.ts';

/** Deliveries that can be looked up, by id and by key: the running ones, and ended ones for a while. */
export class KnownDeliveries {
  readonly #underWay = new Map<string, Delivery>();
  readonly #ended: BoundedMap<Delivery>;
  readonly #rests: RestRoom;

  constructor(settings: DeliverySettings) {
    // Each has at most two names.
    this.#ended = new BoundedMap({ ttlMs: settings.keptMs, entriesMax: 2 * settings.keptMax });
    this.#rests = new RestRoom(settings);
  }

  get restBytes(): number {
    return this.#rests.bytes;
  }

  get underWay(): Delivery[] {
    return [...new Set(this.#underWay.values())];
  }

  get(id: string): Delivery | undefined {
    return this.#find(nameOfId(id));
  }

  /**
   * The delivery that has an Idempotency-Key.
   * @param key null without one
   * @param input digest of what is sent with it
   * @throws Problem `idempotency_conflict`
   */
  withKey(key: string | null, input: string): Delivery | undefined {
    const delivery = key === null ? undefined : this.#find(nameOfKey(key));
    if (delivery === undefined || delivery.input === input) return delivery;
    throw new Problem('idempotency_conflict', { field: 'Idempotency-Key' });
  }

  begin(delivery: Delivery): void {
    for (const name of namesOf(delivery)) this.#underWay.set(name, delivery);
  }

  /** The delivery has ended. If it certainly posted nothing, its key may be used again. */
  end(delivery: Delivery): void {
    for (const name of namesOf(delivery)) this.#underWay.delete(name);
    this.#ended.set(nameOfId(delivery.id), delivery);
    if (delivery.key !== null && !delivery.isRefused) this.#ended.set(nameOfKey(delivery.key), delivery);
    this.#rests.keep(delivery);
  }

  #find(name: string): Delivery | undefined {
    return this.#underWay.get(name) ?? this.#ended.get(name);
  }
}

const nameOfId = (id: string) => `id ${id}`;
const nameOfKey = (key: string) => `key ${key}`;

function namesOf({ id, key }: Delivery): string[] {
  return key === null ? [nameOfId(id)] : [nameOfId(id), nameOfKey(key)];
}

/** Rests of ended deliveries, oldest first. When there are too many bytes, the oldest text is dropped. */
class RestRoom {
  readonly #bounds: DeliverySettings;
  readonly #bytes = new Map<Delivery, number>();

  constructor(bounds: DeliverySettings) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return sum(this.#bytes.values());
  }

  /** The delivery has just ended. Its own rest is kept whatever its size, because the size of a text is bounded. */
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
