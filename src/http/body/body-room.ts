import { toAddressGroup } from '../../rate-limit/address-group.ts';
import { BodyBudget } from './body-budget.ts';

/** Whose body it is: a guild's, or that of an address without a key. */
export interface BodyOwner {
  readonly id: string;
  readonly budget: BodyBudget;
}

/** Of the memory for bodies, what all callers without a key may take: their bodies are small. */
const STRANGERS_SHARE = 1 / 8;

/** The memory that bodies may take until they are read, shared out by guild and by address. */
export class BodyRoom {
  readonly #guilds: BodyBudget;
  readonly #strangers: BodyBudget;

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
}
