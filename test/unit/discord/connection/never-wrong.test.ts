import { GatewayOpcodes, type GatewayReceivePayload } from 'discord-api-types/v10';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ManualDiscord, HEARTBEAT_MS } from './manual-discord.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { settle } from '../../../fixtures/settle.ts';

const SHARDS = 2;
/** No answer misses anything that happened longer ago than this. */
const MISSED_MS_MAX = HEARTBEAT_MS + 10_000;

const frame = (op: GatewayOpcodes, d: unknown = null) => ({ op, d }) as unknown as GatewayReceivePayload;

/** Of the network and of Discord. Some are twice as likely as others. */
const FAILURES = [
  'freeze',
  'refuse',
  'freeze',
  'cut',
  'close',
  'reconnect',
  'invalid',
  'resumable',
  'forget',
  'refuse',
  'open',
] as const;

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('change'), member: fc.nat(63) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 60_000 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('freezeProcess'), ms: fc.integer({ min: 1, max: 90_000 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('sleepMachine'), ms: fc.integer({ min: 1, max: 90_000 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(...FAILURES),
      shard: fc.nat(SHARDS - 1),
    }),
  },
);

function fail(discord: ManualDiscord, kind: (typeof FAILURES)[number], shardId: number): void {
  const link = discord.link(shardId);
  if (kind === 'refuse') discord.handshake = () => 'refused';
  else if (kind === 'open') discord.handshake = () => 'open';
  else if (kind === 'forget') discord.forgetSessions();
  else if (kind === 'freeze' && link !== null) link.isFrozen = true;
  else if (kind === 'cut') link?.end(1006);
  else if (kind === 'close') link?.end(4000);
  else if (kind === 'reconnect') link?.push(frame(GatewayOpcodes.Reconnect));
  else if (kind === 'invalid') link?.push(frame(GatewayOpcodes.InvalidSession, false));
  else if (kind === 'resumable') link?.push(frame(GatewayOpcodes.InvalidSession, true));
}

/** @returns how many answers were compared */
function compare(discord: ManualDiscord, continuedAt: number): number {
  let answers = 0;
  for (let shardId = 0; shardId < SHARDS; shardId += 1) {
    const answer = discord.answer(shardId);
    if (answer === null) continue;
    answers += 1;
    const { holders, missedSince } = discord.lastHeard(shardId);
    expect(answer).toBe(holders);
    expect(discord.timers.monotonic() - missedSince).toBeLessThan(MISSED_MS_MAX);
    // Either everything that was sent during the pause has been heard, or nothing is answered.
    expect(missedSince).toBeGreaterThanOrEqual(continuedAt);
  }
  return answers;
}

test('whatever fails, every answer reflects the last frame of its shard, and that frame is recent', async () => {
  let answers = 0;
  let silences = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10_000 }),
      fc.array(step, { minLength: 20, maxLength: 60 }),
      async (seed, steps) => {
        await using discord = await new ManualDiscord(SHARDS, seed).start();
        /** When the process continued after it was last frozen, or its machine last slept. */
        let continuedAt = -Infinity;
        const look = () => {
          const compared = compare(discord, continuedAt);
          answers += compared;
          silences += SHARDS - compared;
        };
        for (const each of steps) {
          if ('member' in each) discord.toggle(each.member, each.member % SHARDS);
          else if ('shard' in each) fail(discord, each.kind, each.shard);
          else if (each.kind === 'pass') {
            for (let left = each.ms; left > 0; left -= 2_000) {
              await discord.pass(Math.min(left, 2_000), 500);
              look();
            }
          } else {
            const { kind, ms } = each;
            discord.timers.stop(kind === 'freezeProcess' ? ms : 0);
            if (kind === 'sleepMachine') discord.timers.sleep(ms);
            discord.toggle(ms, ms % SHARDS);
            if (ms > 3_000) continuedAt = discord.timers.monotonic();
          }
          look();
          // Frames arrive one link after the other, with requests in between.
          for (const each of discord.links) each.deliver(look);
          await settle();
          look();
        }
        discord.handshake = () => 'open';
        await discord.pass(900_000, 2_000);
        for (let shardId = 0; shardId < SHARDS; shardId += 1) {
          expect(discord.answer(shardId)).toBe(discord.holders(shardId));
        }
      },
    ),
    { seed: 20_260_118, numRuns: quickOrFull(16, 100) },
  );
  // The law was tested: answers were compared.
  expect(answers).toBeGreaterThan(1_000);
  expect(silences).toBeGreaterThan(1_000);
});
