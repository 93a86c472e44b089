import { expect, test, vi } from 'vitest';

import type { GatewayState } from '../../../src/discord/gateway.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { GatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import { Metrics } from '../../../src/telemetry/metrics.ts';
import { reportGateway } from '../../../src/app/report-metrics.ts';
import { handFedShards } from '../gateway/hand-fed-shards.ts';

test('looks through all member lists once a scrape', async () => {
  const members = new GatewayMembers({
    requestMembers: () => {},
    fetchRoleCounts: null,
    truth: handFedShards(),
    log: createLog('silent', { destination: { write: () => {} } }),
  });
  const looked = vi.spyOn(members, 'stats', 'get');
  const metrics = new Metrics();
  const state: GatewayState = {
    connected: true,
    ended: false,
    identifiesLeft: 1_000,
    shardsReady: 1,
    shards: 1,
    guilds: 0,
    membersIntent: true,
    reason: null,
  };
  const gateway = { open: async () => {}, close: async () => {}, state: () => state, inviteUrl: () => null };
  reportGateway(metrics, { ...gateway, members });
  for (let scrapes = 1; scrapes <= 3; scrapes += 1) {
    expect(metrics.render()).toContain('quartermaster_member_index_bytes 0');
    expect(looked).toHaveBeenCalledTimes(scrapes);
    await new Promise((resolve) => setImmediate(resolve));
  }
});
