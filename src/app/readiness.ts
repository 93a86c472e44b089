import type { Cluster } from '../cluster/cluster.ts';
import type { Readiness } from '../http/endpoints/health.ts';
import { Problem } from '../problem.ts';
import type { Storage } from '../storage/storage.ts';
import { VERSION } from '../version.ts';
import type { DiscordPart } from './discord-part.ts';

/**
 * The service is ready once its start is over, while keys can be read, and while its connection to Discord, if it has
 * one, comes back by itself; what Discord and other processes are doing is said beside it.
 */
export async function checkReadiness(
  storage: Storage,
  discord: DiscordPart | null,
  cluster: Cluster,
): Promise<Readiness> {
  try {
    await storage.ping();
  } catch (cause) {
    return { problem: new Problem('storage_unavailable', { retryAfterSeconds: 5, cause }), parts: {} };
  }
  const gateway = discord?.gateway ?? null;
  if (discord !== null && gateway === null) {
    const problem = new Problem('member_list_unavailable', {
      error: 'The service is starting and has not connected to Discord yet.',
      retryAfterSeconds: 5,
    });
    return { problem, parts: {} };
  }
  const state = gateway?.state() ?? null;
  if (state?.ended === true) {
    const problem = new Problem('member_list_unavailable', {
      error: state.reason ?? 'The connection to Discord is closed for good.',
      hint: 'Change what it names and restart the service.',
    });
    return { problem, parts: {} };
  }
  const shared = cluster.state();
  return {
    problem: null,
    parts: {
      version: VERSION,
      storage: 'ok',
      discord:
        state === null
          ? { connected: false, reason: 'off' }
          : {
              connected: state.connected,
              shards: state.shards,
              shards_ready: state.shardsReady,
              guilds: state.guilds,
              members_intent: state.membersIntent,
              logins_left: state.identifiesLeft,
              member_lists: gateway?.members.stats.guilds,
              reason: state.reason,
            },
      ...(shared === null
        ? {}
        : {
            cluster: {
              redis: shared.redis,
              hears: shared.hears,
              processes: shared.processes,
              shards_held_twice: shared.shardsHeldTwice,
            },
          }),
    },
  };
}
