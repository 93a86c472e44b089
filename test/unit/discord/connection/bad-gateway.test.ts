import type { GatewayReceivePayload } from 'discord-api-types/v10';
import { GatewayOpcodes } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { ManualDiscord, HEARTBEAT_MS } from './manual-discord.ts';

const reconnect = { op: GatewayOpcodes.Reconnect } as GatewayReceivePayload;

describe('the connection with an unusable URL or frame', () => {
  test.each(['', 'resume.example', 'https://resume.example', 7, {}])(
    'resumes at the URL of the gateway when resume_gateway_url is %j',
    async (resumeUrl) => {
      await using discord = new ManualDiscord();
      discord.resumeUrl = resumeUrl;
      await discord.start();
      discord.link()!.push(reconnect);
      discord.deliver();
      discord.toggle(3);
      await discord.pass(5_000);
      expect(discord.answer()).toBe(discord.holders());
      expect(discord.identifiedAt.length).toBe(1);
      expect(new URL(discord.opened[1]!).host).toBe('gateway.example');
    },
  );

  test.each(['gateway.example', '', 'https://gateway.example', null])(
    'asks again for /gateway/bot when its `url` is %j, and connects once it is right',
    async (gatewayUrl) => {
      await using discord = new ManualDiscord();
      discord.gatewayUrl = gatewayUrl;
      await discord.start();
      expect([discord.opened, discord.answer()]).toEqual([[], null]);
      expect(discord.connection.state().reason).toContain('Discord');
      discord.gatewayUrl = 'wss://gateway.example/?compress=zlib-stream#part';
      await discord.pass(10_000);
      expect(discord.answer()).toBe(discord.holders());
      expect(discord.opened).toEqual(['wss://gateway.example/?v=10&encoding=json']);
    },
  );

  test.each([
    null,
    {},
    'x',
    { heartbeat_interval: 0 },
    { heartbeat_interval: -1 },
    { heartbeat_interval: '41250' },
  ])('tries another connection after a pause when HELLO holds %j', async (hello) => {
    await using discord = new ManualDiscord();
    discord.hello = hello;
    await discord.start();
    expect(discord.opened.length).toBeGreaterThan(1);
    expect(discord.opened.length).toBeLessThan(6);
    expect([discord.beats, discord.answer()]).toEqual([[], null]);
    discord.hello = { heartbeat_interval: HEARTBEAT_MS };
    await discord.pass(10_000);
    expect(discord.answer()).toBe(discord.holders());
  });

  test.each([
    ['null', () => null],
    ['no session', (data: object) => ({ ...data, session_id: undefined })],
    ['no guilds', (data: object) => ({ ...data, guilds: null })],
    ['no application', (data: object) => ({ ...data, application: undefined })],
  ])('tries another connection after a pause when READY comes with %s', async (_, ready) => {
    await using discord = new ManualDiscord();
    discord.ready = ready;
    await discord.start();
    expect(discord.connection.state().connected).toBe(false);
    expect(discord.opened.length).toBeLessThan(6);
    discord.ready = (data) => data;
    await discord.pass(60_000);
    expect(discord.answer()).toBe(discord.holders());
  });

  test('keeps the sequence of the session when a dispatch has `s: null`', async () => {
    await using discord = await new ManualDiscord().start();
    const stray = { op: GatewayOpcodes.Dispatch, s: null, t: 'STRAY', d: {} };
    discord.link()!.push(stray as unknown as GatewayReceivePayload);
    discord.link()!.push(reconnect);
    discord.deliver();
    discord.toggle(3);
    await discord.pass(5_000);
    expect(discord.answer()).toBe(discord.holders());
    expect(discord.identifiedAt.length).toBe(1);
  });
});

describe('an unanswered IDENTIFY', () => {
  test('is tolerated as long as heartbeats are acknowledged', async () => {
    await using discord = new ManualDiscord();
    discord.identify = () => 'silence';
    await discord.start();
    await discord.pass(3_600_000, 5_000);
    expect([discord.opened.length, discord.identifiedAt.length]).toEqual([1, 1]);
    expect(discord.beats.length).toBeGreaterThan(80);
  });

  test('ends the connection when heartbeats are not acknowledged', async () => {
    await using discord = new ManualDiscord();
    discord.identify = () => 'silence';
    await discord.start();
    discord.acknowledges = false;
    discord.identify = () => 'accepted';
    await discord.pass(HEARTBEAT_MS + 20_000);
    discord.acknowledges = true;
    await discord.pass(20_000);
    expect(discord.answer()).toBe(discord.holders());
  });
});

describe.each([1_000, 5_000, 10_000, 30_000, 41_250, 120_000])(
  'a connection with a heartbeat every %i ms',
  (intervalMs) => {
    test('is replaced before the second next heartbeat when it is half open', async () => {
      await using discord = new ManualDiscord();
      discord.hello = { heartbeat_interval: intervalMs };
      await discord.start();
      await discord.pass(intervalMs * 2, 500);
      expect(discord.opened.length).toBe(1);
      discord.link()!.isFrozen = true;
      discord.toggle(5);
      await discord.pass(intervalMs * 2 + 3_000, 250);
      expect(discord.answer()).toBe(discord.holders());
      expect([discord.opened.length, discord.identifiedAt.length]).toEqual([2, 1]);
    });

    test('is replaced when its heartbeats are not acknowledged, whatever else arrives', async () => {
      await using discord = new ManualDiscord();
      discord.hello = { heartbeat_interval: intervalMs };
      await discord.start();
      discord.acknowledges = false;
      for (
        let passedMs = 0;
        passedMs < intervalMs * 2 + 3_000 && discord.opened.length === 1;
        passedMs += 500
      ) {
        discord.toggle(passedMs);
        await discord.pass(500, 250);
      }
      discord.acknowledges = true;
      await discord.pass(10_000, 250);
      expect([discord.opened.length, discord.identifiedAt.length]).toEqual([2, 1]);
    });
  },
);

describe('the URL of the gateway', () => {
  test('is requested again after failures, so a gateway that has moved is found without a restart', async () => {
    await using discord = await new ManualDiscord().start();
    discord.gatewayUrl = 'wss://moved.example';
    discord.handshake = (url) => (url.includes('moved') ? 'open' : 'refused');
    discord.link()!.end(1006);
    discord.forgetSessions();
    await discord.pass(120_000);
    expect(discord.answer()).toBe(discord.holders());
  });

  test('is not requested again at each attempt', async () => {
    await using discord = await new ManualDiscord(4).start();
    const { asked } = discord;
    discord.handshake = () => 'refused';
    for (let shardId = 0; shardId < 4; shardId += 1) discord.link(shardId)!.end(1006);
    await discord.pass(600_000, 5_000);
    expect(discord.asked - asked).toBeLessThanOrEqual(20);
    expect(discord.asked - asked).toBeGreaterThan(2);
  });

  test('is used for a session as long as it accepts the RESUME, however often the connection breaks', async () => {
    await using discord = await new ManualDiscord().start();
    for (let time = 0; time < 6; time += 1) {
      discord.link()!.end(1006);
      await discord.pass(40_000);
      expect(new URL(discord.opened.at(-1)!).host).toBe('resume.example');
    }
  });

  test('is no longer used for a session once it is unreachable', async () => {
    await using discord = await new ManualDiscord().start();
    discord.handshake = (url) => (url.includes('resume') ? 'refused' : 'open');
    discord.link()!.end(1006);
    await discord.pass(30_000);
    expect(discord.answer()).toBe(discord.holders());
    expect(discord.identifiedAt.length).toBe(1);
  });
});

test('heartbeats before a new IDENTIFY carry null', async () => {
  await using discord = new ManualDiscord();
  discord.hello = { heartbeat_interval: 1_000 };
  await discord.start();
  const refuse = async () => {
    discord.link()!.push({ op: GatewayOpcodes.InvalidSession, d: false } as GatewayReceivePayload);
    await discord.pass(2_000, 250);
  };
  await refuse();
  expect(discord.identifiedAt.length).toBe(2);
  discord.beats.length = 0;
  // A bucket takes one identify in 5 s, so this one is not sent yet.
  await refuse();
  expect(discord.identifiedAt.length).toBe(2);
  expect(discord.beats.length).toBeGreaterThan(0);
  expect(discord.beats.at(-1)).toBe(null);
});

describe('a repeated close code', () => {
  test('is reported by readiness and in one log line until a connection lasts', async () => {
    await using discord = new ManualDiscord(2);
    discord.identify = () => 4008;
    await discord.start();
    await discord.pass(200_000);
    expect(discord.connection.state().reason).toContain('4008');
    expect(discord.logLines.filter((line) => line.includes('4008'))).toHaveLength(1);
    discord.identify = () => 'accepted';
    await discord.pass(600_000);
    expect(discord.connection.state()).toMatchObject({ connected: true, reason: null });
  });

  test('is not reported the first time', async () => {
    await using discord = await new ManualDiscord().start();
    discord.link()!.end(4000);
    expect(discord.connection.state().reason).not.toContain('4000');
  });
});
