import type { Cluster } from '../cluster/cluster.ts';
import type { DiscordState, Readiness } from '../http/endpoints/health.ts';
import { Problem } from '../kernel/problem.ts';
import type { DiscordPart } from './discord-part.ts';
import type { StorageWatch } from './storage-watch.ts';

/**
 * The service is ready after its start, as long as it can read API keys and its connection to Discord, if any, has not
 * ended for good. A service that is ready also reports the state of Discord and of other processes. Its 503 has the JSON
 * keys of any error, and the status page shows the rest.
 */
export async function checkReadiness(
  version: string,
  storage: StorageWatch,
  discord: DiscordPart | null,
  cluster: Cluster,
): Promise<Readiness> {
  const shared = cluster.state();
  const cause = await storage.ping().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const problem =
    cause === null
      ? whyDiscordIsAway(discord)
      : new Problem('storage_unavailable/not_ready', { retryAfterSeconds: 5, cause: cause.error });
  return {
    problem,
    parts: {
      version,
      discord: discord === null ? null : stateOf(discord),
      cluster:
        shared === null
          ? null
          : {
              redis: shared.redis,
              hears: shared.receivesMessages,
              processes: shared.processes,
              shards_held_twice: shared.shardsHeldTwice,
            },
    },
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

function stateOf({ gateway }: DiscordPart): DiscordState {
  if (gateway === null) return { connected: false, reason: 'the service is starting' };
  const state = gateway.state();
  return {
    connected: state.connected,
    shards: state.shards,
    shards_ready: state.shardsReady,
    guilds: state.guilds,
    members_intent: state.hasMembersIntent,
    logins_left: state.identifiesLeft,
    member_lists: gateway.members.stats.guilds,
    reason: state.reason,
  };
}
