// A child of the benchmark: our connection and its member lists. Says how much memory they take when it is asked.
import { REST } from '@discordjs/rest';
import { GatewayDispatchEvents, GatewayOpcodes, Routes } from 'discord-api-types/v10';

import { KeptConnection } from '../../../src/discord/connection/kept-connection.ts';
import { GapWatch } from '../../../src/members/gateway/gap-watch.ts';
import { createGatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import { ShardTruth } from '../../../src/members/gateway/shard-truth.ts';
import { createLog } from '../../../src/telemetry/log.ts';

const [apiUrl = '', token = ''] = process.argv.slice(2);
const log = createLog('silent', { destination: { write: () => undefined } });
const gaps = new GapWatch();
const truth = new ShardTruth({ gaps });
const rest = new REST({ api: apiUrl }).setToken(token);
const members = createGatewayMembers({
  truth,
  log,
  fetchRoleCounts: null,
  requestMembers: (shardId, payload) => connection.send(shardId, payload),
});
let updates = 0;
const connection = new KeptConnection({
  token,
  shards: 'auto',
  shardCount: 'auto',
  log,
  gaps,
  truth,
  identifyWindowMs: 0,
  fetchGateway: (signal) => rest.get(Routes.gatewayBot(), { signal }),
  onDispatch: (shardId, packet) => {
    members.handleDispatch(shardId, packet);
    if (packet.op !== GatewayOpcodes.Dispatch || packet.t !== GatewayDispatchEvents.GuildMemberUpdate) return;
    updates += 1;
    if (updates % 1_000 === 0) process.send?.({ updates });
  },
  onShardDown: () => {},
  onMembersIntentOff: () => {},
  onEnd: () => {},
});
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ bytes: heapUsed + external, shardsReady: truth.shardsReady });
});
process.once('disconnect', () => process.exit());
await connection.open();
