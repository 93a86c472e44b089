import type { Cluster } from '../cluster/cluster.ts';
import type { Readiness } from '../http/endpoints/health.ts';
import { Problem } from '../kernel/problem.ts';
import type { DiscordPart } from './discord-part.ts';
import type { StorageWatch } from './storage-watch.ts';

/**
 * The service is ready after its start, as long as it can read keys and its connection to Discord, if any, has not
 * ended for good. The state of Discord and of other processes is reported beside it.
 */
export async function checkReadiness(
  version: string,
  storage: StorageWatch,
  discord: DiscordPart | null,
  cluster: Cluster,
): Promise<Readiness> {
  const cause = await storage.ping().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const problem =
    cause === null
      ? whyDiscordIsAway(discord)
      : new Problem('storage_unavailable', { retryAfterSeconds: 5, cause: cause.error });
  return {
    problem,
    parts: { version, ...(cause === null ? { storage: 'ok' } : {}), ...partsOf(discord, cluster) },
  };
}

/** null unless the connection has ended for good. */
function whyDiscordIsAway(discord: DiscordPart | null): Problem | null {
  if (discord === null) return null;
  const state = discord.gateway?.state();
  if (state === undefined) {
    return new Problem('member_list_unavailable/starting', { retryAfterSeconds: 5 });
  }
  if (!state.ended) return null;
  const { reason } = state;
  return reason === null
    ? new Problem('member_list_unavailable/closed')
    : new Problem('member_list_unavailable/stopped', { values: { reason } });
}

function partsOf(discord: DiscordPart | null, cluster: Cluster): Readiness['parts'] {
  const state = discord?.gateway?.state();
  const shared = cluster.state();
  return {
    discord:
      state === undefined
        ? { connected: false, reason: discord === null ? 'off' : 'the service is starting' }
        : {
            connected: state.connected,
            shards: state.shards,
            shards_ready: state.shardsReady,
            guilds: state.guilds,
            members_intent: state.hasMembersIntent,
            logins_left: state.identifiesLeft,
            member_lists: discord?.gateway?.members.stats.guilds,
            reason: state.reason,
          },
    ...(shared === null
      ? {}
      : {
          cluster: {
            redis: shared.redis,
            hears: shared.receivesMessages,
            processes: shared.processes,
            shards_held_twice: shared.shardsHeldTwice,
          },
        }),
  };
}
