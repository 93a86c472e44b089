import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { RECIPE_BOOKS } from '../../../src/recipes/recipe-books.ts';
import { hasRecipe, LONG_TEXT_URL } from '../../../src/recipes/recipe.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import {
  ABOVE_ID,
  HELPER_ID,
  install,
  openRecipeServer,
  sentMessages,
  TARGET_ID,
  write,
  type RecipeServer,
} from './recipe-server.ts';

// The recipes of discord.js, run by discord.js itself in a server of the simulator.

let app: TestApp;
let server: RecipeServer;
let asked = 0;
beforeAll(async () => {
  app = await startTestApp();
  server = await openRecipeServer();
});
afterAll(async () => {
  await server.close();
  await app.app.close();
});
beforeEach(() => {
  server.discord.rest.calls.length = 0;
  asked = 0;
});

const countingFetch: typeof fetch = async (input, init) => {
  asked += 1;
  return fetch(input, init);
};

/** Installs the recipe of the operation whose command this is. */
function start(command: string, ask: typeof fetch = countingFetch): void {
  const operation = OPERATIONS.filter(hasRecipe).find(({ recipe }) => recipe.command === command);
  if (operation === undefined) throw new Error(`No recipe is !${command}`);
  const { code } = RECIPE_BOOKS.discordjs.write({
    operation,
    publicUrl: app.url,
    key: app.key,
    fields: {},
  });
  install(server.client, code, { key: app.key, fetch: ask });
}

/** The next message of the bot. */
async function answer(count = 1): Promise<string> {
  await server.discord.until(() => sentMessages(server).length >= count);
  return String(sentMessages(server)[count - 1]?.['content']);
}

/** Writes lines that must do nothing, and then one that shows that they are over. */
async function expectSilence(lines: () => void, end: string, ends: RegExp): Promise<void> {
  lines();
  write(server.discord, end);
  expect(await answer()).toMatch(ends);
  expect(sentMessages(server)).toHaveLength(1);
}

const timeouts = () => server.discord.rest.callsTo('PATCH /guilds/:guild/members/:user');
const roles = () => server.discord.rest.callsTo('POST /guilds/:guild/roles');

describe('the discord.js recipe of parse-args', () => {
  test('times a member out for the time and the reason, and says so', async () => {
    start('timeout');
    write(server.discord, `!timeout <@${TARGET_ID}> 2h spamming links`);
    expect(await answer()).toBe(`<@${TARGET_ID}> is timed out for 2h: spamming links`);
    expect(timeouts()).toMatchObject([{ status: 200, reason: 'spamming links' }]);
    expect(sentMessages(server)[0]).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  test('refuses somebody who may not time members out, and does not ask the service', async () => {
    start('timeout');
    write(server.discord, `!timeout <@${TARGET_ID}> 2h`, { by: HELPER_ID });
    expect(await answer()).toBe('You need the permission Timeout Members.');
    expect([timeouts(), asked]).toEqual([[], 0]);
  });

  test('refuses to act for somebody on a member above them', async () => {
    start('timeout');
    write(server.discord, `!timeout <@${ABOVE_ID}> 2h`);
    expect(await answer()).toMatch(/highest role/);
    expect(timeouts()).toEqual([]);
  });

  test('ignores bots, direct messages and lines that are not its command, and does not send them to the service', async () => {
    start('timeout');
    await expectSilence(
      () => {
        write(server.discord, `!timeout <@${TARGET_ID}> 2h`, { isBot: true });
        write(server.discord, `!timeout <@${TARGET_ID}> 2h`, { inServer: false });
        write(server.discord, `!tempban <@${TARGET_ID}> 2h`);
        write(server.discord, `!timeouts <@${TARGET_ID}> 2h`);
        write(server.discord, 'hello there');
      },
      '!timeout',
      /Name a member/,
    );
    expect([timeouts(), asked]).toEqual([[], 1]);
  });

  test.each([
    ['without a member', '!timeout 2h noise', /Name a member/],
    ['with somebody who is not there', '!timeout <@399999999999999999> 2h', /Name a member/],
    ['without a time', `!timeout <@${TARGET_ID}> noise`, /at most 28 days/],
    ['for ever', `!timeout <@${TARGET_ID}> permanent`, /at most 28 days/],
    ['for longer than Discord takes', `!timeout <@${TARGET_ID}> 29d`, /at most 28 days/],
  ])('%s it says how to write it and does nothing', async (_what, line, expected) => {
    start('timeout');
    write(server.discord, line);
    expect(await answer()).toMatch(expected);
    expect(timeouts()).toEqual([]);
  });

  test('cuts a reason that is too long for the audit log', async () => {
    start('timeout');
    write(server.discord, `!timeout <@${TARGET_ID}> 2h ${'word '.repeat(200)}`);
    expect(await answer()).toMatch(/is timed out/);
    expect(timeouts()[0]?.reason).toHaveLength(512);
  });

  test('says so when Discord refuses, and the bot goes on', async () => {
    start('timeout');
    server.discord.rest.faults.fail('PATCH /guilds/:guild/members/:user', 403, { code: 50013 });
    write(server.discord, `!timeout <@${TARGET_ID}> 2h`);
    expect(await answer()).toMatch(/Discord does not let me/);
    write(server.discord, `!timeout <@${TARGET_ID}> 2h`);
    expect(await answer(2)).toMatch(/is timed out/);
  });

  test.each([
    ['is away', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers with no JSON', async () => new Response('<html>bad gateway</html>', { status: 502 })],
  ])('says so when the service %s', async (_how, ask) => {
    start('timeout', ask);
    write(server.discord, `!timeout <@${TARGET_ID}> 2h`);
    expect(await answer()).toBe('The service cannot be reached. Try again in a minute.');
    expect(timeouts()).toEqual([]);
  });
});

describe('the discord.js recipe of permission-encoder', () => {
  test('makes a role with permissions that the asker has', async () => {
    start('makerole');
    write(server.discord, '!makerole Send Messages, Manage Messages');
    expect(await answer()).toMatch(/New role/);
    expect(roles()).toMatchObject([{ status: 200, body: { permissions: '10240' } }]);
  });

  test('never makes one with more than the asker has', async () => {
    start('makerole');
    write(server.discord, '!makerole Send Messages, Administrator');
    expect(await answer()).toBe('You cannot give permissions that you do not have.');
    write(server.discord, '!makerole Send Messages', { by: HELPER_ID });
    expect(await answer(2)).toBe('You need the permission Manage Roles.');
    expect(roles()).toEqual([]);
  });
});

test('the discord.js recipe of text-splitter mentions nobody', async () => {
  start('post', async (input, init) =>
    input === LONG_TEXT_URL ? new Response('@everyone '.repeat(300)) : countingFetch(input, init),
  );
  write(server.discord, '!post');
  await answer(2);
  expect(sentMessages(server).every(({ content }) => String(content).includes('@everyone'))).toBe(true);
  for (const message of sentMessages(server))
    expect(message).toMatchObject({ allowed_mentions: { parse: [] } });
});

describe('every discord.js recipe that not everybody may use', () => {
  const restricted = OPERATIONS.filter(hasRecipe).filter(({ recipe }) => recipe.permission !== null);
  test.each(restricted.map(({ name, recipe }) => [name, recipe.command]))(
    '%s refuses a member without the permission',
    async (_name, command) => {
      start(command);
      write(server.discord, `!${command}`, { by: HELPER_ID });
      expect(await answer()).toMatch(/^You need the permission /);
      expect(asked).toBe(0);
    },
  );

  test('those that act or tell about members are among them', () => {
    const open = OPERATIONS.filter(hasRecipe).filter(({ recipe }) => recipe.permission === null);
    // Decoding tells nothing about anybody, and who asks for permissions is told their own.
    expect(open.map(({ name }) => name).toSorted()).toEqual(['permission-check', 'permission-decoder']);
  });
});
