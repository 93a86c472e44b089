import { createServer } from 'node:http';
import { Duplex } from 'node:stream';

import express from 'express';
import { beforeAll, describe, expect, test, vi } from 'vitest';

import { answerWith } from '../../../src/http/answer/write-answer.ts';
import { POLL } from '../../fixtures/poll.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import type { SimulatedGuild } from '../../simulator/guild-model.ts';

const GUILD = '300000000000000001';
const BLUE = '400000000000000001';
const ROUTE = `/api/role-changes?role_id=${BLUE}`;

interface Service extends DiscordApp {
  readonly guild: SimulatedGuild;
  /** With a key of GUILD. */
  get(route: string, init?: RequestInit): ReturnType<DiscordApp['call']>;
  /** Somebody gets the blue role, and the service knows. Returns the user's id. */
  addHolder(): Promise<string>;
}

async function startService(): Promise<Service> {
  const app = await startDiscordApp(
    {
      guilds: [
        {
          id: GUILD,
          roles: [{ id: BLUE }],
          members: { count: 20, rolesOf: (n) => (n % 2 ? [BLUE] : []), isBot: (n) => n === 1 },
        },
      ],
    },
    { METRICS_PORT: '0' },
  );
  const key = await app.createKey({ guildId: GUILD });
  const get: Service['get'] = (route, init = {}) =>
    app.call(route, { ...init, headers: { authorization: key } });
  const guild = app.discord.guild(GUILD);
  const countOf = async () => (await get(`/api/role-members?role_id=${BLUE}&count_only=true`)).body['count'];
  await vi.waitFor(async () => expect(await countOf()).toBe(guild.holdersOf(BLUE).length), POLL);
  return {
    ...app,
    guild,
    get,
    addHolder: async () => {
      const { id } = guild.addMember({ roles: [BLUE] });
      await vi.waitFor(async () => expect(await countOf()).toBe(guild.holdersOf(BLUE).length), POLL);
      return id;
    },
  };
}

describe('GET /api/role-changes', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
    return () => service[Symbol.asyncDispose]();
  });

  test('returns a cursor, and then the new holders since that cursor, in the documented keys', async () => {
    const first = await service.get(ROUTE);
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('etag')).toBeNull();
    expect(first.body).toEqual({
      ok: true,
      guild_id: GUILD,
      role_id: BLUE,
      added: [],
      removed: [],
      added_count: 0,
      removed_count: 0,
      // The only bot among them is left out.
      count: 9,
      cursor: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
      reset: false,
      bots: 'exclude',
      as_of: expect.any(Number),
    });
    const id = await service.addHolder();
    const next = await service.get(`${ROUTE}&since=${String(first.body['cursor'])}`);
    expect(next.body).toMatchObject({ added: [id], removed: [], added_count: 1, count: 10, reset: false });
    const flat = await service.get(`${ROUTE}&since=${String(first.body['cursor'])}&flat=true`);
    expect(flat.body).toMatchObject({ added_1: id, added_text: id, removed_text: '', added_count: 1 });
    const none = await service.get(`${ROUTE}&since=${String(next.body['cursor'])}`);
    expect(none.body).toMatchObject({ added: [], removed: [], count: 10, cursor: next.body['cursor'] });
  });

  test('begins with a reset for a new reader, and then reports each change once', async () => {
    const route = `${ROUTE}&reader=welcome`;
    expect((await service.get(route)).body).toMatchObject({ reset: true, added: [], count: 10 });
    expect((await service.get(route)).body).toMatchObject({ reset: false, added: [] });
    const id = await service.addHolder();
    expect((await service.get(route)).body).toMatchObject({ reset: false, added: [id] });
    expect((await service.get(route)).body).toMatchObject({ reset: false, added: [] });
  });

  test('reports everything to each of two readers', async () => {
    const ask = async (reader: string) => (await service.get(`${ROUTE}&reader=${reader}`)).body;
    await Promise.all([ask('one'), ask('two')]);
    const id = await service.addHolder();
    expect(await ask('one')).toMatchObject({ added: [id], reset: false });
    const other = await service.addHolder();
    expect(await ask('two')).toMatchObject({ added: [id, other], reset: false });
    expect(await ask('one')).toMatchObject({ added: [other], reset: false });
    // At once both start from one place: a change may come twice, never not at all.
    const last = await service.addHolder();
    const [first, second] = await Promise.all([ask('one'), ask('one')]);
    expect([first?.['added'], second?.['added']]).toContainEqual([last]);
    expect(await ask('one')).toMatchObject({ added: [] });
  });

  test('answers HEAD without moving a reader', async () => {
    const route = `${ROUTE}&reader=head`;
    await service.get(route);
    const id = await service.addHolder();
    const head = await service.get(route, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await service.get(route)).body).toMatchObject({ added: [id] });
    await service.get(`${ROUTE}&reader=other-head`, { method: 'HEAD' });
    expect((await service.get(`${ROUTE}&reader=other-head`)).body).toMatchObject({ reset: true });
  });

  test.each<[string, string, number, string, string]>([
    ['both', '&since=abc&reader=a', 400, 'invalid_field', 'reader'],
    ['a cursor of another shape', '&since=abc', 400, 'invalid_field', 'since'],
    ['a cursor that was cut', '&since=AAAA', 400, 'invalid_field', 'since'],
    ['a cursor of other signs', '&since=a.b', 400, 'invalid_field', 'since'],
    ['a cursor that is a placeholder', '&since={cursor}', 400, 'unresolved_placeholder', 'since'],
    ['a reader in capitals', '&reader=Welcome', 400, 'invalid_field', 'reader'],
    ['a long reader', `&reader=${'a'.repeat(33)}`, 400, 'invalid_field', 'reader'],
    ['a field that is nearly reader', '&readers=a', 400, 'invalid_field', 'readers'],
    ['bots as a word', '&bots=none', 400, 'invalid_field', 'bots'],
    ['another server', '&guild_id=300000000000000002', 403, 'guild_mismatch', 'guild_id'],
  ])('refuses %s', async (_, more, status, code, field) => {
    expect(await service.get(ROUTE + more)).toMatchObject({ status, body: { code, field } });
  });

  test('refuses unknown roles, and cursors of another role or bot filter', async () => {
    const cursor = String((await service.get(ROUTE)).body['cursor']);
    for (const route of [
      `/api/role-changes?role_id=${GUILD}&since=${cursor}`,
      `${ROUTE}&bots=include&since=${cursor}`,
    ]) {
      expect(await service.get(route)).toMatchObject({
        status: 400,
        body: { code: 'invalid_field', field: 'since' },
      });
    }
    expect(await service.get('/api/role-changes?role_id=400000000000000009')).toMatchObject({
      status: 404,
      body: { code: 'unknown_role', field: 'role_id' },
    });
    expect(await service.get('/api/role-changes')).toMatchObject({ body: { code: 'missing_field' } });
    const post = await service.get(ROUTE, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test('a cursor and a reader are reset after a restart, and continue from there', async () => {
  const before = await startService();
  const cursor = String((await before.get(ROUTE)).body['cursor']);
  await before.get(`${ROUTE}&reader=welcome`);
  await before[Symbol.asyncDispose]();
  await using service = await startService();
  const reset = await service.get(`${ROUTE}&since=${cursor}`);
  expect(reset.body).toMatchObject({ reset: true, added: [], removed: [] });
  expect((await service.get(`${ROUTE}&reader=welcome`)).body).toMatchObject({ reset: true });
  const id = await service.addHolder();
  const next = await service.get(`${ROUTE}&since=${String(reset.body['cursor'])}`);
  expect(next.body).toMatchObject({ reset: false, added: [id] });
  expect((await service.get(`${ROUTE}&reader=welcome`)).body).toMatchObject({ reset: false, added: [id] });
});

test('a key of no server has no list', async () => {
  await using app = await startDiscordApp();
  const key = await app.createKey({ guildId: '0' });
  const reply = await app.call(ROUTE, { headers: { authorization: key } });
  expect(reply).toMatchObject({ status: 403, body: { code: 'guild_mismatch', field: null } });
});

/** A connection whose other side takes this many bytes, and is then gone. */
class Cut extends Duplex {
  #left: number;

  constructor(bytes: number, request: string) {
    super();
    this.#left = bytes;
    this.push(request);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#left -= chunk.length;
    if (this.#left < 0) this.destroy();
    else done();
  }
}

/** How an answer of 100 KB ends on a connection that takes this many bytes. */
async function sendOver(bytes: number, method = 'GET'): Promise<'sent' | 'dropped'> {
  const outcome = Promise.withResolvers<'sent' | 'dropped'>();
  const app = express();
  app.use((_request, response, next) => {
    response.on('close', () => setImmediate(() => outcome.resolve('dropped')));
    Object.assign(response.locals, { body: null, query: {}, defaults: { flat: false, always200: false } });
    next();
  });
  app.get(
    '/',
    answerWith(() => ({
      value: { ok: true, added: Array.from({ length: 10_000 }, () => '123456789') },
      onSent: () => outcome.resolve('sent'),
    })),
  );
  const server = createServer(app);
  server.emit('connection', new Cut(bytes, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`));
  return outcome.promise;
}

describe('a response', () => {
  test('does not move its reader if it is cut off in the middle', async () => {
    expect(await sendOver(1_000)).toBe('dropped');
    expect(await sendOver(200_000)).toBe('sent');
  });

  test('does not move a reader if it answers HEAD', async () => {
    expect(await sendOver(200_000, 'HEAD')).toBe('dropped');
  });
});
