import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { quickOrFull } from '../../../fixtures/full-run.ts';
import { ManualDiscord } from './manual-discord.ts';

const DAY_MS = 86_400_000;
const pausesOf = (instants: readonly number[]) =>
  instants.slice(1).map((at, index) => Math.round((at - (instants[index] ?? 0)) / 1_000));

describe('identifies', () => {
  test('wait 10 s from the third refusal on, doubled up to 5 minutes', async () => {
    await using discord = new ManualDiscord();
    discord.identify = () => 'invalid session';
    await discord.start();
    await discord.pass(1_500_000);
    const pauses = pausesOf(discord.identifiedAt).slice(2);
    // Seconds of the clock of this test come on top.
    for (const [refusal, atLeast] of [10, 20, 40, 80, 160, 300, 300].entries()) {
      expect(pauses[refusal]).toBeGreaterThanOrEqual(atLeast);
      expect(pauses[refusal]).toBeLessThanOrEqual(atLeast + 5);
    }
  });

  test('wait just as long when they are accepted but no session lasts', async () => {
    await using discord = await new ManualDiscord().start();
    for (let second = 0; second < 600; second += 1) {
      discord.link()?.end(4009);
      await discord.pass(1_000);
    }
    expect(discord.identifiedAt.length).toBeLessThan(12);
    expect(discord.identifiedAt.length).toBeGreaterThan(5);
  });

  test('stay within the daily limit of Discord when every one is refused, and leave 5% for a restart', async () => {
    await using discord = new ManualDiscord(8);
    discord.identify = () => 'invalid session';
    await discord.start();
    await discord.pass(DAY_MS - 60_000, 10_000);
    expect(discord.identifiedAt.length).toBeLessThanOrEqual(950);
    expect(discord.connection.state()).toMatchObject({ connected: false });
    expect(discord.connection.state().reason).toContain('kept for a restart by hand');
    discord.identify = () => 'accepted';
    await discord.pass(600_000, 5_000);
    expect(discord.connection.state()).toMatchObject({ connected: true, reason: null });
  });

  test("are counted here too between two requests for Discord's count: with 3 left, 8 shards send 3", async () => {
    await using discord = new ManualDiscord(8);
    discord.identifiesLeft = 3;
    await discord.start();
    expect(discord.identifiedAt.length).toBe(3);
    expect(discord.connection.state()).toMatchObject({ connected: false, identifiesLeft: 0 });
  });

  test('are few in a day of bad connections, and the bot recovers afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(999)), async (dice) => {
        await using discord = new ManualDiscord(2);
        const roll = () => dice.next().value ?? 0;
        discord.handshake = () => (roll() < 300 ? 'refused' : 'open');
        discord.identify = () => {
          if (roll() < 300) return 'invalid session';
          return roll() < 100 ? 4000 : 'accepted';
        };
        await discord.start();
        for (let minute = 0; minute < 1_440; minute += 5) {
          if (roll() < 100) discord.forgetSessions();
          if (roll() < 300) discord.link(roll() % 2)?.end(roll() < 500 ? 1006 : 4000);
          if (roll() < 50) {
            const link = discord.link(roll() % 2);
            if (link !== null) link.isFrozen = true;
          }
          await discord.pass(300_000, 5_000);
        }
        expect(discord.identifiedAt.length).toBeLessThan(500);
        discord.handshake = () => 'open';
        discord.identify = () => 'accepted';
        await discord.pass(900_000, 5_000);
        expect([discord.answer(0), discord.answer(1)]).toEqual([discord.holders(0), discord.holders(1)]);
      }),
      { seed: 20_260_118, numRuns: quickOrFull(1, 3) },
    );
  });
});
