import { describe, expect, test } from 'vitest';

import { startDiscordApp } from '../../fixtures/test-app.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

const ADMIN_ID = '200000000000000001';
const GUILD_ID = '300000000000000001';
const ROLE_ID = '400000000000000001';
/** Commands have limits of their own for each user. */
const USER_IDS = ['200000000000000002', '200000000000000003', '200000000000000004'];

/** The part of a secret to look for, without the part that may be shown. */
const heart = (secret: string) => secret.slice(-34);

describe('keys and tokens', () => {
  test('appear in no log line, answer or metric, whatever is done with them', async () => {
    const guild = {
      id: GUILD_ID,
      ownerId: ADMIN_ID,
      roles: [{ id: ROLE_ID, name: 'Blue' }],
      members: [{ id: ADMIN_ID, roles: [ROLE_ID] }, ...USER_IDS.map((id) => ({ id }))],
    };
    await using app = await startDiscordApp(
      { guilds: [guild] },
      { METRICS_PORT: '0', LOG_LEVEL: 'trace', IMAGE_ALLOW_PRIVATE: 'true' },
    );
    const { discord } = app;
    const botToken = discord.bot().token;
    const callerToken = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Marked.${'m'.repeat(38)}`;
    const wrongKey = `${app.key.slice(0, -10)}zzzzzzzzzz`;
    const answers: string[] = [];
    const send = async (
      path: string,
      headers: Record<string, string> = {},
      body?: unknown,
      method: 'GET' | 'DELETE' = 'GET',
    ) => {
      const reply =
        body === undefined
          ? await app.call(path, { method, headers })
          : await app.postJson(path, body, headers);
      answers.push(reply.text, JSON.stringify([...reply.headers]));
      return reply.status;
    };

    // Every operation, right and wrong, with secrets in every place where somebody may put one.
    for (const secret of [app.key, callerToken, botToken]) {
      await send('/api/parse-args', {}, { text: `!ban <@${ADMIN_ID}> x`, note: secret });
      await send('/api/chat/permission-encoder', {}, { permissions: [secret] });
      await send('/api/chat/permission-encoder', {}, { permissions: secret });
      await send('/api/chat/permission-decoder', {}, { bitfield: secret });
      await send('/api/text-splitter', {}, { text: 'a', max_length: secret, mode: secret });
      await send('/api/image-to-base64', {}, { url: secret, format: secret });
      await send('/api/image-to-base64', {}, { url: `http://127.0.0.1:9/${secret}` });
      await send(`/api/role-members?role_id=${secret}`);
      await send(`/api/role-members?role_id=${ROLE_ID}&source=${encodeURIComponent(secret)}`);
      await send(`/${secret}`);
      await send(`/api/chat/permissions?note=${secret}`);
      await send(`/api/chat/permissions?note=Bot%20${secret.replaceAll('.', '%2E').replaceAll('_', '%5F')}`);
      await send('/api/chat/permissions', { referer: `https://example.com/${secret}` });
      await send('/api/key', { authorization: `Basic ${secret}` });
      await send('/api/key', { authorization: secret === app.key ? wrongKey : secret }, undefined, 'DELETE');
      await send('/api/key', { authorization: wrongKey });
      await send(`/api/role-members?role_id=${ROLE_ID}&guild_id=${GUILD_ID}`, { token: secret });
      await send('/api/parse-args', {
        'x-forwarded-for': secret,
        'user-agent': secret,
        'x-request-id': secret,
      });
    }
    for (const fault of [401, 403, 404, 429, 500]) {
      discord.rest.faults.fail('*', fault, { message: `${callerToken} ${botToken}` });
      await send(`/api/role-members?role_id=${ROLE_ID}&guild_id=${GUILD_ID}`, {
        token: `${callerToken}${fault}`,
      });
      discord.rest.faults.clear();
    }

    // Every command of an admin. The key that it shows is a secret from everybody else.
    const as = { guildId: GUILD_ID, userId: ADMIN_ID };
    const created = await discord.interact.slash('settings key create', { name: 'a' }, as).reply();
    const shownKey = KEY.exec(created.text)?.[0] ?? '';
    expect(shownKey).not.toBe('');
    const rotated = await discord.interact.slash('settings key rotate', { name: 'a' }, as).reply();
    const rotatedKey = KEY.exec(rotated.text)?.[0] ?? '';
    expect(rotatedKey).not.toBe('');
    for (const command of ['settings key list', 'settings usage', 'settings help'] as const) {
      answers.push((await discord.interact.slash(command, {}, as).reply()).text);
    }

    const foundKey = await app.createKey();
    expect(await send('/api/key', { authorization: foundKey }, undefined, 'DELETE')).toBe(200);
    expect(await send('/api/key', { authorization: foundKey })).toBe(401);
    const asked = discord.interact.slash('settings key revoke', { name: 'a' }, as);
    answers.push((await asked.reply()).text);
    answers.push((await (await asked.click('Revoke this key')).reply()).text);
    expect((await app.app.keys.list(GUILD_ID)).map(({ state }) => state)).toEqual(['revoked', 'revoked']);

    // Every command for everybody, with secrets in it. What they see in private is their own.
    for (const [index, secret] of [app.key, callerToken, botToken].entries()) {
      const user = { guildId: GUILD_ID, userId: USER_IDS[index] ?? '' };
      const commands = [
        ['parse', { text: `!ban <@${ADMIN_ID}> ${secret}` }],
        ['permissions encode', { permission: secret }],
        ['permissions decode', { bitfield: secret }],
        ['split', { text: secret }],
        ['base64', { url: `http://127.0.0.1:9/${secret}` }],
        ['base64', { url: secret }],
        ['role-members', { role: ROLE_ID }],
      ] as const;
      for (const [command, options] of commands) await discord.interact.slash(command, options, user).reply();
      await discord.interact
        .autocomplete('permissions encode', { permission: secret.slice(0, 100) }, 'permission', user)
        .choices();
      for (const command of ['Split text', 'Parse command line', 'Image to base64']) {
        const content = `${secret} http://127.0.0.1:9/${secret}.png`;
        await discord.interact.messageCommand(command, { content }, user).reply();
      }
    }

    // A key whose showing fails is revoked, and the failure's own text, which holds it, is not logged.
    for (const fault of [400, 500] as const) {
      discord.rest.faults.fail('PATCH /webhooks/:application/:token/messages/:message', fault, {
        message: shownKey,
        times: Infinity,
      });
      discord.interact.slash('settings key create', { name: `lost ${fault}` }, as);
      await expect
        .poll(
          async () => (await app.app.keys.list(GUILD_ID)).find(({ name }) => name === `lost ${fault}`)?.state,
        )
        .toBe('revoked');
      discord.rest.faults.clear();
    }

    const metrics = await app.metrics();
    const everything = [...app.logLines, ...answers, metrics].join('\n');
    expect(app.logLines.length).toBeGreaterThan(40);
    for (const secret of [app.key, callerToken, botToken, wrongKey, shownKey, rotatedKey, foundKey]) {
      expect(everything).not.toContain(heart(secret));
    }
    expect(everything).not.toMatch(KEY);
  });
});
