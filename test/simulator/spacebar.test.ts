import { GatewayOpcodes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { GatewayProbe } from './gateway-probe.ts';
import { startSimulator } from './simulator.ts';

// Spacebar is an open-source server for Discord's clients. Its gateway differs from Discord's in a few points.
describe('Spacebar', () => {
  test('sends no `unavailable`, the guild among the roles of each member, and has no RESUME', async () => {
    await using discord = await startSimulator({ spacebar: true, guilds: [{ members: [{ id: '1001' }] }] });
    using probe = new GatewayProbe(discord);
    await probe.identify(discord.bot().token);
    const created = await probe.dispatch('GUILD_CREATE');
    expect('unavailable' in created).toBe(false);
    expect(created['members']).toMatchObject([{ roles: [discord.guild().id] }]);
    const { session_id } = await probe.dispatch('READY');
    probe.close();
    using again = new GatewayProbe(discord);
    await again.send(GatewayOpcodes.Resume, { token: discord.bot().token, session_id, seq: 2 });
    expect(await again.find(({ op }) => op === GatewayOpcodes.InvalidSession)).toMatchObject({ d: false });
    await again.identify(discord.bot().token);
    expect(await again.dispatch('READY')).toMatchObject({ v: 10 });
  });
});
