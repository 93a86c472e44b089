/** Bits 22 and up of an id hold its time, and they decide on the shard of a guild. */
const TICK = 1n << 22n;

/** Makes ids in ascending order, the same ones in every run. Of n ids in a row, each is on another of n shards. */
export class SnowflakeSource {
  #next: bigint;

  constructor(first: bigint) {
    this.#next = first;
  }

  next(): string {
    const id = this.#next;
    this.#next += TICK;
    return String(id);
  }
}

/** The shard of a guild: https://docs.discord.com/developers/events/gateway#sharding */
export function shardOf(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}
