/** Where all processes hear of guilds whose keys have changed. */
export const KEYS_CHANNEL = 'keys';

/** Where who holds a shard hears questions. Shards of another count are other shards. */
export function shardChannel(shardId: number, shardCount: number): string {
  return `shard:${shardCount}:${shardId}`;
}

/** Where a process hears answers to its questions, and how its own answers are to go on. */
export function inboxChannel(processId: string): string {
  return `inbox:${processId}`;
}

/** https://docs.discord.com/developers/events/gateway#sharding-sharding-formula */
export function shardOfGuild(guildId: string, shardCount: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
}
