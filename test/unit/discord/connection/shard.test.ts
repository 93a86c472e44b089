import { getEventListeners } from 'node:events';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { GatewayOpcodes, type GatewayReceivePayload } from 'discord-api-types/v10';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { ManualDiscord, HEARTBEAT_MS } from './manual-discord.ts';
import { settle } from '../../../fixtures/settle.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Milliseconds for which old lists are answered after the network has swallowed everything. */
async function answeredOver(discord: ManualDiscord): Promise<number> {
  await discord.pass(HEARTBEAT_MS);
  const frozenAt = discord.timers.monotonic();
  const before = discord.answer();
  discord.link()!.isFrozen = true;
  discord.toggle(5);
  let lastAt = frozenAt;
  for (let step = 0; step < 360; step += 1) {
    if (discord.answer() === before) lastAt = discord.timers.monotonic();
    await discord.pass(250, 250);
  }
  return lastAt - frozenAt;
}

/** Updates that come one after the other. Each must count immediately. */
function change(discord: ManualDiscord, times: number): WeakRef<object>[] {
  const link = discord.link(0)!;
  return Array.from({ length: times }, (_, at) => {
    discord.toggle(at);
    // The session of this Discord keeps what it sends, for a RESUME: a copy of its own is what arrives here.
    const frame = structuredClone(link.waiting.pop()!);
    link.push(frame);
    link.deliver();
    expect(discord.answer(0)).toBe(discord.holders(0));
    return new WeakRef(frame);
  });
}

describe('a connection', () => {
  test('loads the lists of its guilds and follows their changes', async () => {
    await using discord = await new ManualDiscord().start();
    expect(discord.answer()).toBe(discord.holders());
    discord.toggle(5);
    discord.deliver();
    expect(discord.answer()).toBe(discord.holders());
  });

  test('is replaced when it is half open, after at most one heartbeat interval and 10 s', async () => {
    await using discord = await new ManualDiscord().start();
    const ms = await answeredOver(discord);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(HEARTBEAT_MS + 10_000);
    expect(discord.answer()).toBe(discord.holders());
    expect([discord.links.length, discord.identifiedAt.length]).toEqual([2, 1]);
  });

  test('stops answering in time when it is half open and cannot be replaced', async () => {
    await using discord = await new ManualDiscord().start();
    discord.handshake = () => 'refused';
    expect(await answeredOver(discord)).toBeLessThanOrEqual(HEARTBEAT_MS + 10_000);
    expect(discord.answer()).toBe(null);
  });

  test.each([
    ['a cut', (discord: ManualDiscord) => discord.link()!.end(1006)],
    ['a close with 4000', (discord: ManualDiscord) => discord.link()!.end(4000)],
    [
      'the wish of Discord to connect again',
      (discord: ManualDiscord) =>
        discord.link()!.push({ op: GatewayOpcodes.Reconnect } as GatewayReceivePayload),
    ],
    [
      'a session that may be resumed',
      (discord: ManualDiscord) =>
        discord.link()!.push({ op: GatewayOpcodes.InvalidSession, d: true } as GatewayReceivePayload),
    ],
  ])('resumes after %s without an identify, and receives what it missed', async (_, lose) => {
    await using discord = await new ManualDiscord().start();
    lose(discord);
    discord.deliver();
    discord.toggle(3);
    await discord.pass(5_000);
    expect(discord.answer()).toBe(discord.holders());
    expect(discord.identifiedAt.length).toBe(1);
  });

  test('keeps its session when its handshakes are refused, and retries with growing pauses', async () => {
    await using discord = await new ManualDiscord().start();
    discord.handshake = () => 'refused';
    discord.link()!.end(1006);
    await discord.pass(600_000);
    expect(discord.links.length).toBeLessThan(25);
    expect(discord.answer()).toBe(null);
    discord.handshake = () => 'open';
    discord.toggle(3);
    await discord.pass(60_000);
    expect(discord.answer()).toBe(discord.holders());
    expect(discord.identifiedAt.length).toBe(1);
  });

  test('of one shard leaves the sessions of other shards alone when it is refused', async () => {
    await using discord = new ManualDiscord(4);
    let handshakes = 0;
    discord.handshake = () => ((handshakes += 1) === 3 ? 'refused' : 'open');
    await discord.start();
    expect(discord.shardStates.shardsReady).toBe(4);
    expect(discord.identifiedAt.length).toBe(4);
  });
});

describe('while one shard is disconnected, changes of another', () => {
  test.each([
    ['has never been in', false],
    ['was in before and resumes', true],
  ])('count immediately and are stored nowhere, when it %s and when it is back', async (_, isInFirst) => {
    await using discord = new ManualDiscord(2);
    discord.handshake = () => (isInFirst || discord.links.length === 1 ? 'open' : 'refused');
    await discord.start();
    discord.handshake = () => 'refused';
    discord.link(1)?.end(1006);
    expect(discord.shardStates.shardsReady).toBe(1);
    const frames = change(discord, 1_000);
    discord.handshake = () => 'open';
    await discord.pass(30_000);
    expect(discord.shardStates.shardsReady).toBe(2);
    frames.push(...change(discord, 1_000));
    await nextIteration();
    collectGarbage();
    expect(frames.filter((frame) => frame.deref() !== undefined)).toEqual([]);
  });
});

describe('a final close code', () => {
  test.each([4004, 4010, 4012, 4013])(
    '%i on one shard ends all of them: no list is answered, and the reason is reported',
    async (closeCode) => {
      await using discord = await new ManualDiscord(2).start();
      expect([discord.answer(0), discord.answer(1)]).toEqual([discord.holders(0), discord.holders(1)]);
      discord.link(1)!.end(closeCode);
      expect([discord.answer(0), discord.answer(1)]).toEqual([null, null]);
      await settle();
      expect(discord.connection.state()).toMatchObject({ connected: false, ended: true, shardsReady: 0 });
      expect(discord.connection.state().reason).toBe(discord.ended?.message);
      expect(discord.links.filter(({ isOpen }) => isOpen)).toEqual([]);
      expect(discord.members.stats.members).toBe(0);
      const { length } = discord.links;
      await discord.pass(600_000, 10_000);
      expect(discord.links.length).toBe(length);
    },
  );

  test('4011 with `auto` connects again with more shards', async () => {
    await using discord = await new ManualDiscord(1).start();
    discord.shards = 2;
    discord.link(0)!.end(4011);
    await discord.pass(20_000);
    expect(discord.connection.state()).toMatchObject({ connected: true, shards: 2, shardsReady: 2 });
    expect([discord.answer(0), discord.answer(1)]).toEqual([discord.holders(0), discord.holders(1)]);
  });

  test('4011 again and again leaves no listener behind', async () => {
    const add = vi.spyOn(EventTarget.prototype, 'addEventListener');
    onTestFinished(() => add.mockRestore());
    await using discord = await new ManualDiscord().start();
    for (let times = 1; times <= 20; times += 1) {
      discord.link(0)!.end(4011);
      await discord.pass(6_000);
    }
    expect(discord.connection.state().shards).toBe(21);
    const signals = add.mock.contexts.filter((target) => target instanceof AbortSignal);
    const timesOf = (signal: AbortSignal) => signals.filter((each) => each === signal).length;
    const [ours] = signals.toSorted((one, other) => timesOf(other) - timesOf(one));
    expect(timesOf(ours!)).toBeGreaterThan(20);
    // One of `open`, and one of the last connection.
    expect(getEventListeners(ours!, 'abort')).toHaveLength(2);
  });

  test('4011 with `auto` adds one shard when Discord recommends no more than before', async () => {
    await using discord = await new ManualDiscord(1).start();
    discord.link(0)!.end(4011);
    await discord.pass(20_000);
    expect(discord.connection.state()).toMatchObject({ connected: true, shards: 2 });
  });
});

describe('a process that was paused', () => {
  test.each([10_000, 60_000])(
    'for %i ms answers no list before Discord has shown what it missed',
    async (ms) => {
      await using discord = await new ManualDiscord().start();
      discord.timers.stop(ms);
      discord.toggle(5);
      // Nothing has run yet: no timer, no frame.
      expect(discord.answer()).toBe(null);
      discord.toggle(6);
      discord.deliver();
      expect(discord.answer()).toBe(discord.holders());
      expect(discord.identifiedAt.length).toBe(1);
    },
  );

  test('connects again within seconds when its connection is gone by then', async () => {
    await using discord = await new ManualDiscord().start();
    discord.link()!.isFrozen = true;
    discord.timers.stop(60_000);
    discord.toggle(5);
    await discord.pass(13_000);
    expect(discord.answer()).toBe(discord.holders());
  });
});
