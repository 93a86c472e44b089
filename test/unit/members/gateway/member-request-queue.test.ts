import fc from 'fast-check';
import { expect, test } from 'vitest';

import { MEMBER_REQUESTS, MemberRequestQueue } from '../../../../src/members/gateway/member-request-queue.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';

const DISCORD = { sends: 120, windowMs: 60_000 };
/** Heartbeats, logins and their like within a window. */
const OTHER_SENDS = 10;
/** Milliseconds that a network may keep everything back before it delivers it at once. */
const DELAY_MS_MAX = 5_000;

function start() {
  const timers = new ManualTimers();
  const sent: { readonly guildId: string; readonly at: number }[] = [];
  const queue = new MemberRequestQueue({
    ...MEMBER_REQUESTS,
    timers,
    isOpen: () => true,
    send: (guildId) => void sent.push({ guildId, at: timers.monotonic() }),
  });
  return { timers, sent, queue };
}

test('Discord never receives more than it allows, whatever the delays of the network', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(DELAY_MS_MAX), { minLength: 20, maxLength: 20 }),
      fc.nat(40),
      (delays, asked) => {
        const { timers, sent, queue } = start();
        for (let guild = 0; guild < 900; guild += 1) queue.add(String(guild), 0);
        for (let at = 0; at < asked; at += 1) {
          queue.prefer(String(899 - at));
          timers.advance(1_700);
        }
        timers.advance(700_000);
        expect(sent.length).toBe(900);
        // The delay changes every minute; what was sent earlier arrives earlier.
        let lastAt = 0;
        const arrivals = sent.map(({ at }) => {
          lastAt = Math.max(lastAt, at + (delays[Math.floor(at / 60_000) % delays.length] ?? 0));
          return lastAt;
        });
        for (const [index, at] of arrivals.entries()) {
          const inWindow = arrivals.slice(0, index + 1).filter((other) => other > at - DISCORD.windowMs);
          expect(inWindow.length).toBeLessThanOrEqual(DISCORD.sends - OTHER_SENDS);
        }
      },
    ),
    { seed: 20_260_118, numRuns: quickOrFull(12, 40) },
  );
});

test('a server that a caller asks for does not wait for the burst of a start', () => {
  const { timers, sent, queue } = start();
  for (let guild = 0; guild < 1_000; guild += 1) queue.add(String(guild), 0);
  timers.advance(1_000);
  expect(sent.length).toBe(100);
  for (const guildId of ['999', '998']) {
    expect(queue.waitMs(guildId)).toBeGreaterThan(60_000);
    queue.prefer(guildId);
  }
  expect(sent.slice(100).map(({ guildId }) => guildId)).toEqual(['999', '998']);
});

test('a new connection does not begin a new window', () => {
  const { timers, sent, queue } = start();
  for (let guild = 0; guild < 300; guild += 1) queue.add(String(guild), 0);
  timers.advance(10_000);
  queue.run();
  timers.advance(54_999);
  expect(sent.length).toBe(100);
  timers.advance(1);
  expect(sent.length).toBe(200);
});
