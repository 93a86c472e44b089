import { describe, expect, test, vi } from 'vitest';

import { POLL } from '../../fixtures/poll.ts';
import { startDiscordApp } from '../../fixtures/test-app.ts';
import { membersText, startService } from './role-members-http-setup.ts';
import { bigGuild, GUILD, BLUE, RED } from '../rest-members/rest-members-setup.ts';

describe('the ETag of GET /api/role-members', () => {
  test('differs by the question, not by its spelling', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.untilComplete();
    const tagOf = async (query: Record<string, string>) => (await service.ask(query)).headers.get('etag');
    const plain = await tagOf({});
    for (const spelt of [
      { guild_id: GUILD },
      { source: 'auto' },
      { source: ' GATEWAY ' },
      { after: '0' },
      { after: '' },
      { limit: '' },
      { count_only: 'no' },
      { count_only: 'FALSE' },
      { flat: '0' },
      { separator: ';' },
      { unknown: 'x' },
    ]) {
      expect([spelt, await tagOf(spelt)]).toEqual([spelt, plain]);
    }
    const others = [
      plain,
      await tagOf({ count_only: 'true' }),
      await tagOf({ limit: '5' }),
      await tagOf({ limit: '6' }),
      await tagOf({ after: '5' }),
      await tagOf({ role_id: RED }),
      await tagOf({ role_id: GUILD }),
      await tagOf({ flat: 'true' }),
      await tagOf({ flat: 'true', separator: ';' }),
    ];
    expect(new Set(others).size).toBe(others.length);
    expect(await tagOf({ flat: 'yes', separator: '' })).toBe(await tagOf({ flat: '1' }));
    const listed = await service.ask({ source: 'token' }, { Token: service.discord.bot().token });
    expect(listed.headers.get('etag')).not.toBe(plain);
  });

  test('leads to 304 until the holders of this role change', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.untilComplete();
    const guild = service.discord.guild();
    const first = await service.ask();
    const tag = first.headers.get('etag') ?? '';
    const askAgain = (headers = { 'If-None-Match': tag }) => service.ask({}, headers);
    const unchanged = await askAgain();
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await askAgain({ 'If-None-Match': `"other", W/${tag}` })).status).toBe(304);
    expect((await askAgain({ 'If-None-Match': '"other"' })).status).toBe(200);

    // Another role changes.
    const redBefore = (await service.ask({ role_id: RED })).headers.get('etag');
    const someone = guild.holdersOf(GUILD)[1] ?? '';
    guild.updateMember(someone, { roles: [RED] });
    await service.until({ role_id: RED, count_only: 'true' }, ({ body }) => body['count'] === 3);
    expect((await service.ask({ role_id: RED })).headers.get('etag')).not.toBe(redBefore);
    expect((await askAgain()).status).toBe(304);

    guild.updateMember(someone, { roles: [RED, BLUE] });
    const changed = await service.until({}, ({ headers }) => headers.get('etag') !== tag);
    expect((await askAgain()).status).toBe(200);
    // Back to the same holders, and still another version.
    guild.updateMember(someone, { roles: [RED] });
    const back = await service.until({}, ({ body }) => body['count'] === 334);
    expect(membersText(back)).toBe(membersText(first));
    expect([tag, changed.headers.get('etag')]).not.toContain(back.headers.get('etag'));
  });

  test('is compared only after the key and the token were accepted', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.untilComplete();
    const any = { 'If-None-Match': '*' };
    expect((await service.ask({}, any)).status).toBe(304);
    expect((await service.ask({}, { ...any, authorization: 'qm_none' })).status).toBe(401);
    const token = service.discord.bot().token;
    expect((await service.ask({ source: 'token' }, { ...any, Token: token })).status).toBe(304);
    const other = { ...any, Token: token.replace('Simula', 'Rotatd') };
    const rejected = await service.ask({ source: 'token' }, other);
    expect([rejected.status, rejected.body['code']]).toEqual([403, 'discord_token_rejected']);
  });

  test('is ignored once the list may be incomplete', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.untilComplete();
    const guild = service.discord.guild();
    const tag = (await service.ask()).headers.get('etag') ?? '';
    expect((await service.ask()).status).toBe(200);
    guild.startOutage();
    await service.until({ count_only: 'true' }, ({ status }) => status === 503);
    expect((await service.ask()).status).toBe(503);
    expect((await service.ask({}, { 'If-None-Match': tag })).status).toBe(503);
  });

  test('holds only for the form that the key asks for, and never for another server', async () => {
    await using app = await startDiscordApp(bigGuild(1_000));
    const path = `/api/role-members?role_id=${BLUE}&limit=3`;
    const ask = (authorization: string, headers: Record<string, string> = {}) =>
      app.call(path, { headers: { ...headers, authorization } });
    const plain = await app.createKey({ guildId: GUILD });
    await vi.waitUntil(async () => (await ask(plain)).status === 200, POLL);
    const first = await ask(plain);
    const tag = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await ask(plain, tag)).status).toBe(304);
    const flat = await ask(await app.createKey({ guildId: GUILD, flat: true }), tag);
    expect(flat.status).toBe(200);
    expect(flat.headers.get('etag')).not.toBe(first.headers.get('etag'));
    expect(first.body['members']).toHaveLength(3);
    expect(flat.body).toMatchObject({ members_text: (first.body['members'] as string[]).join(', ') });
    const foreign = await ask(await app.createKey({ guildId: '111111111111111111' }), tag);
    expect([foreign.status, foreign.body['code']]).toEqual([503, 'member_list_unavailable']);
    const again = await ask(plain);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(Number(/r=(\d+)/.exec(again.headers.get('ratelimit') ?? '')?.[1])).toBeLessThan(
      Number(/r=(\d+)/.exec(first.headers.get('ratelimit') ?? '')?.[1]),
    );
  });
});
