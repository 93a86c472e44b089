import { describe, expect, test } from 'vitest';

import { membersText, startService } from './role-members-http-setup.ts';
import { bigGuild, GUILD, BLUE, RED } from '../token-listing/token-listing-setup.ts';

describe('the ETag of GET /api/role-members', () => {
  test('differs by what is asked for, not by how it is spelt', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.whole();
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

  test('is good for 304 until the holders of this role change', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.whole();
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

  test('is looked at only after the key and the token were accepted', async () => {
    await using service = await startService(bigGuild(1_000));
    await service.whole();
    const any = { 'If-None-Match': '*' };
    expect((await service.ask({}, any)).status).toBe(304);
    expect((await service.ask({}, { ...any, authorization: 'qm_none' })).status).toBe(401);
    const token = service.discord.bot().token;
    expect((await service.ask({ source: 'token' }, { ...any, Token: token })).status).toBe(304);
    service.discord.bot().token = token.replace('Simula', 'Rotatd');
    const rejected = await service.ask({ source: 'token' }, { ...any, Token: token });
    expect([rejected.status, rejected.body['code']]).toEqual([403, 'discord_token_rejected']);
  });
});
