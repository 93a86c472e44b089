import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { InvalidAnswerBreaker } from '../../../src/upstream/invalid-answer-breaker.ts';
import { findFreePort } from '../../fixtures/free-port.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { DESCRIBE, FOREIGN_GUILD, GUILD, POST, startSending, texts } from './deliveries-setup.ts';

describe('a text of several messages', () => {
  test('arrives in order, and its webhook is looked up once', async () => {
    const { discord, webhook, send } = await startSending();
    const report = await send(texts(7));
    expect(webhook.texts).toEqual(texts(7));
    expect(report).toMatchObject({ state: 'sent', total: 7, channelId: webhook.channelId, rest: null });
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
  ] as const)('after a 429 of scope %s, another webhook is %s', async (scope, outcome) => {
    const { discord, send } = await startSending({ postingMsMax: 5_000 });
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

  test('waits after a 429 that names no time, longer each time', async () => {
    const { discord, webhook, send } = await startSending();
    discord.rest.faults.garble(POST, { status: 429, text: 'error code: 1015', times: 3 });
    expect(await send(texts(2))).toMatchObject({ state: 'sent' });
    expect(webhook.texts).toEqual(texts(2));
  });
});

describe('a message of which nobody knows whether it arrived', () => {
  test.each([
    ['the connection is cut after it was posted', 'loseAnswer', true],
    ['the connection is cut before it was posted', 'drop', false],
    ['the answer cannot be read', 'garble', false],
  ] as const)('ends the delivery as uncertain when %s', async (_, fault, arrives) => {
    const { discord, webhook, send } = await startSending();
    await send(['first']);
    discord.rest.faults[fault](POST);
    const report = await send(texts(3));
    expect(report).toMatchObject({
      state: 'stopped',
      uncertain: true,
      messageIds: [],
      rest: 'part 1part 2part 3',
    });
    expect(report.reason).toContain('message 1 of 3');
    expect(webhook.texts).toEqual(arrives ? ['first', 'part 1'] : ['first']);
  });

  test('ends the delivery in the middle, with the rest from that message on', async () => {
    const { discord, webhook, order, deliveries } = await startSending();
    const gate = discord.rest.faults.hold(POST);
    const sending = deliveries.send(order(texts(3)), new AbortController().signal);
    await gate.reached;
    discord.rest.faults.fail(POST, 502);
    gate.release();
    expect(await sending).toMatchObject({
      state: 'stopped',
      uncertain: true,
      messageIds: [webhook.messages[0]?.id],
      rest: 'part 2part 3',
    });
    expect(webhook.texts).toEqual(['part 1']);
  });

  test('is one without an answer in time', async () => {
    const { discord, send } = await startSending({ postTimeoutMs: 1_000 });
    await send(['first']);
    const gate = discord.rest.faults.hold(POST);
    expect(await send(texts(2))).toMatchObject({ state: 'stopped', uncertain: true, messageIds: [] });
    gate.release();
  });
});

describe('a webhook', () => {
  test('of another server, or of none, is refused, and the local key may use it', async () => {
    const { discord, send } = await startSending();
    const foreign = discord.addWebhook({ guildId: FOREIGN_GUILD });
    const ownerless = discord.addWebhook({ guildId: null });
    for (const webhook of [foreign, ownerless, foreign]) {
      await expect(send(['x'], { webhook })).rejects.toMatchObject({ code: 'guild_mismatch' });
    }
    expect(discord.rest.callsTo(DESCRIBE)).toHaveLength(2);
    expect(discord.rest.callsTo(POST)).toHaveLength(0);
    const report = await send(['x'], { webhook: foreign, guildId: null, ownerId: '0' });
    expect(report.state).toBe('sent');
  });

  test('that Discord does not know causes one call a day, and after five of them a server may try no more', async () => {
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
    const other = { guildId: null, ownerId: '0' };
    expect((await send(['x'], other)).state).toBe('sent');
    // It has worked, so what others of the server mistype does not stop it.
    expect((await send(['x'])).state).toBe('sent');
  });

  test.each([
    [401, 0, 'unknown_webhook', 'Webhook'],
    [404, 10_015, 'unknown_webhook', 'Webhook'],
    [404, 50_027, 'unknown_webhook', 'Webhook'],
    [404, 10_003, 'unknown_channel', 'thread_id'],
  ] as const)('to which Discord answers %i with code %i is %s', async (status, code, problem, field) => {
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

  test('that is deleted in the middle stops the delivery, and is remembered', async () => {
    const { discord, webhook, order, deliveries, send } = await startSending();
    const gate = discord.rest.faults.hold(POST);
    const sending = deliveries.send(order(texts(3)), new AbortController().signal);
    await gate.reached;
    const second = discord.rest.faults.hold(POST);
    gate.release();
    await second.reached;
    webhook.delete();
    second.release();
    expect(await sending).toMatchObject({ state: 'stopped', uncertain: false, rest: 'part 2part 3' });
    const calls = discord.rest.calls.length;
    await expect(send(['x'])).rejects.toMatchObject({ code: 'unknown_webhook' });
    expect(discord.rest.calls.length).toBe(calls);
  });
});

describe('many at once', () => {
  test('one webhook posts one text at a time, in the order in which they came', async () => {
    const { webhook, send } = await startSending();
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => send(texts(4, name))));
    expect(webhook.texts).toEqual(['a', 'b', 'c', 'd', 'e'].flatMap((name) => texts(4, name)));
  });

  test('more than may wait are busy, and post nothing', async () => {
    const { discord, webhook, send } = await startSending();
    await send(['first']);
    const gate = discord.rest.faults.hold(POST, { times: Infinity });
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => send([name]));
    await expect(all[5]).rejects.toMatchObject({ code: 'busy' });
    gate.release();
    await Promise.all(all.slice(0, 5));
    expect(webhook.texts).toEqual(['first', 'a', 'b', 'c', 'd', 'e']);
  });

  test('a wrong token does not hold up the webhook of which it has the id', async () => {
    const { discord, webhook, send } = await startSending();
    await send(['first']);
    const gate = discord.rest.faults.hold(DESCRIBE);
    const wrong = { id: webhook.id, token: 'x'.repeat(68) };
    const waiting = send(['foreign'], { webhook: wrong, ownerId: FOREIGN_GUILD, guildId: FOREIGN_GUILD });
    await gate.reached;
    expect(await send(['second'])).toMatchObject({ state: 'sent' });
    gate.release();
    await expect(waiting).rejects.toMatchObject({ code: 'unknown_webhook' });
    expect(webhook.texts).toEqual(['first', 'second']);
  });

  test('a server whose webhook is stuck does not hold up another one', async () => {
    const { discord, send } = await startSending();
    const other = discord.addWebhook({ guildId: FOREIGN_GUILD });
    const gate = discord.rest.faults.hold(POST);
    const slow = send(['slow']);
    await gate.reached;
    const order = { webhook: other, guildId: FOREIGN_GUILD, ownerId: FOREIGN_GUILD };
    expect((await send(texts(5), order)).state).toBe('sent');
    gate.release();
    expect((await slow).state).toBe('sent');
  });
});

describe('an Idempotency-Key', () => {
  test('posts once, however often it is sent; with another text it is a conflict', async () => {
    const { webhook, send } = await startSending();
    const key = { idempotencyKey: 'k' };
    const reports = await Promise.all([send(texts(3), key), send(texts(3), key), send(texts(3), key)]);
    expect(new Set(reports.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(await send(texts(3), key)).toEqual(reports[0]);
    expect(webhook.texts).toEqual(texts(3));
    await expect(send(['other'], key)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    // Keys of another server are its own.
    expect((await send(['other'], { ...key, guildId: null, ownerId: '0' })).state).toBe('sent');
  });

  test('is free again when nothing was posted', async () => {
    const { discord, webhook, send } = await startSending();
    const key = { idempotencyKey: 'k' };
    discord.rest.faults.fail(POST, 400, { code: 50_035 });
    await expect(send(['x'], key)).rejects.toMatchObject({ code: 'invalid_field' });
    expect((await send(['y'], key)).state).toBe('sent');
    expect(webhook.texts).toEqual(['y']);
  });

  test('is free everywhere before its caller hears that nothing was posted', async () => {
    const happened: string[] = [];
    const { discord, send } = await startSending({}, null, undefined, {
      processId: 'here',
      termMs: 15_000,
      lockWebhook: () => Promise.resolve('ours'),
      unlockWebhook: () => Promise.resolve(),
      takeKey: (_name, _input, deliveryId) => Promise.resolve(deliveryId),
      endKey: async (_name, _deliveryId, keptMs) => {
        await setImmediate();
        happened.push(keptMs === null ? 'free' : 'kept');
      },
      readStatus: () => Promise.reject(new Error('Nobody asks here.')),
    });
    discord.rest.faults.fail(POST, 400, { code: 50_035 });
    await send(['x'], { idempotencyKey: 'k' }).catch(() => happened.push('told'));
    expect(happened).toEqual(['free', 'told']);
  });
});

describe('a delivery that takes long', () => {
  test('is pending, and its server can ask for its status until a while after its end', async () => {
    const { discord, send, deliveries } = await startSending({ patienceMs: 1 });
    const gate = discord.rest.faults.hold(POST);
    const report = await send(texts(2));
    expect(report).toMatchObject({ state: 'pending', messageIds: [], retryAfterSeconds: 2 });
    await gate.reached;
    const { deliveryId } = report;
    await expect(deliveries.readStatus(deliveryId, FOREIGN_GUILD)).rejects.toMatchObject({
      code: 'unknown_delivery',
    });
    expect(await deliveries.readStatus(deliveryId, GUILD)).toMatchObject({ state: 'pending' });
    gate.release();
    await expect.poll(async () => (await deliveries.readStatus(deliveryId, GUILD)).state).toBe('sent');
  });

  test('is forgotten after that, with its rest', async () => {
    const { discord, send, deliveries } = await startSending({ keptMs: 1 });
    await send(['first']);
    discord.rest.faults.drop(POST);
    const { deliveryId } = await send(texts(2));
    await expect
      .poll(() =>
        deliveries.readStatus(deliveryId, GUILD).then(
          () => 'known',
          (error: { code: string }) => error.code,
        ),
      )
      .toBe('unknown_delivery');
    await expect.poll(() => deliveries.stats.restBytes).toBe(0);
  });
});

describe('when there is no time left', () => {
  test('a limit that lasts longer ends a text at once, and says how long it lasts', async () => {
    const { discord, webhook, send, order, deliveries } = await startSending({ postingMsMax: 5_000 });
    discord.rest.faults.rateLimit(POST, 60);
    await expect(send(['x'])).rejects.toMatchObject({ code: 'discord_rate_limited', retryAfterSeconds: 61 });
    const other = discord.addWebhook({ guildId: GUILD });
    const gate = discord.rest.faults.hold(POST);
    const sending = deliveries.send(order(texts(2), { webhook: other }), new AbortController().signal);
    await gate.reached;
    discord.rest.faults.rateLimit(POST, 60);
    gate.release();
    expect(await sending).toMatchObject({
      state: 'stopped',
      uncertain: false,
      rest: 'part 2',
      retryAfterSeconds: 61,
    });
    expect([webhook.texts, other.texts]).toEqual([[], ['part 1']]);
  });

  test('a text that waited too long is busy, and posted nothing', async () => {
    const { discord, webhook, send } = await startSending({ waitingMsMax: 1 });
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

describe('a connection that cannot be made', () => {
  test('is tried again while there is time', async () => {
    const port = await findFreePort();
    const { deliveries, order } = await startSending({ connectPauseMs: 20 }, `http://127.0.0.1:${port}/api`);
    const signal = new AbortController().signal;
    const webhook = { id: '1100000000000000000', token: 'x'.repeat(68) };
    const sending = deliveries.send(order(['x'], { webhook }), signal).catch((error: unknown) => error);
    await using _later = await startSimulator({ port });
    // Discord is there now, and says that it knows no such webhook.
    expect(await sending).toMatchObject({ code: 'unknown_webhook' });
  });

  test('is a failure with nothing posted when time is up', async () => {
    const port = await findFreePort();
    const { send } = await startSending({ lookUpMsMax: 100 }, `http://127.0.0.1:${port}/api`);
    await expect(send(['x'])).rejects.toMatchObject({ code: 'discord_unavailable' });
  });
});

test.each([
  ['a server', { restBytesPerGuildMax: 10 }],
  ['a process', { restBytesMax: 10 }],
])('rests of %s are bounded: the oldest loses its text, but keeps its state', async (_, bound) => {
  const { discord, send, deliveries } = await startSending(bound);
  await send(['first']);
  const ids: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    discord.rest.faults.drop(POST);
    ids.push((await send(['12345678'])).deliveryId);
  }
  const [oldest, newest] = await Promise.all(ids.map((id) => deliveries.readStatus(id, GUILD)));
  expect(oldest).toMatchObject({
    state: 'stopped',
    rest: null,
    reason: expect.stringContaining('no longer kept'),
  });
  expect(newest).toMatchObject({ state: 'stopped', rest: '12345678' });
  expect(deliveries.stats.restBytes).toBe(8);
});

test('what is recorded of a text names no webhook and no word of it, however it ends', async () => {
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

test('nothing is sent while Discord refuses too much', async () => {
  const breaker = new InvalidAnswerBreaker({ cautiousFrom: 0, pausedFrom: 1 });
  const { discord, webhook, send } = await startSending({}, null, breaker);
  await expect(send(['x'])).rejects.toMatchObject({
    code: 'discord_paused',
    message: expect.stringMatching(/^Sending is paused/),
  });
  expect(discord.rest.calls).toEqual([]);
  expect(webhook.texts).toEqual([]);
});

describe('the stop', () => {
  test('waits for callers who were told to come back, and shows them the end', async () => {
    const { discord, order, deliveries } = await startSending({ patienceMs: 1, statusGraceMs: 1_000 });
    const gate = discord.rest.faults.hold(POST);
    const { deliveryId } = await deliveries.send(order(texts(2)), new AbortController().signal);
    await gate.reached;
    let isDrained = false;
    const draining = deliveries.drain(10_000).then(() => void (isDrained = true));
    gate.release();
    await expect
      .poll(() => deliveries.readStatus(deliveryId, GUILD))
      .toMatchObject({ state: 'stopped', rest: 'part 2' });
    expect(isDrained).toBe(false);
    await draining;
    await expect(deliveries.send(order(['x']), new AbortController().signal)).rejects.toMatchObject({
      code: 'shutting_down',
    });
  });
});

describe('a message that is held back', () => {
  test('does not leave when its process has lost the webhook while it connected, and the text stops there', async () => {
    // The process is suspended after the second message has begun to leave: when there is a connection, the term is
    // over.
    let posts = 0;
    let isTaken = false;
    const { webhook, send } = await startSending({}, null, undefined, {
      processId: 'here',
      get termMs() {
        return isTaken ? 0 : 15_000;
      },
      lockWebhook: () => Promise.resolve(isTaken ? 'taken' : 'ours'),
      unlockWebhook: () => Promise.resolve(),
      takeKey: (_name, _input, deliveryId) => Promise.resolve(deliveryId),
      endKey: () => Promise.resolve(),
      readStatus: () => Promise.reject(new Error('Nobody asks here.')),
    });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + (isTaken ? 60_000 : 0));
    const onCreated = (message: unknown) => {
      const { method } = (message as { request: { method: string } }).request;
      if (method === 'POST') posts += 1;
      if (posts === 2) isTaken = true;
    };
    subscribe('undici:request:create', onCreated);
    onTestFinished(() => void unsubscribe('undici:request:create', onCreated));
    const report = await send(texts(3));
    expect(report).toMatchObject({ state: 'stopped', uncertain: false, messageIds: [expect.any(String)] });
    expect(webhook.texts).toEqual(texts(3).slice(0, 1));
  });
});
