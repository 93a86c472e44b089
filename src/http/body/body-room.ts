import { toAddressGroup } from '../../rate-limit/address-group.ts';
import { BodyBudget, noRoom } from './body-budget.ts';

/** Whose body it is: a guild's, or that of an address without a key. */
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
