import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EXAMPLE_GUILD_ID } from '../../../src/operations/examples.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { SENTENCES } from '../../../src/recipes/sentences.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { openAoiBot, type AoiBot } from './aoijs-bot.ts';
import { isDiscordPyMissing, openPyBot, type PyBot } from './discordpy-bot.ts';
import { openForgeBot, type ForgeBot } from './forgescript-bot.ts';
import { environmentWith, type Sent } from './recipe-languages.ts';
import {
  ABOVE_ID,
  HELPER_ID,
  install,
  openRecipeServer,
  OTHER_ID,
  OWNER_ID,
  sentMessages,
  TARGET_ID,
  TOP_ID,
  untilHeard,
  write,
  type RecipeServer,
} from './recipe-server.ts';
import { openInterceptor, type Interceptor } from './interceptor.ts';

// The recipes of builders that are packages, run by the packages themselves in a server of the simulator.

type Ask = (request: Sent) => Promise<unknown>;

const IS_PY_MISSING = isDiscordPyMissing();

let app: TestApp;
/** A key of the server that the bots are in. */
let key: string;
let server: RecipeServer;
let interceptor: Interceptor;
let aoi: AoiBot;
let forge: ForgeBot;
let py: PyBot;
let asked = 0;
beforeAll(async () => {
  server = await openRecipeServer();
  const { token } = server.discord.bot();
  app = await startTestApp({
    DISCORD_API_URL: server.discord.apiUrl,
    DISCORD_TOKEN: token,
    GATEWAY_SHARDS: 'none',
  });
  key = await app.createKey({ guildId: EXAMPLE_GUILD_ID });
  interceptor = await openInterceptor();
  aoi = await openAoiBot(server, ['onMessage']);
  forge = await openForgeBot(server, ['messageCreate']);
  if (!IS_PY_MISSING) py = await openPyBot(server);
});
afterAll(async () => {
  if (!IS_PY_MISSING) await py.close();
  await forge.close();
  await aoi.close();
  await interceptor.close();
  await server.close();
  await app.app.close();
});
beforeEach(async () => {
  server.discord.rest.calls.length = 0;
  server.client.removeAllListeners('messageCreate');
  aoi.install('module.exports = [];', {});
  forge.install('', {});
  if (!IS_PY_MISSING) await py.install('', {});
  await untilAllHaveHeard();
  asked = 0;
});

/** A bot that is slow would answer what was written in the test before with the recipe of this one. */
async function untilAllHaveHeard(): Promise<void> {
  const id = write(server.discord, 'The test before is over.');
  const heard = [server.client, aoi.client, forge.client].map((client) => untilHeard(client, id));
  await Promise.all([...heard, ...(IS_PY_MISSING ? [] : [py.heard(id)])]);
}

/** Starts each of them with the file of a recipe. */
const BOTS = {
  discordjs: (code: string) => install(server.client, code, { env: environmentWith(key), fetch }),
  aoijs: (code: string) => aoi.install(code, environmentWith(key)),
  forgescript: (code: string) => forge.install(code, environmentWith(key)),
  discordpy: (code: string) => py.install(code, environmentWith(key)),
};
const INSTALLED = (Object.keys(BOTS) as (keyof typeof BOTS)[]).filter(
  (id) => id !== 'discordpy' || !IS_PY_MISSING,
);
/** They hand the whole line on; the others know that nothing follows the command. */
const CODE = new Set<keyof typeof BOTS>(['discordjs', 'discordpy']);

const askService: Ask = async ({ url, method, headers, body }) => {
  asked += 1;
  return (await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })).json();
};

const timeouts = () => server.discord.rest.callsTo('PATCH /guilds/:guild/members/:user');
const roles = () => server.discord.rest.callsTo('POST /guilds/:guild/roles');

/** The next message of the bot. */
async function answer(count = 1): Promise<string> {
  await server.discord.until(() => sentMessages(server).length >= count);
  return String(sentMessages(server)[count - 1]?.['content']);
}

/** A server of texts by their paths. */
async function serveFiles(files: Readonly<Record<string, string>>) {
  const http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const file = files[request.url ?? ''];
    response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': 'text/plain' }).end(file ?? '');
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => {
        http.close(resolve);
      });
    },
  };
}

/** Writes lines that must do nothing, and then one that shows that they are over. */
async function expectSilence(lines: () => void, end: string, ends: RegExp): Promise<void> {
  lines();
  write(server.discord, end);
  expect(await answer()).toMatch(ends);
  expect(sentMessages(server)).toHaveLength(1);
}

/** Starts the bot with the recipe of the operation whose command this is. */
async function start(id: keyof typeof BOTS, command: string, ask: Ask = askService): Promise<void> {
  const operation = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (operation === undefined) throw new Error(`No recipe is !${command}`);
  const { code } = writeRecipe(RECIPE_WRITERS[id], { operation, publicUrl: app.url, key, fields: {} });
  await BOTS[id](interceptor.direct(code, ask));
}

describe.each(INSTALLED)('a command of %s', (id) => {
  describe('!timeout', () => {
    test('times a member out for the time and the reason, and reports it', async () => {
      await start(id, 'timeout');
      write(server.discord, `!timeout <@${TARGET_ID}> 2h spamming links`);
      expect(await answer()).toBe(`<@${TARGET_ID}> is timed out for 2h. spamming links`);
      // aoi.js writes the characters of a reason in its own way, so none is given to the audit log.
      expect(timeouts()).toMatchObject([{ status: 200, reason: id === 'aoijs' ? null : 'spamming links' }]);
      expect(sentMessages(server)[0]).toMatchObject({ allowed_mentions: { parse: [] } });
    });

    test('refuses a user who may not time members out, and does not ask the service', async () => {
      await start(id, 'timeout');
      write(server.discord, `!timeout <@${TARGET_ID}> 2h`, { by: HELPER_ID });
      expect(await answer()).toBe('You need the permission Timeout Members.');
      expect([timeouts(), asked]).toEqual([[], 0]);
    });

    test('refuses to act for a user on a member above them', async () => {
      await start(id, 'timeout');
      write(server.discord, `!timeout <@${ABOVE_ID}> 2h`);
      expect(await answer()).toMatch(/highest role/);
      expect(timeouts()).toEqual([]);
    });

    test('acts for the owner of the server, who has no role, on any member', async () => {
      await start(id, 'timeout');
      write(server.discord, `!timeout <@${ABOVE_ID}> 2h`, { by: OWNER_ID });
      expect(await answer()).toContain(`<@${ABOVE_ID}> is timed out for 2h.`);
      expect(timeouts()).toMatchObject([{ status: 200 }]);
    });

    test('reports when Discord refuses because of the order of roles', async () => {
      await start(id, 'timeout');
      write(server.discord, `!timeout <@${TOP_ID}> 2h`, { by: OWNER_ID });
      // Code asks the service first, which knows the roles.
      expect(await answer()).toBe(
        CODE.has(id)
          ? 'The member\'s highest role, "Bot", is not above the target\'s highest role, "Top". In Server Settings > Roles, move "Bot" above "Top".'
          : SENTENCES.forbidden,
      );
      expect(timeouts().every(({ status }) => status === 403)).toBe(true);
      expect(timeouts()).toHaveLength(CODE.has(id) ? 0 : 1);
    });

    test('ignores bots, direct messages and lines that are not its command, and does not send them to the service', async () => {
      await start(id, 'timeout');
      await expectSilence(
        () => {
          write(server.discord, `!timeout <@${TARGET_ID}> 2h`, { by: OTHER_ID, isBot: true });
          write(server.discord, `!timeout <@${TARGET_ID}> 2h`, { inServer: false });
          write(server.discord, `!tempban <@${TARGET_ID}> 2h`);
          write(server.discord, `!timeouts <@${TARGET_ID}> 2h`);
          write(server.discord, 'hello there');
        },
        '!timeout',
        /Name a member/,
      );
      expect(timeouts()).toEqual([]);
      expect(asked).toBe(CODE.has(id) ? 1 : 0);
    });

    test.each([
      ['without a member', '!timeout 2h noise', /Name a member/],
      ['with an unknown member', '!timeout <@399999999999999999> 2h', /Name a member/],
      ['without a time', `!timeout <@${TARGET_ID}> noise`, /at most 28 days/],
      ['for ever', `!timeout <@${TARGET_ID}> permanent`, /at most 28 days/],
      ['for longer than Discord allows', `!timeout <@${TARGET_ID}> 29d`, /at most 28 days/],
    ])('explains how to write it and has no effect: %s', async (_what, line, expected) => {
      await start(id, 'timeout');
      write(server.discord, line);
      expect(await answer()).toMatch(expected);
      expect(timeouts()).toEqual([]);
    });

    test('cuts a reason that is too long for the audit log', async () => {
      await start(id, 'timeout');
      write(server.discord, `!timeout <@${TARGET_ID}> 2h ${'word '.repeat(200)}`);
      expect(await answer()).toMatch(/is timed out/);
      expect(timeouts()[0]?.reason ?? '').toHaveLength(id === 'aoijs' ? 0 : 512);
    });

    test('reports when Discord refuses, and the bot continues', async () => {
      await start(id, 'timeout');
      server.discord.rest.faults.fail('PATCH /guilds/:guild/members/:user', 403, { code: 50013 });
      write(server.discord, `!timeout <@${TARGET_ID}> 2h`);
      expect(await answer()).toMatch(/Discord does not let me/);
      write(server.discord, `!timeout <@${TARGET_ID}> 2h`);
      expect(await answer(2)).toMatch(/is timed out/);
    });

    const outages: readonly [how: string, ask: Ask][] = [
      // ForgeScript ends a command at a connection that fails, whatever the command says.
      ...(id === 'forgescript'
        ? []
        : [['is away', () => Promise.reject(new Error('away'))] as [string, Ask]]),
      ['answers with no JSON', async () => '<html>bad gateway</html>'],
    ];
    test.each(outages)('reports when the service %s', async (_how, ask) => {
      await start(id, 'timeout', ask);
      write(server.discord, `!timeout <@${TARGET_ID}> 2h`);
      expect(await answer()).toBe('The service cannot be reached. Try again in a minute.');
      expect(timeouts()).toEqual([]);
    });
  });

  test('!post mentions no one', async () => {
    await start(id, 'post');
    write(server.discord, `!post ${'@everyone '.repeat(300)}`);
    await answer(2);
    expect(sentMessages(server).every(({ content }) => String(content).includes('@everyone'))).toBe(true);
    for (const message of sentMessages(server))
      expect(message).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  test.skipIf(!CODE.has(id))(
    '!post accepts an attached file, and reports when it is unreadable',
    async () => {
      await using files = await serveFiles({ '/long.txt': `${'A line.\n'.repeat(400)}The end.` });
      await start(id, 'post');
      write(server.discord, '!post', { attachment: `${files.url}/long.txt` });
      expect(await answer(2)).toMatch(/The end\.$/);
      write(server.discord, '!post', { attachment: `${files.url}/gone.txt` });
      expect(await answer(3)).toMatch(/^(?:The attached file cannot be read|That did not work)\.$/);
      write(server.discord, '!post');
      expect(await answer(4)).toBe('Write something after !post');
    },
  );

  describe('a command for some members only', () => {
    const restricted = RECIPE_OPERATIONS.filter(({ recipe }) => recipe.permission !== null);
    test.each(restricted.map(({ name, recipe }) => [name, recipe.command]))(
      'refuses a member without the permission: %s',
      async (_name, command) => {
        await start(id, command);
        write(server.discord, `!${command}`, { by: HELPER_ID });
        expect(await answer()).toMatch(/^You need the permission /);
        expect(asked).toBe(0);
      },
    );
  });
});

describe.each(INSTALLED.filter((id) => id !== 'forgescript'))('!makerole of %s', (id) => {
  test('makes a role with permissions that the asker has', async () => {
    await start(id, 'makerole');
    write(server.discord, '!makerole Send Messages, Manage Messages');
    expect(await answer()).toMatch(/New role/);
    expect(roles()).toMatchObject([{ status: 200, body: { permissions: '10240' } }]);
  });

  test('never makes a role with more permissions than the asker has', async () => {
    await start(id, 'makerole');
    write(server.discord, '!makerole Send Messages, Administrator');
    expect(await answer()).toBe('You cannot give permissions that you do not have.');
    write(server.discord, '!makerole Send Messages', { by: HELPER_ID });
    expect(await answer(2)).toBe('You need the permission Manage Roles.');
    expect(roles()).toEqual([]);
  });
});

test('!makerole of ForgeScript shows the bit field, as it sets only permissions that are named in the code', async () => {
  await start('forgescript', 'makerole');
  write(server.discord, '!makerole Send Messages');
  expect(await answer()).toBe('Bit field 2048');
  expect(roles()).toEqual([]);
});
