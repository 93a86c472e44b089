import { Problem } from '../problem.ts';
import type { DeliveryOrder } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import { RestRoom } from './rest-room.ts';

type Settings = Pick<DeliverySettings, 'keptMs' | 'keptMax' | 'restBytesMax' | 'restBytesPerGuildMax'>;

/** Deliveries that can be looked at: those under way, and ended ones for a while. */
export class KnownDeliveries {
  readonly #settings: Settings;
  readonly #byId = new Map<string, Delivery>();
  /** By guild and Idempotency-Key. */
  readonly #byKey = new Map<string, { readonly delivery: Delivery; readonly input: string }>();
  /** The oldest end first. */
  readonly #ended = new Map<Delivery, { readonly key: string | null; readonly timer: NodeJS.Timeout }>();
  readonly #rests: RestRoom;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#rests = new RestRoom(settings);
  }

  get restBytes(): number {
    return this.#rests.bytes;
  }

  get underWay(): Delivery[] {
    return [...this.#byId.values()].filter(({ end }) => end === null);
  }

  get(id: string): Delivery | undefined {
    return this.#byId.get(id);
  }

  /** The delivery that has the Idempotency-Key of an order. @throws Problem `idempotency_conflict` */
  sameAs(order: DeliveryOrder): Delivery | null {
    const keyed = this.#byKey.get(keyOf(order) ?? '');
    if (keyed === undefined) return null;
    if (keyed.input === order.input) return keyed.delivery;
    throw new Problem('idempotency_conflict', { field: 'Idempotency-Key' });
  }

  begin(delivery: Delivery, order: DeliveryOrder): void {
    this.#byId.set(delivery.id, delivery);
    const key = keyOf(order);
    if (key !== null) this.#byKey.set(key, { delivery, input: order.input });
  }

  /** The delivery has ended. When it posted nothing for certain, its key may be used again. */
  keep(delivery: Delivery, order: DeliveryOrder): void {
    const key = keyOf(order);
    if (key !== null && delivery.end?.problem) this.#byKey.delete(key);
    this.#rests.keep(delivery);
    const timer = setTimeout(() => this.#forget(delivery), this.#settings.keptMs).unref();
    this.#ended.set(delivery, { key, timer });
    if (this.#ended.size <= this.#settings.keptMax) return;
    for (const oldest of this.#ended.keys()) return this.#forget(oldest);
  }

  /** The delivery is one of another process. */
  passOn(delivery: Delivery, order: DeliveryOrder): void {
    this.#byId.delete(delivery.id);
    const key = keyOf(order);
    if (key !== null) this.#byKey.delete(key);
  }

  #forget(delivery: Delivery): void {
    const { key = null, timer } = this.#ended.get(delivery) ?? {};
    clearTimeout(timer);
    this.#ended.delete(delivery);
    this.#byId.delete(delivery.id);
    this.#rests.forget(delivery);
    if (key !== null && this.#byKey.get(key)?.delivery === delivery) this.#byKey.delete(key);
  }
}

/** Of its guild alone; null for an order without a key. */
export function keyOf({ ownerId, idempotencyKey }: DeliveryOrder): string | null {
  return idempotencyKey === null ? null : `${ownerId} ${idempotencyKey}`;
}
