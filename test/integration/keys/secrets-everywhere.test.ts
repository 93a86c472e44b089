import { ApplicationCommandOptionType, InteractionResponseType } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { COMMANDS } from '../../../src/discord/commands/index.ts';
import { leavesOf } from '../../../src/discord/commands/command-leaves.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { KEY } from '../../fixtures/key-pattern.ts';
import { isFullRun } from '../../fixtures/full-run.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import type { InteractionHandle } from '../../simulator/interaction-handle.ts';
import type { OptionValues } from '../../simulator/interaction-options.ts';

const ADMIN_ID = '200000000000000001';
const GUILD_ID = '300000000000000001';
const ROLE_ID = '400000000000000001';
const CHANNEL_ID = '500000000000000001';
const AS_ADMIN = { guildId: GUILD_ID, userId: ADMIN_ID };
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const CALLER_TOKEN = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Marked.${'m'.repeat(38)}`;
const USER_TOKEN = `mfa.${'u'.repeat(84)}`;
/** Other Discord-compatible servers have such tokens. */
const WEB_TOKEN = `eyJhbGciOiJIUzI1NiJ9.eyJpZCI6IjEyMzQ1Njc4OTAxMiJ9.${'w'.repeat(43)}`;

/** Discord knows no such webhook. */
const WEBHOOK = `600000000000000001/${'h'.repeat(68)}`;

/** The part of a secret to look for, without the part that may be shown. */
const heart = (secret: string) => secret.slice(-34);

let app: DiscordApp;
let wrongKey = '';
/** Whatever must be nowhere. */
const secrets: string[] = [];
const answers: string[] = [];
let linesRead = 0;

beforeAll(async () => {
  const guild = {
    id: GUILD_ID,
    ownerId: ADMIN_ID,
    roles: [{ id: ROLE_ID, name: 'Blue' }],
    members: [{ id: ADMIN_ID, roles: [ROLE_ID] }],
    channels: [{ id: CHANNEL_ID }],
  };
  app = await startDiscordApp(
    { guilds: [guild] },
    {
      METRICS_PORT: '0',
      LOG_LEVEL: 'trace',
      IMAGE_ALLOW_PRIVATE: 'true',
      IMAGE_RATE_LIMIT: '100000',
      SEND_RATE_LIMIT: '100000',
    },
    { limits: { commandsPerMinute: 100_000, commandImagesPerMinute: 100_000 } },
  );
  wrongKey = `${app.key.slice(0, -10)}zzzzzzzzzz`;
  secrets.push(app.key, wrongKey, CALLER_TOKEN, USER_TOKEN, WEB_TOKEN, WEBHOOK, app.discord.bot().token);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Returns all secrets with ROUNDS=all. By default, one that differs from place to place, so that each has many places. */
function secretsFor(place: string): readonly string[] {
  if (isFullRun()) return secrets;
  const seed = Buffer.from(place).reduce((sum, byte) => sum + byte, 0);
  return [secrets[seed % secrets.length] ?? ''];
}

/** In all that was written since the last call. */
async function expectNoSecret(): Promise<void> {
  const everything = [...app.logLines.slice(linesRead), ...answers.splice(0), await app.metrics()];
  linesRead = app.logLines.length;
  for (const secret of secrets) {
    expect(everything.filter((each) => each.includes(heart(secret)))).toEqual([]);
  }
  expect(everything.filter((each) => KEY.test(each))).toEqual([]);
}

/** @param isEcho the answer repeats what was sent, as it should */
async function send(path: string, init: RequestInit = {}, isEcho = false): Promise<number> {
  const reply = await app.call(path, init);
  answers.push(JSON.stringify([...reply.headers]));
  if (!isEcho || reply.status >= 400) answers.push(reply.text);
  return reply.status;
}

function sendJson(path: string, body: unknown, isEcho = false): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) }, isEcho);
}

function withQuery(path: string, input: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(input).map(([field, value]) => [field, String(value)] as const);
  return `${path}?${new URLSearchParams(Object.fromEntries(texts)).toString()}`;
}

/** A complete request that leads to no request to anybody else. */
function inputOf({ example }: Operation): Readonly<Record<string, unknown>> {
  const given = Object.entries(example.input).map(([field, value]) => [
    field,
    typeof value === 'string' && value.startsWith('https://') ? NOWHERE : value,
  ]);
  return { ...Object.fromEntries(given), ...('guild_id' in example.input ? { guild_id: GUILD_ID } : {}) };
}

describe('keys and tokens appear in no log line, response or metric', () => {
  const fields = OPERATIONS.flatMap((operation) =>
    Object.keys({ ...operation.input.shape, note: null }).map(
      (field) => [operation.name, field, operation] as const,
    ),
  );

  test.each(fields)('when they are sent to %s as %s', async (name, field, operation) => {
    const { path, method, textField } = operation;
    const isEcho = field === textField;
    const before = app.logLines.length;
    for (const secret of secretsFor(`${name} ${field}`)) {
      const input = { ...inputOf(operation), [field]: secret };
      expect(await send(withQuery(path, input))).toBe(400);
      if (method === 'GET') continue;
      await sendJson(path, input, isEcho);
      await sendJson(path, { ...input, [field]: [`${NOWHERE}/${secret}.png`] });
      await send(path, { method, body: new URLSearchParams(withQuery('', input).slice(1)) }, isEcho);
      if (!isEcho) continue;
      await send(path, { method, body: secret, headers: { 'content-type': 'text/plain' } }, isEcho);
    }
    expect(app.logLines.length).toBeGreaterThan(before);
    await expectNoSecret();
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'when they are sent to %s in headers and in broken bodies',
    async (_name, operation) => {
      const { path, method, secretHeader } = operation;
      const asked = method === 'GET' ? withQuery(path, inputOf(operation)) : path;
      const headers = ['user-agent', 'referer', 'x-forwarded-for', 'x-request-id', 'if-none-match'];
      for (const header of secretHeader === null ? headers : [...headers, secretHeader]) {
        for (const secret of secretsFor(`${path} ${header}`)) {
          await send(asked, { method, headers: { [header]: secret } });
        }
      }
      for (const secret of method === 'GET' ? [] : secretsFor(path)) {
        for (const type of ['application/json', secret]) {
          await send(path, { method, headers: { 'content-type': type }, body: `{"${secret}` });
        }
      }
      await expectNoSecret();
    },
  );

  test('when they are sent as a webhook, whatever Discord answers', async () => {
    const webhook = app.discord.addWebhook({ guildId: app.guildId });
    const { token } = webhook;
    secrets.push(token);
    const { faults } = app.discord.rest;
    const headers = { webhook: webhook.url, 'idempotency-key': 'k' };
    const post = (text: string, more: Record<string, string> = {}) =>
      send('/api/send', {
        method: 'POST',
        body: text,
        headers: { ...headers, ...more, 'content-type': 'text/plain' },
      });
    expect(await post('first')).toBe(200);
    for (const status of [400, 401, 403, 404, 429, 500]) {
      const route = 'POST /webhooks/:application/:token';
      if (status === 429) faults.rateLimit(route, 100_000);
      else faults.fail(route, status, { code: 50_035, message: `${token} ${webhook.url}` });
      await post('x', { 'idempotency-key': `k${status}` });
      faults.clear();
    }
    const dead = app.discord.addWebhook({ guildId: app.guildId });
    secrets.push(dead.token);
    faults.drop('GET /webhooks/:application/:token');
    expect(await post('x', { webhook: dead.url, 'idempotency-key': 'd' })).toBe(502);
    dead.delete();
    expect(await post('x', { webhook: dead.url, 'idempotency-key': 'd' })).toBe(404);
    expect(app.logLines.filter((line) => line.includes('"msg":"delivery"')).length).toBeGreaterThan(7);
    await expectNoSecret();
  });

  test('when they are sent as a path, as a key, or with a proxy', async () => {
    for (const secret of secrets) {
      await send(`/${secret}`);
      await send(`/api/chat/permissions?note=Bot%20${secret.replaceAll('.', '%2E').replaceAll('_', '%5F')}`);
      await send('/api/key', { headers: { authorization: `Basic ${secret}` } });
      const authorization = secret === app.key ? wrongKey : secret;
      await send('/api/key', { method: 'DELETE', headers: { authorization } });
    }
    const found = await app.createKey();
    secrets.push(found);
    const headers = { authorization: found };
    expect(await send('/api/key', { method: 'DELETE', headers })).toBe(200);
    expect(await send('/api/key', { headers })).toBe(401);
    await expectNoSecret();
  });

  test.each([401, 403, 404, 429, 500])('when Discord repeats them in a %i', async (status) => {
    const { discord } = app;
    discord.rest.faults.fail('*', status, { message: `${CALLER_TOKEN} ${discord.bot().token}` });
    await send(`/api/role-members?role_id=${ROLE_ID}&guild_id=${GUILD_ID}&source=token`, {
      headers: { token: `${CALLER_TOKEN}${status}` },
    });
    discord.rest.faults.clear();
    await expectNoSecret();
  });
});

interface Option {
  readonly name: string;
  readonly type: ApplicationCommandOptionType;
  readonly required?: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly unknown[];
  readonly max_length?: number;
  readonly options?: readonly Option[];
}

/** Values for options that are not about secrets. */
const FILLING: Readonly<Record<number, OptionValues[string]>> = {
  [ApplicationCommandOptionType.String]: 'text',
  [ApplicationCommandOptionType.Role]: ROLE_ID,
  [ApplicationCommandOptionType.User]: ADMIN_ID,
  [ApplicationCommandOptionType.Channel]: CHANNEL_ID,
};

interface SlashLeaf {
  readonly path: string;
  readonly options: readonly Option[];
  /** The least that the command needs. */
  readonly needed: OptionValues;
}

const LEAVES = COMMANDS.flatMap(({ data }) => leavesOf(data).map(({ path }) => ({ path, data })));
const SLASH: readonly SlashLeaf[] = LEAVES.filter(({ data }) => 'description' in data).map(
  ({ path, data }) => {
    let level = data as { readonly options?: readonly Option[] };
    for (const name of path.split(' ').slice(1)) {
      level = level.options?.find((option) => option.name === name) ?? {};
    }
    const { options = [] } = level;
    const needed = options
      .filter(({ required }) => required === true)
      .map(({ name, type }) => [name, FILLING[type] ?? 1] as const);
    return { path, options, needed: Object.fromEntries(needed) };
  },
);
const MENUS = LEAVES.filter(({ data }) => !('description' in data)).map(({ path }) => path);

/** Its answer has arrived, whatever it is. */
async function ended(interaction: InteractionHandle): Promise<string> {
  const { type } = await interaction.response();
  return type === InteractionResponseType.Modal ? '' : (await interaction.reply()).text;
}

describe('keys and tokens appear in no log line and no metric', () => {
  // The key that a command shows is a secret from everybody else.
  test.each(SLASH.map((leaf) => [leaf.path, leaf] as const))(
    'when /%s is used',
    async (path, { options, needed }) => {
      const { interact } = app.discord;
      const shown = await ended(interact.slash(path, needed, AS_ADMIN));
      const key = KEY.exec(shown)?.[0];
      if (key === undefined) answers.push(shown);
      else secrets.push(key);

      for (const { name, type, choices, autocomplete, max_length: lengthMax = Infinity } of options) {
        for (const secret of secretsFor(`${path} ${name}`)) {
          // What somebody types and sees in private is their own.
          if (type === ApplicationCommandOptionType.Attachment) {
            const file = { name: `${secret}.txt`, bytes: Buffer.from(secret) };
            await ended(interact.slash(path, { ...needed, [name]: { file } }, AS_ADMIN));
          }
          if (type !== ApplicationCommandOptionType.String || choices !== undefined) continue;
          if (autocomplete === true) {
            await interact.autocomplete(path, { ...needed, [name]: secret }, name, AS_ADMIN).choices();
          }
          for (const value of [secret, `${NOWHERE}/${secret}`]) {
            if (value.length > lengthMax) continue;
            await ended(interact.slash(path, { ...needed, [name]: value }, AS_ADMIN));
          }
        }
      }
      await expectNoSecret();
    },
  );

  test.each(MENUS)('when "%s" is used on a message', async (name) => {
    for (const secret of secrets) {
      const content = `${secret} ${NOWHERE}/${secret}.png`;
      await ended(app.discord.interact.messageCommand(name, { content }, AS_ADMIN));
    }
    await expectNoSecret();
  });

  test('when a key is rotated and revoked', async () => {
    const { interact } = app.discord;
    const rotating = interact.slash('settings key rotate', { name: 'text' }, AS_ADMIN);
    const rotated = await (await rotating.click('Rotate and end the older key')).reply();
    secrets.push(String(KEY.exec(rotated.text)?.[0]));
    const asked = interact.slash('settings key revoke', { name: 'text' }, AS_ADMIN);
    answers.push((await asked.reply()).text);
    answers.push((await (await asked.click('Revoke this key')).reply()).text);
    for (const command of ['settings key list', 'settings usage']) {
      answers.push((await interact.slash(command, {}, AS_ADMIN).reply()).text);
    }
    await expectNoSecret();
  });

  // The failure's own text holds the key.
  test.each([400, 500] as const)('when Discord answers %i to a new key, which is revoked', async (status) => {
    const { discord } = app;
    discord.rest.faults.fail('PATCH /webhooks/:application/:token/messages/:message', status, {
      message: secrets.at(-1) ?? '',
      times: Infinity,
    });
    const name = `lost ${status}`;
    discord.interact.slash('settings key create', { name }, AS_ADMIN);
    await expect
      .poll(async () => (await app.app.keys.list(GUILD_ID)).find((entry) => entry.name === name)?.state)
      .toBe('revoked');
    discord.rest.faults.clear();
    await expectNoSecret();
  });
});
