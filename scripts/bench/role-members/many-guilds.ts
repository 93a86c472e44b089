// A child of the benchmark: ten million members in 3,000 guilds. Prints its figures as JSON.
import { setImmediate as turn } from 'node:timers/promises';

import { GatewayDispatchEvents } from 'discord-api-types/v10';

import { SyntheticGuild } from './dataset.ts';
import { startFeed } from './feed.ts';
import { cpuMs } from './figures.ts';

const MEMBERS = 10_000_000;
const GUILDS = 3_000;

export interface ManyGuildsFigures {
  readonly guilds: number;
  readonly members: number;
  readonly largest: number;
  readonly indexBytes: number;
  readonly rssBytes: number;
  readonly baseRssBytes: number;
  readonly handlerSeconds: number;
  readonly longestStepMs: number;
}

/** The n-th largest guild has a size in proportion to 1 / (n + 8)^0.9, and 20 members at least. */
function guildSizes(): number[] {
  const weights = Array.from({ length: GUILDS }, (_, at) => 1 / (at + 9) ** 0.9);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.max(20, Math.round((MEMBERS * weight) / total)));
}

const { members, dispatch, create } = startFeed();
globalThis.gc?.();
const baseRssBytes = process.memoryUsage.rss();
const sizes = guildSizes();
let handlerMs = 0;
let longestStepMs = 0;
for (const [at, size] of sizes.entries()) {
  const id = String(81_384_788_765_712_384n + BigInt(at) * 4_194_304n * 1_000n);
  // Large guilds have as many roles as Discord allows, others far fewer.
  const guild = new SyntheticGuild(size, { id, roles: size >= 5_000 ? 250 : 60 });
  const nonce = create(guild);
  for (const chunk of guild.chunks(nonce)) {
    const startedAt = cpuMs();
    dispatch(GatewayDispatchEvents.GuildMembersChunk, chunk);
    const stepMs = cpuMs() - startedAt;
    handlerMs += stepMs;
    longestStepMs = Math.max(longestStepMs, stepMs);
  }
  await turn();
}
// The ends of large lists are put off to later turns.
while (members.stats.guilds.complete < GUILDS) await turn();
globalThis.gc?.();
const { members: total, indexBytes } = members.stats;
const figures: ManyGuildsFigures = {
  guilds: GUILDS,
  members: total,
  largest: sizes[0] ?? 0,
  indexBytes,
  rssBytes: process.memoryUsage.rss(),
  baseRssBytes,
  handlerSeconds: handlerMs / 1000,
  longestStepMs,
};
console.log(JSON.stringify(figures));
members.close();
