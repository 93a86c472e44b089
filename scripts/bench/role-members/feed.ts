import { GatewayDispatchEvents, GatewayOpcodes, type GatewayDispatchPayload } from 'discord-api-types/v10';

import { createLog } from '../../../src/telemetry/log.ts';
import { GatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import { manualShardStates } from '../../../test/unit/members/gateway/manual-shard-states.ts';
import { BOT_ID, type SyntheticGuild } from './dataset.ts';

/** Member lists on one shard that is let in, fed by hand. */
export function startFeed() {
  const nonces = new Map<string, string>();
  const members = new GatewayMembers({
    requestMembers: (_, { d }) => void nonces.set(d.guild_id, d.nonce ?? ''),
    fetchRoleCounts: null,
    log: createLog('silent', { destination: { write: () => undefined } }),
    shardStates: manualShardStates(),
    sendsMax: 1_000_000,
  });
  const dispatch = (t: GatewayDispatchEvents, d: unknown) =>
    members.handleDispatch(0, { op: GatewayOpcodes.Dispatch, s: 0, t, d } as GatewayDispatchPayload);
  dispatch(GatewayDispatchEvents.Ready, { shard: [0, 1], user: { id: BOT_ID }, guilds: [] });
  return {
    members,
    dispatch,
    /** Returns the nonce of the request for its members. */
    create: (guild: SyntheticGuild): string => {
      dispatch(GatewayDispatchEvents.GuildCreate, guild.guildCreate());
      return nonces.get(guild.id) ?? '';
    },
  };
}
