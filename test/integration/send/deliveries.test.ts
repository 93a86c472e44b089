import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { send as operation } from '../../../src/operations/send/operation.ts';
import { InvalidRequestBreaker } from '../../../src/upstream/invalid-request-breaker.ts';
import { findFreePort } from '../../fixtures/free-port.ts';
import { NO_MEMBERS, NO_REST_MEMBERS } from '../../fixtures/no-members.ts';
import type { RestFaults } from '../../simulator/rest-faults.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { DESCRIBE, FOREIGN_GUILD, GUILD, POST, storeWith, startSending, texts } from './deliveries-setup.ts';

/** @param byMs how much later it is, until the test ends */
function shiftClock(byMs: () => number): void {
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + byMs());
  onTestFinished(() => spy.mockRestore());
}

describe('a text of several messages', () => {
  test('arrives in order, and its webhook is looked up once', async () => {
    const { discord, webhook, send } = await startSending();
    const report = await send(texts(7));
    expect(webhook.texts).toEqual(texts(7));
    expect(report).toMatchObject({
      state: 'sent',
      total: 7,
      channelId: webhook.channelId,
      retryAfterSeconds: null,
    });
    expect(report.messageIds).toEqual(webhook.messages.map(({ id }) => id));
    await send(['more']);
    expect(discord.rest.callsTo(DESCRIBE)).toHaveLength(1);
  });

  test('waits for limits before Discord has to name them', async () => {
    const { discord, webhook, send, invalid } = await startSending();
    discord.rest.limits.set(POST, { count: 2, windowMs: 100 });
    expect(await send(texts(7))).toMatchObject({ state: 'sent' });
    expect(webhook.texts).toEqual(texts(7));
    expect(discord.rest.callsTo(POST)).toHaveLength(7);
    expect(invalid).toEqual([]);
  });

  test.each(['user', 'shared', 'global'] as const)('waits after a 429 of scope %s', async (scope) => {
    const { discord, webhook, send, invalid } = await startSending();
    discord.rest.faults.rateLimit(POST, 0.05, { scope, times: 2 });
    expect(await send(texts(3))).toMatchObject({ state: 'sent' });
    expect(webhook.texts).toEqual(texts(3));
    expect(invalid).toEqual(scope === 'shared' ? [] : [429, 429]);
  });

  test.each([
    ['user', 'sent'],
    ['shared', 'sent'],
    ['global', 'discord_rate_limited'],
  ] as const)('leaves, after a 429 of scope %s, another webhook %s', async (scope, outcome) => {
    const { discord, send } = await startSending({ beginMs: 5_000 });
    const other = { webhook: discord.addWebhook({ guildId: GUILD }) };
    // Both are known, so that only posting is left.
    await Promise.all([send(['x']), send(['x'], other)]);
    discord.rest.faults.rateLimit(POST, 60, { scope });
    await expect(send(['x'])).rejects.toMatchObject({ code: 'discord_rate_limited' });
    const calls = discord.rest.callsTo(POST).length;
    const came = await send(['x'], other).then(
      ({ state }) => state,
      (error: { code: string }) => error.code,
    );
    expect([came, discord.rest.callsTo(POST).length - calls]).toEqual([outcome, outcome === 'sent' ? 1 : 0]);
  });

  test('waits after a 429 without a time, longer each time', async () => {
    const { discord, webhook, send } = await startSending();
    discord.rest.faults.garble(POST, { status: 429, text: 'error code: 1015', times: 3 });
    expect(await send(texts(2))).toMatchObject({ state: 'sent' });
    expect(webhook.texts).toEqual(texts(2));
  });
});

describe('a message that may or may not have arrived', () => {
  test.each<[string, (faults: RestFaults) => void, boolean]>([
    ['the connection is cut after it was posted', (faults) => faults.loseAnswer(POST), true],
    ['the connection is cut before it was posted', (faults) => faults.drop(POST), false],
    ['the answer cannot be read', (faults) => faults.garble(POST), false],
    ['the answer is no message', (faults) => faults.garble(POST, { text: '{}' }), false],
    ['Discord answers 500', (faults) => faults.fail(POST, 500), false],
  ])('ends the delivery as uncertain when %s', async (_, fail, arrives) => {
    const { discord, webhook, send } = await startSending();
    await send(['first']);
    fail(discord.rest.faults);
    const report = await send(texts(3));
    expect(report).toMatchObject({
      state: 'stopped',
      uncertain: true,
      messageIds: [],
      retryAfterSeconds: null,
    });
    expect(report.reason).toContain('message 1 of 3');
    expect(webhook.texts).toEqual(arrives ? ['first', 'part 1'] : ['first']);
  });

  test('ends the delivery in the middle', async () => {
    const { discord, webhook, delivery, deliveries } = await startSending();
    const gate = discord.rest.faults.hold(POST);
    const sending = deliveries.send(delivery(texts(3)));
    await gate.reached;
    discord.rest.faults.fail(POST, 502);
    gate.release();
    expect(await sending).toMatchObject({
      state: 'stopped',
      uncertain: true,
      messageIds: [webhook.messages[0]?.id],
    });
    expect(webhook.texts).toEqual(['part 1']);
  });

  test('is one that gets no response in time', async () => {
    const { discord, send } = await startSending({ postTimeoutMs: 1_000 });
    await send(['first']);
    const gate = discord.rest.faults.hold(POST);
    expect(await send(texts(2))).toMatchObject({ state: 'stopped', uncertain: true, messageIds: [] });
    gate.release();
  });
});

test.each([403, 404, 400])('a page of a firewall with %i means that nothing was posted', async (status) => {
  const { discord, webhook, send } = await startSending();
  await send(['first']);
  discord.rest.faults.garble(POST, { status, text: '<html>Access denied</html>' });
  await expect(send(texts(2))).rejects.toMatchObject({
    key: 'discord_unavailable/blocked',
    retryAfterSeconds: null,
  });
  expect(webhook.texts).toEqual(['first']);
  // The webhook itself is as good as before.
  expect(await send(['second'])).toMatchObject({ state: 'sent' });
});

test('a page of a firewall on a later message does not mean that nothing was posted', async () => {
  const { discord, webhook, deliveries, delivery } = await startSending();
  const gate = discord.rest.faults.hold(POST);
  const sending = deliveries.send(delivery(texts(3)));
  await gate.reached;
  discord.rest.faults.garble(POST, { status: 403, text: '<html>Access denied</html>' });
  gate.release();
  const { state, uncertain, reason } = await sending;
  expect({ state, uncertain, posted: webhook.texts }).toEqual({
    state: 'stopped',
    uncertain: false,
    posted: ['part 1'],
  });
  expect(reason).toMatch(/firewall.* Message 2 of 3 and what follows it were not posted\.$/);
  expect(reason).not.toContain('nothing');
});

describe('a webhook', () => {
  test('is refused when it belongs to another server, or to none, and a key of no server may use it', async () => {
    const { discord, send } = await startSending();
    const foreign = discord.addWebhook({ guildId: FOREIGN_GUILD });
    const ownerless = discord.addWebhook({ guildId: null });
    for (const webhook of [foreign, ownerless, foreign]) {
      await expect(send(['x'], { webhook })).rejects.toMatchObject({ code: 'guild_mismatch' });
    }
    expect(discord.rest.callsTo(DESCRIBE)).toHaveLength(2);
    expect(discord.rest.callsTo(POST)).toHaveLength(0);
    const report = await send(['x'], { webhook: foreign, guildId: null, tenantId: '0' });
    expect(report.state).toBe('sent');
  });

  test('causes one request a day when Discord does not know it, and after five of them a server may try no more', async () => {
    const { discord, webhook, send, invalid } = await startSending();
    const wrong = (letter: string) => ({ webhook: { id: webhook.id, token: letter.repeat(68) } });
    for (let call = 0; call < 2; call += 1) {
      await expect(send(['x'], wrong('a'))).rejects.toMatchObject({ code: 'unknown_webhook' });
    }
    expect(discord.rest.callsTo(DESCRIBE)).toHaveLength(1);
    expect(invalid).toEqual([401]);
    for (const letter of 'bcde') {
      await expect(send(['x'], wrong(letter))).rejects.toMatchObject({ code: 'unknown_webhook' });
    }
    await expect(send(['x'], wrong('f'))).rejects.toMatchObject({ code: 'token_attempts' });
    await expect(send(['x'])).rejects.toMatchObject({ code: 'token_attempts' });
    const other = { guildId: null, tenantId: '0' };
    expect((await send(['x'], other)).state).toBe('sent');
    // It has worked, so what others of the server mistype does not stop it.
    expect((await send(['x'])).state).toBe('sent');
  });

  test.each([
    [401, 0, 'unknown_webhook', 'Webhook'],
    [404, 10_015, 'unknown_webhook', 'Webhook'],
    [404, 50_027, 'unknown_webhook', 'Webhook'],
    [404, 10_003, 'unknown_channel', 'thread_id'],
  ] as const)('gets %i with code %i from Discord and is %s', async (status, code, problem, field) => {
    const { discord, send } = await startSending();
    await send(['first']);
    discord.rest.faults.fail(POST, status, { code });
    await expect(send(['x'])).rejects.toMatchObject({ code: problem, field });
    const calls = discord.rest.calls.length;
    const again = await send(['x']).then(
      () => 'sent',
      () => 'refused',
    );
    const isRemembered = problem === 'unknown_webhook';
    expect([again, discord.rest.calls.length - calls]).toEqual(isRemembered ? ['refused', 0] : ['sent', 1]);
  });

  test('stops the delivery when it is deleted in the middle, and is remembered', async () => {
    const { discord, webhook, delivery, deliveries, send } = await startSending();
    const gate = discord.rest.faults.hold(POST);
    const sending = deliveries.send(delivery(texts(3)));
    await gate.reached;
    const second = discord.rest.faults.hold(POST);
    gate.release();
    await second.reached;
    webhook.delete();
    second.release();
    expect(await sending).toMatchObject({
      state: 'stopped',
      uncertain: false,
      messageIds: [expect.any(String)],
    });
    const calls = discord.rest.calls.length;
    await expect(send(['x'])).rejects.toMatchObject({ code: 'unknown_webhook' });
    expect(discord.rest.calls.length).toBe(calls);
  });
});

describe('many concurrent texts', () => {
  test('are posted one at a time for one webhook, in the order of their arrival', async () => {
    const { webhook, send } = await startSending();
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => send(texts(4, name))));
    expect(webhook.texts).toEqual(['a', 'b', 'c', 'd', 'e'].flatMap((name) => texts(4, name)));
  });

  test('are refused as busy beyond the queue, and post nothing', async () => {
    const { discord, webhook, send } = await startSending();
    await send(['first']);
    const gate = discord.rest.faults.hold(POST, { times: Infinity });
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => send([name]));
    await expect(all[5]).rejects.toMatchObject({ code: 'busy' });
    gate.release();
    await Promise.all(all.slice(0, 5));
    expect(webhook.texts).toEqual(['first', 'a', 'b', 'c', 'd', 'e']);
  });

  test('are posted two at a time for a server while eight wait, whatever the webhooks', async () => {
    const { discord, send, deliveries } = await startSending();
    const webhooks = Array.from({ length: 11 }, () => discord.addWebhook({ guildId: GUILD }));
    const gate = discord.rest.faults.hold(POST, { times: Infinity });
    const all = webhooks.map((webhook) => send(['x'], { webhook }));
    await expect(all[10]).rejects.toMatchObject({ code: 'busy' });
    await expect.poll(() => deliveries.stats).toEqual({ running: 2, waiting: 8 });
    gate.release();
    for (const report of await Promise.all(all.slice(0, 10))) expect(report.state).toBe('sent');
  });

  test('are posted sixteen at a time by a process while 64 wait', async () => {
    const { discord, send, deliveries } = await startSending();
    const gate = discord.rest.faults.hold(POST, { times: Infinity });
    const all = Array.from({ length: 81 }, (_, at) => {
      const guildId = String(400_000_000_000_000_000n + BigInt(at));
      return send(['x'], { webhook: discord.addWebhook({ guildId }), guildId, tenantId: guildId });
    });
    await expect(all[80]).rejects.toMatchObject({ code: 'busy' });
    await expect.poll(() => deliveries.stats).toEqual({ running: 16, waiting: 64 });
    gate.release();
    for (const report of await Promise.all(all.slice(0, 80))) expect(report.state).toBe('sent');
  });

  test('take no slot from another webhook of their server while they wait for one', async () => {
    const { discord, send } = await startSending();
    await send(['first']);
    const other = discord.addWebhook({ guildId: GUILD });
    const gate = discord.rest.faults.hold(POST);
    const slow = [send(['a']), send(['b']), send(['c'])];
    await gate.reached;
    expect(await send(['x'], { webhook: other })).toMatchObject({ state: 'sent' });
    gate.release();
    await Promise.all(slow);
  });

  test('do not wait for one with a wrong token for the same webhook', async () => {
    const { discord, webhook, send } = await startSending();
    await send(['first']);
    const gate = discord.rest.faults.hold(DESCRIBE);
    const wrong = { id: webhook.id, token: 'x'.repeat(68) };
    const waiting = send(['foreign'], { webhook: wrong, tenantId: FOREIGN_GUILD, guildId: FOREIGN_GUILD });
    await gate.reached;
    expect(await send(['second'])).toMatchObject({ state: 'sent' });
    gate.release();
    await expect(waiting).rejects.toMatchObject({ code: 'unknown_webhook' });
    expect(webhook.texts).toEqual(['first', 'second']);
  });

  test('do not wait for a server whose webhook is stuck', async () => {
    const { discord, send } = await startSending();
    const other = discord.addWebhook({ guildId: FOREIGN_GUILD });
    const gate = discord.rest.faults.hold(POST);
    const slow = send(['slow']);
    await gate.reached;
    const delivery = { webhook: other, guildId: FOREIGN_GUILD, tenantId: FOREIGN_GUILD };
    expect((await send(texts(5), delivery)).state).toBe('sent');
    gate.release();
    expect((await slow).state).toBe('sent');
  });
});

describe('an Idempotency-Key', () => {
  test('posts once, however often it is sent; with another text it is a conflict', async () => {
    const { webhook, send } = await startSending();
    const key = { idempotencyKey: 'k' };
    const reports = await Promise.all([send(texts(3), key), send(texts(3), key), send(texts(3), key)]);
    for (const report of [...reports, await send(texts(3), key)]) expect(report).toEqual(reports[0]);
    expect(webhook.texts).toEqual(texts(3));
    await expect(send(['other'], key)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    // Keys of another server are its own.
    expect((await send(['other'], { ...key, guildId: null, tenantId: '0' })).state).toBe('sent');
  });

  test('is released when nothing was posted', async () => {
    const { discord, webhook, send } = await startSending();
    const key = { idempotencyKey: 'k' };
    discord.rest.faults.fail(POST, 400, { code: 50_035 });
    await expect(send(['x'], key)).rejects.toMatchObject({ code: 'invalid_field' });
    expect((await send(['y'], key)).state).toBe('sent');
    expect(webhook.texts).toEqual(['y']);
  });

  test('is released everywhere before its caller hears that nothing was posted', async () => {
    const happened: string[] = [];
    const { discord, send } = await startSending(
      {},
      null,
      undefined,
      storeWith({
        async releaseKey() {
          await setImmediate();
          happened.push('free');
        },
      }),
    );
    discord.rest.faults.fail(POST, 400, { code: 50_035 });
    await send(['x'], { idempotencyKey: 'k' }).catch(() => happened.push('told'));
    expect(happened).toEqual(['free', 'told']);
  });

  test('is forgotten after its time, and posts again then', async () => {
    const { webhook, send } = await startSending({ resultKeptMs: 1 });
    await send(['x'], { idempotencyKey: 'k' });
    await expect.poll(() => send(['y'], { idempotencyKey: 'k' }).catch(() => null)).not.toBeNull();
    expect(webhook.texts).toEqual(['x', 'y']);
  });
});

describe('a text without time left', () => {
  test('ends immediately at a limit that lasts longer, and reports its duration', async () => {
    const { discord, webhook, send, delivery, deliveries } = await startSending({ beginMs: 5_000 });
    discord.rest.faults.rateLimit(POST, 60);
    await expect(send(['x'])).rejects.toMatchObject({ code: 'discord_rate_limited', retryAfterSeconds: 60 });
    const other = discord.addWebhook({ guildId: GUILD });
    const gate = discord.rest.faults.hold(POST);
    const sending = deliveries.send(delivery(texts(2), { webhook: other }));
    await gate.reached;
    discord.rest.faults.rateLimit(POST, 60);
    gate.release();
    expect(await sending).toMatchObject({
      state: 'stopped',
      uncertain: false,
      messageIds: [expect.any(String)],
      retryAfterSeconds: 60,
    });
    expect([webhook.texts, other.texts]).toEqual([[], ['part 1']]);
  });

  test('is refused as busy after too long a wait, with nothing posted', async () => {
    const { discord, webhook, send } = await startSending({ beginMs: 300 });
    await send(['first']);
    const gate = discord.rest.faults.hold(POST);
    const slow = send(['slow']);
    await gate.reached;
    await expect(send(['late'])).rejects.toMatchObject({ code: 'busy' });
    gate.release();
    await slow;
    expect(webhook.texts).toEqual(['first', 'slow']);
  });
});

test('the time for a text begins with its request and includes the splitter', async () => {
  const { discord, webhook, deliveries } = await startSending();
  let waitedMs = 0;
  shiftClock(() => waitedMs);
  // Long texts are split one at a time. This one is split after a minute.
  const { signal } = new AbortController();
  vi.spyOn(signal, 'throwIfAborted').mockImplementation(() => void (waitedMs = 60_000));
  const answer = operation.answer(
    { text: 'words '.repeat(4_000) },
    {
      now: Date.now,
      deliveries,
      images: { fetch: () => Promise.reject(new Error('no image is asked for')) },
      members: NO_MEMBERS,
      restMembers: NO_REST_MEMBERS,
      tenantId: GUILD,
      guildId: GUILD,
      secret: webhook.url,
      idempotencyKey: null,
      signal,
    },
  );
  await expect(answer).rejects.toMatchObject({ key: 'discord_timeout/posting' });
  expect(discord.rest.callsTo(POST)).toEqual([]);
});

describe('a failed connection', () => {
  test('is retried while there is time', async () => {
    const port = await findFreePort();
    const { deliveries, delivery } = await startSending(
      { connectPauseMs: 20 },
      `http://127.0.0.1:${port}/api`,
    );
    const webhook = { id: '1100000000000000000', token: 'x'.repeat(68) };
    const sending = deliveries.send(delivery(['x'], { webhook })).catch((error: unknown) => error);
    await using _later = await startSimulator({ port });
    // Discord is there now, and says that it knows no such webhook.
    expect(await sending).toMatchObject({ code: 'unknown_webhook' });
  });

  test('is a failure with nothing posted when time is up', async () => {
    const port = await findFreePort();
    const { send } = await startSending({ beginMs: 100 }, `http://127.0.0.1:${port}/api`);
    await expect(send(['x'])).rejects.toMatchObject({ code: 'discord_unavailable' });
  });
});

test('the record of a text names no webhook and no word of it, however it ends', async () => {
  const { discord, webhook, send, records } = await startSending();
  await send(['secret words']);
  const { faults } = discord.rest;
  for (const fault of ['drop', 'loseAnswer', 'garble'] as const) {
    faults[fault](POST);
    await send(['secret words']);
  }
  for (const status of [400, 401, 403, 500]) {
    faults.fail(POST, status, { code: 50_035, message: `${webhook.url} secret words` });
    await send(['secret words']).catch(() => null);
  }
  expect(records).toHaveLength(8);
  const everything = inspect(records, { depth: Infinity });
  expect(everything).toContain('The call to Discord failed');
  for (const secret of [webhook.token, 'secret words']) expect(everything).not.toContain(secret);
});

test('the record of a text has the outcome that the caller got', async () => {
  const { discord, send, records } = await startSending();
  const { faults } = discord.rest;
  await send(['all of it']);
  await send(['the first part'], { total: 2 });
  faults.loseAnswer(POST);
  await send(['x']);
  faults.fail(POST, 400, { code: 50_035 });
  await send(['x']).catch(() => null);
  const gate = faults.hold(POST);
  const stopped = send(texts(2));
  await gate.reached;
  faults.fail(POST, 400, { code: 50_035 });
  gate.release();
  await stopped;
  expect(records.map(({ outcome, sent, total }) => [outcome, sent, total])).toEqual([
    ['sent', 1, 1],
    ['stopped', 1, 2],
    ['uncertain', 0, 1],
    ['refused', 0, 1],
    ['stopped', 1, 2],
  ]);
});

test('no text is sent while Discord refuses too much', async () => {
  const breaker = new InvalidRequestBreaker({ cautiousFrom: 0, pausedFrom: 1 });
  const { discord, webhook, send } = await startSending({}, null, breaker);
  await expect(send(['x'])).rejects.toMatchObject({
    code: 'discord_paused',
    message: expect.stringMatching(/^Sending is paused/),
  });
  expect(discord.rest.calls).toEqual([]);
  expect(webhook.texts).toEqual([]);
});

describe('the stop of a process', () => {
  test('ends a text after its message and a waiting one immediately, and accepts no more', async () => {
    const { discord, webhook, delivery, deliveries } = await startSending();
    const gate = discord.rest.faults.hold(POST);
    const running = deliveries.send(delivery(texts(2)));
    await gate.reached;
    const waiting = deliveries.send(delivery(['waits']));
    const draining = deliveries.drain(10_000);
    await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' });
    gate.release();
    expect(await running).toMatchObject({ state: 'stopped', uncertain: false, retryAfterSeconds: 5 });
    await draining;
    await expect(deliveries.send(delivery(['x']))).rejects.toMatchObject({ code: 'shutting_down' });
    expect(webhook.texts).toEqual(['part 1']);
  });
});

describe('a process that was paused', () => {
  test('sends no message on a connection that was opened too late, and the text stops there', async () => {
    // The process is paused after the second message has begun to leave.
    let posts = 0;
    let isLate = false;
    const { webhook, send } = await startSending();
    shiftClock(() => (isLate ? 60_000 : 0));
    const onCreated = (message: unknown) => {
      const { method } = (message as { request: { method: string } }).request;
      if (method === 'POST') posts += 1;
      if (posts === 2) isLate = true;
    };
    subscribe('undici:request:create', onCreated);
    onTestFinished(() => void unsubscribe('undici:request:create', onCreated));
    const report = await send(texts(3));
    expect(report).toMatchObject({
      state: 'stopped',
      uncertain: false,
      messageIds: [expect.any(String)],
      retryAfterSeconds: 1,
    });
    expect(webhook.texts).toEqual(texts(3).slice(0, 1));
  });
});

describe('the shared delivery store', () => {
  test('is asked before each message: when the webhook is no longer ours, the text stops', async () => {
    let asked = 0;
    const { webhook, send } = await startSending(
      {},
      null,
      undefined,
      storeWith({ hasWebhook: () => Promise.resolve((asked += 1) < 3) }),
    );
    expect(await send(texts(5))).toMatchObject({
      state: 'stopped',
      uncertain: false,
      messageIds: [expect.any(String), expect.any(String)],
      reason: expect.stringContaining('lock'),
      retryAfterSeconds: 10,
    });
    expect(webhook.texts).toEqual(texts(2));
  });

  test('is waited for when it is briefly unreachable in the middle of a text', async () => {
    let asked = 0;
    const { webhook, send } = await startSending(
      {},
      null,
      undefined,
      storeWith({
        hasWebhook: () => ((asked += 1) === 2 ? Promise.reject(new Error('away')) : Promise.resolve(true)),
      }),
    );
    expect(await send(texts(3))).toMatchObject({ state: 'sent' });
    expect([webhook.texts, asked]).toEqual([texts(3), 4]);
  });

  test.each(['lockWebhook', 'reserveKey'] as const)(
    'posts nothing when %s has no answer',
    async (question) => {
      const undone: string[] = [];
      const { discord, send } = await startSending(
        {},
        null,
        undefined,
        storeWith({
          [question]: () => Promise.reject(new Error('away')),
          unlockWebhook: async () => void undone.push('lockWebhook'),
          releaseKey: async () => void undone.push('reserveKey'),
        }),
      );
      await expect(send(['x'], { idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'busy' });
      expect(discord.rest.callsTo(POST)).toEqual([]);
      // Perhaps it was done, and only the answer is missing.
      expect(undone).toContain(question);
    },
  );
});
