import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, onTestFinished, test } from 'vitest';

import { discordRest } from '../../../src/upstream/discord-rest.ts';
import { MemberIndex } from '../../../src/members/index/member-index.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';
import {
  BLUE,
  bigGuild,
  EMPTY,
  GUILD,
  MEMBERS,
  membersOf,
  startTokenListing,
  untilTimersOf,
} from './rest-members-setup.ts';

const COUNT = quickOrFull(30_000, 250_000);

describe(`a guild of ${COUNT} members`, () => {
  test('is listed across rate limits, with growing progress and without delaying others', async () => {
    const simulated = bigGuild(COUNT);
    const { askUntilDone, discord } = await startTokenListing(
      { ...simulated, bots: [{ name: 'one' }, { name: 'two' }] },
      { callerWaitMs: quickOrFull(120, 300) },
    );
    discord.rest.limits.set(MEMBERS, { count: 10, windowMs: quickOrFull(200, 100) });
    const other = { secret: discord.bot('two').token };
    const pagesRead = () => discord.rest.callsTo(MEMBERS).filter(({ status }) => status === 200).length;

    const progress: number[] = [];
    const pagesDuringOther: number[] = [];
    const countWithOther = async () => {
      const before = pagesRead();
      const { value } = await askUntilDone({ count_only: true }, undefined, other);
      expect(value['count']).toBe(Math.ceil(COUNT / 3));
      pagesDuringOther.push(pagesRead() - before);
    };
    const counting: Promise<void>[] = [];
    const answer = await askUntilDone({}, ({ values }) => {
      // Not known before the first answer of Discord.
      if (values['total'] === '0') return;
      expect(values['total']).toBe((COUNT + 2).toLocaleString('en'));
      progress.push(Number(String(values['fetched']).replaceAll(',', '')));
      counting.push(countWithOther());
    });
    await Promise.all(counting);

    expect(membersOf(answer)).toEqual(discord.guild().holdersOf(BLUE));
    expect(progress.length).toBeGreaterThan(3);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(new Set(progress).size).toBeGreaterThan(3);
    expect(Math.max(...pagesDuringOther)).toBeLessThanOrEqual(10);
    expect(discord.rest.calls.filter(({ status }) => status === 429)).toHaveLength(0);
    // The one pass answers about the other roles too.
    expect((await askUntilDone({ role_id: GUILD, limit: 5 })).value).toMatchObject({
      count: COUNT + 2,
      returned: 5,
    });
    expect(pagesRead()).toBe(COUNT / 1_000 + 1);
  });
});

/**
 * Returns a function that counts the reachable objects of a class on which `method` was called. A search through the
 * whole heap would take seconds each time, because all test files of a worker share it.
 */
function track(prototype: object, method: string): () => number {
  const found: WeakRef<object>[] = [];
  const known = new WeakSet();
  const original = Object.getOwnPropertyDescriptor(prototype, method)!;
  const call = original.value as (...args: unknown[]) => unknown;
  Object.defineProperty(prototype, method, {
    ...original,
    value: function see(this: object, ...args: unknown[]) {
      if (!known.has(this)) found.push(new WeakRef(this));
      known.add(this);
      return call.apply(this, args);
    },
  });
  onTestFinished(() => void Object.defineProperty(prototype, method, original));
  return () => found.filter((each) => each.deref() !== undefined).length;
}

// The service loads it with `require`, and `import` would find another copy of the class.
const trackRest = () => track(discordRest().REST.prototype, 'setToken');
const trackIndexes = () => track(MemberIndex.prototype, 'addRole');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Waits first, because a `WeakRef` keeps its object until the current job ends. */
async function collect(): Promise<void> {
  await setImmediate();
  collectGarbage();
}

test('a result is freed when its time is over, even without a request', async () => {
  const { ask } = await startTokenListing(bigGuild(10), { keptMs: 1 });
  const countIndexes = trackIndexes();
  await ask();
  expect(countIndexes()).toBe(1);
  await untilTimersOf(1);
  await collect();
  expect(countIndexes()).toBe(0);
});

/** Each has two clients, so the first of them are more than may stay. */
const FIRST_TOKENS = quickOrFull(150, 300);

describe(`${FIRST_TOKENS + 150} different tokens`, () => {
  test('leave only bounded memory behind', async () => {
    const [countRest, countIndexes] = [trackRest(), trackIndexes()];
    const { ask, askCode, discord } = await startTokenListing(bigGuild(10));
    const [start, , end] = discord.bot().token.split('.');
    const tokenOf = (number: number) => `${start}.${String(number).padStart(6, '0')}.${end}`;
    const askWithTokens = async (from: number, to: number) => {
      for (let number = from; number < to; number += 1) {
        discord.bot().token = tokenOf(number);
        expect((await ask({}, { secret: tokenOf(number) })).value['count']).toBe(4);
        const dead = { secret: tokenOf(100_000 + number), guildId: `31${String(number).padStart(16, '0')}` };
        expect(await askCode({}, dead)).toBe('discord_token_rejected');
      }
      discord.rest.calls.length = 0;
      await collect();
      return process.memoryUsage().heapUsed;
    };
    const askWithMore = (from: number) => askWithTokens(FIRST_TOKENS + from, FIRST_TOKENS + from + 50);
    await askWithTokens(0, FIRST_TOKENS);
    const [before, between, after] = [await askWithMore(0), await askWithMore(50), await askWithMore(100)];
    // There are fewer when the machine is so slow that some were idle for a minute. None would mean that counting is broken.
    expect(countRest()).toBeGreaterThan(0);
    expect(countRest()).toBeLessThanOrEqual(256);
    expect(countIndexes()).toBeGreaterThan(0);
    expect(countIndexes()).toBeLessThanOrEqual(64);
    // A leak is in both; code that V8 has compiled in between is in one of them.
    expect(Math.min(between - before, after - between)).toBeLessThan(200_000);
    expect((await ask({ role_id: EMPTY })).value['count']).toBe(0);
  });
});
