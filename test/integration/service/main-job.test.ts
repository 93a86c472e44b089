import { describe, expect, test } from 'vitest';

import { startDiscordApp } from '../../fixtures/test-app.ts';

const ADMIN_ID = '200000000000000001';
const GUILD_ID = '300000000000000001';
const ROLE_ID = '400000000000000001';
const HOLDER_ID = '500000000000000001';

describe('the main job', () => {
  test('creates a key by command, uses it over HTTP with both sources, and refuses it once it is revoked', async () => {
    const guild = {
      id: GUILD_ID,
      ownerId: ADMIN_ID,
      roles: [{ id: ROLE_ID, name: 'Blue' }],
      members: [{ id: ADMIN_ID }, { id: HOLDER_ID, roles: [ROLE_ID] }],
    };
    await using app = await startDiscordApp({ guilds: [guild] }, { PUBLIC_URL: 'https://qm.example' });
    const { discord } = app;
    const token = discord.bot().token;
    const asked = discord.interact.slash(
      'settings key create',
      { name: 'shop', builder: 'code' },
      { guildId: GUILD_ID, userId: ADMIN_ID },
    );
    const shown = await asked.reply();
    expect(shown.isEphemeral).toBe(true);
    const key = /qm_\w{16}_\w{38}/.exec(shown.text)?.[0] ?? '';
    expect(shown.text).toContain('https://qm.example/docs/parse-args?tool=discordjs');

    const call = async (query: string, headers: Record<string, string> = {}) => {
      const path = `/api/role-members?role_id=${ROLE_ID}${query}`;
      return (await app.call(path, { headers: { authorization: key, ...headers } })).body;
    };
    const listed = {
      ok: true,
      guild_id: GUILD_ID,
      count: 1,
      members: [HOLDER_ID],
      returned: 1,
    };
    expect(await call('')).toMatchObject({ ...listed, source: 'gateway' });
    expect(await call('&source=token', { token })).toMatchObject({ ...listed, source: 'token' });

    const revoking = discord.interact.slash(
      'settings key revoke',
      { name: 'shop' },
      { guildId: GUILD_ID, userId: ADMIN_ID },
    );
    await revoking.reply();
    const confirmed = await revoking.click('Revoke this key');
    await confirmed.reply();
    expect(await call('')).toMatchObject({ status: 401, code: 'key_revoked' });
    expect(app.logLines.join('')).not.toContain(key.slice(20));
    expect(app.logLines.join('')).not.toContain(token);
  });
});
