import { GuildMembership } from '../guild-keys/guild-membership.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { AppContext } from './app-context.ts';
import { DiscordPart } from './discord-part.ts';
import type { SharedParts } from './shared-parts.ts';
import { recordInteractions } from './record-outcomes.ts';
import { reportGateway } from './report-metrics.ts';

/** The bot, before it connects: HTTP listens first. null when it is switched off. */
export function prepareDiscord(
  { config, log, options, parts }: AppContext,
  sharedParts: SharedParts,
): DiscordPart | null {
  const { publicUrl, metrics, cluster, breaker, processPauses, keyServices, operationServices, limits } =
    sharedParts;
  const { discordToken: token, discordApiUrl: apiUrl, gatewayShards, gatewayShardCount } = config;
  if (token === null || gatewayShards === 'none') {
    const lists = config.redisUrl === null ? 'only with a token of the caller' : 'of other processes';
    log.info(`Discord is off: no slash commands, and member lists ${lists}`);
    return null;
  }
  const membership = new GuildMembership(keyServices.keys, { log });
  parts.whenClosing('keys of servers that were left', () => membership.close());
  const discord = new DiscordPart(async (members) => {
    const { Gateway } = await import('../discord/gateway.ts');
    const { GatewayMembers } = await import('../members/gateway/gateway-members.ts');
    const { ShardStates } = await import('../members/gateway/shard-states.ts');
    options.stop?.throwIfAborted();
    const shardStates = new ShardStates({ processPauses });
    const gateway = new Gateway({
      log,
      apiUrl,
      connection: {
        ...options.gateway,
        token,
        userAgent: `DiscordBot (${publicUrl.value}, ${config.version})`,
        shards: gatewayShards === 'all' ? 'auto' : gatewayShards,
        shardCount: gatewayShardCount,
        shardStates,
        processPauses,
        waitForIdentify: (bucket, signal, identifiesLeft) =>
          cluster.waitForIdentify(bucket, signal, identifiesLeft),
      },
      createMembers: (requests) => new GatewayMembers({ ...requests, shardStates, log, ...options.members }),
      operations: OPERATIONS,
      keyServices,
      guildMembership: {
        joined: (guildId) => membership.joined(guildId),
        left: (guildId) => membership.left(guildId),
        shardReady(shardId, shardCount, guildIds) {
          membership.shardReady(shardId, shardCount, guildIds);
          void cluster.holdShard(shardId, shardCount);
        },
      },
      operationServices: { ...operationServices, members },
      limits,
      publicUrl: () => publicUrl.value,
      onInvalidRequest: () => breaker.record(),
      onRefused: () => void cluster.releaseShards(),
      onInteraction: recordInteractions(log, metrics),
    });
    reportGateway(metrics, gateway);
    return gateway;
  });
  parts.whenClosing('gateway', () => discord.close(parts.timeLeftMs()));
  parts.whenClosing('shards', () => cluster.releaseShards());
  return discord;
}
