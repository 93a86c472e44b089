import { GuildPresence } from '../guild-keys/guild-presence.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { AppContext } from './app-context.ts';
import { DiscordPart } from './discord-part.ts';
import type { Foundations } from './foundations.ts';
import { recordInteractions } from './record-outcomes.ts';
import { reportGateway } from './report-metrics.ts';

/** The bot, before it connects: HTTP listens first. null when it is switched off. */
export function prepareDiscord(
  { config, log, options, parts }: AppContext,
  foundations: Foundations,
): DiscordPart | null {
  const {
    address,
    metrics,
    cluster,
    keys,
    usage,
    admission,
    deliveries,
    images,
    tokenMembers,
    breaker,
    gaps,
  } = foundations;
  if (config.discordToken === null || config.gatewayShards === 'none') {
    const lists = config.redisUrl === null ? 'only with a token of the caller' : 'of other processes';
    log.info(`Discord is off: no slash commands, and member lists ${lists}`);
    return null;
  }
  const presence = new GuildPresence(keys, { log });
  parts.whenClosing('keys of servers that were left', () => presence.close());
  const discord = new DiscordPart({
    ...options.gateway,
    stop: options.stop,
    gaps,
    token: config.discordToken,
    apiUrl: config.discordApiUrl,
    shards: config.gatewayShards === 'all' ? 'auto' : config.gatewayShards,
    shardCount: config.gatewayShardCount,
    log,
    presence: {
      joined: (guildId) => presence.joined(guildId),
      left: (guildId) => presence.left(guildId),
      shardReady(shardId, shardCount, guildIds) {
        presence.shardReady(shardId, shardCount, guildIds);
        void cluster.holdShard(shardId, shardCount);
      },
    },
    keys,
    members: options.members,
    onInvalidAnswer: () => breaker.record(),
    takeIdentifyTurn: (bucket, signal, allowance) => cluster.takeIdentifyTurn(bucket, signal, allowance),
    onEnd: () => void cluster.releaseShards(),
    services: {
      usage,
      operations: OPERATIONS,
      now: Date.now,
      deliveries,
      images,
      tokenMembers,
      requestsPerMinute: config.rateLimit,
      imagesPerMinute: config.imageRateLimit,
      publicUrl: () => address.url,
    },
    admit: (userId, bucket) => admission.admitCommand(userId, bucket),
    onInteraction: recordInteractions(log, metrics),
    onCreated: (gateway) => reportGateway(metrics, gateway),
  });
  parts.whenClosing('gateway', () => discord.close(parts.timeLeftMs()));
  parts.whenClosing('shards', () => cluster.releaseShards());
  return discord;
}
