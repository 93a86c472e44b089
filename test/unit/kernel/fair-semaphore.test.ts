import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import {
  FairSemaphore,
  fromHeaviestTenant,
  type Claim,
  type FairSemaphoreOptions,
} from '../../../src/kernel/fair-semaphore.ts';

interface Named extends Claim {
  readonly name: string;
}

const GOING_ON = new AbortController().signal;
const REFUSAL = new Error('refused');
/** Lets promises settle that have nothing left to wait for. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
/** `a1` is the first claim of tenant `a`. */
const named = (name: string): Named => ({ tenant: name.charAt(0), name });

/** A semaphore, with the names of all claims that acquired after waiting, and of all that were evicted or refused. */
function stage(max: number, options: Partial<FairSemaphoreOptions<Named>> = {}, queueMax = 100) {
  const began: string[] = [];
  const evicted: string[] = [];
  const semaphore = new FairSemaphore<Named>({
    hasCapacity: (held, _claim, weight) => held.weight + weight <= max,
    onEvicted: ({ name }) => evicted.push(name),
    queue: {
      hasCapacity: (waiting) => waiting.size < queueMax,
      evict: fromHeaviestTenant(),
      refusal: () => REFUSAL,
    },
    ...options,
  });
  const claims = new Map<string, Named>();
  const claimOf = (name: string) => {
    const claim = claims.get(name) ?? named(name);
    claims.set(name, claim);
    return claim;
  };
  return {
    semaphore,
    began,
    evicted,
    claimOf,
    held: () => [...semaphore.held].map(({ name }) => name).join(' '),
    take: (name: string, weight?: number) => semaphore.tryAcquire(claimOf(name), weight),
    release: (name: string) => semaphore.release(claimOf(name)),
    wait: (name: string, signal = GOING_ON) =>
      semaphore.acquire(claimOf(name), signal).then(
        () => began.push(name),
        (error: unknown) => {
          evicted.push(name);
          return error;
        },
      ),
  };
}

describe('the semaphore evicts from the tenant with the most:', () => {
  const victim = fromHeaviestTenant<Named>();
  test.each([
    ['a tenant may hold everything while there is capacity', 'a1 a2 a3', '', 'a1 a2 a3', ''],
    ['a tenant that holds no more than the new one would keeps all', 'a1 a2 b1', 'b2', 'a1 a2 b1', ''],
    ['a tenant with the most does not push out others', 'a1 a2 b1', 'a3', 'a1 a2 b1', ''],
    ['the latest claim of the tenant with the most goes', 'a1 a2 a3', 'b1', 'a1 a2 b1', 'a3'],
    ['one by one', 'a1 b1 a2 b2 a3 a4', 'c1 c2', 'a1 b1 a2 b2 c1 c2', 'a4 a3'],
    ['down to the same number', 'a1 a2 a3 a4', 'b1 b2 b3', 'a1 a2 b1 b2', 'a4 a3'],
  ])('%s', (_rule, before, after, held, evicted) => {
    const first = before.split(' ');
    const slots = stage(first.length, { evict: victim });
    expect(first.map((name) => slots.take(name))).toEqual(first.map(() => true));
    for (const name of after.split(' ').filter(Boolean)) slots.take(name);
    expect([slots.held(), slots.evicted.join(' ')]).toEqual([held, evicted]);
  });

  test('by weight, and several when one is not enough', () => {
    const slots = stage(100, { evict: victim });
    for (let n = 0; n < 10; n += 1) slots.take(`a${n}`, 10);
    expect(slots.take('b1', 25)).toBe(true);
    expect(slots.evicted).toEqual(['a9', 'a8', 'a7']);
    // What is held may grow, until it would be as heavy as what it pushes out.
    expect(slots.take('b1', 25)).toBe(true);
    expect(slots.take('b1', 25)).toBe(false);
    expect([slots.semaphore.held.weight, slots.semaphore.held.of('b').weight]).toEqual([100, 50]);
  });

  test("by the caller's choice among their claims", () => {
    const slots = stage(3, { evict: fromHeaviestTenant(([oldest]) => oldest) });
    for (const name of ['a1', 'a2', 'a3', 'b1']) slots.take(name);
    expect([slots.held(), slots.evicted]).toEqual(['a2 a3 b1', ['a1']]);
  });

  test('or from none, if running work must continue', () => {
    const slots = stage(2);
    expect(['a1', 'a2', 'b1'].map((name) => slots.take(name))).toEqual([true, true, false]);
    expect([slots.held(), slots.evicted]).toEqual(['a1 a2', []]);
  });
});

describe('a claim without a slot', () => {
  test.each([
    ['the oldest comes first', 'a1', 'b1 c1', 'a1', 'b1'],
    ['a tenant with none comes before one with some', 'a1 b1 b2', 'a2 b3 c1', 'b1', 'c1'],
    ['a tenant with fewer comes before one with more', 'a1 a2 b1 b2 c1', 'a3 c2 b3', 'b1', 'c2'],
  ])('waits: %s', async (_rule, held, waiting, leaves, next) => {
    const first = held.split(' ');
    const slots = stage(first.length);
    for (const name of first) slots.take(name);
    for (const name of waiting.split(' ')) void slots.wait(name);
    slots.release(leaves);
    await settle();
    expect(slots.began).toEqual([next]);
  });

  test('is overtaken by others while it may not have one, and one release may admit several', async () => {
    const slots = stage(4, {
      hasCapacity: (held, { tenant }, weight) =>
        held.weight + weight <= 4 && held.of(tenant).claims.size === 0,
    });
    slots.take('a1', 3);
    for (const name of ['a2', 'b1', 'c1', 'd1']) void slots.wait(name);
    await settle();
    expect(slots.began).toEqual(['b1']);
    slots.release('a1');
    await settle();
    expect(slots.began).toEqual(['b1', 'a2', 'c1', 'd1']);
    expect(slots.semaphore.waiting.size).toBe(0);
  });

  test('does not delay others of its tenant when it may not have a slot yet', async () => {
    const slots = stage(2, {
      // Whatever is called 1 is blocked.
      hasCapacity: (held, { name }) => held.size < 2 && !name.endsWith('1'),
    });
    slots.take('x2');
    slots.take('y2');
    for (const name of ['a1', 'a2']) void slots.wait(name);
    slots.release('x2');
    await settle();
    expect(slots.began).toEqual(['a2']);
  });

  test('does not delay others unless all of a tenant are refused', async () => {
    const slots = stage(1);
    slots.take('a1');
    const refused = [slots.wait('a2'), slots.wait('a3')];
    const other = slots.wait('b1');
    slots.semaphore.refuse('a');
    expect(await Promise.all(refused)).toEqual([REFUSAL, REFUSAL]);
    slots.release('a1');
    await other;
    expect(slots.held()).toBe('b1');
  });

  test('waits in a bounded queue, which evicts a claim of the tenant with the most, or refuses the newcomer', async () => {
    const slots = stage(1, {}, 4);
    slots.take('x');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) void slots.wait(name);
    await settle();
    expect([slots.evicted.toSorted(), slots.semaphore.waiting.size]).toEqual([['a3', 'a4', 'b3'], 4]);
    expect(await slots.wait('a5')).toBe(REFUSAL);
  });

  test('leaves the queue without a slot when its signal aborts', async () => {
    const slots = stage(1, {}, 1);
    slots.take('a1');
    const leaving = new AbortController();
    const left = slots.wait('b1', leaving.signal);
    const gone = new Error('gone');
    leaving.abort(gone);
    expect(await left).toBe(gone);
    expect(await slots.wait('b2', leaving.signal)).toBe(gone);
    const next = slots.wait('c1');
    slots.release('a1');
    await next;
    expect(slots.held()).toBe('c1');
  });

  test('takes no slot if it leaves at the moment when one becomes free', async () => {
    const slots = stage(1);
    slots.take('a1');
    const leaving = new AbortController();
    const left = slots.wait('b1', leaving.signal);
    const next = slots.wait('c1');
    leaving.abort(new Error('gone'));
    slots.release('a1');
    await Promise.all([left, next]);
    expect([slots.held(), slots.began]).toEqual(['c1', ['c1']]);
  });

  test('acquires one millisecond before the deadline, and refuses at the deadline', async () => {
    vi.useFakeTimers();
    try {
      const slots = stage(1, {
        queue: { hasCapacity: () => true, timeoutMs: 1_000, refusal: () => REFUSAL },
      });
      slots.take('a1');
      const early = slots.wait('b1');
      await vi.advanceTimersByTimeAsync(999);
      slots.release('a1');
      await early;
      const late = slots.wait('c1');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await late).toBe(REFUSAL);
      expect([slots.held(), slots.semaphore.waiting.size]).toEqual(['b1', 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('releasing a slot twice has no further effect', () => {
  const slots = stage(2);
  slots.take('a1');
  slots.take('a2');
  slots.release('a1');
  slots.release('a1');
  expect(slots.semaphore.held.size).toBe(1);
  expect([slots.take('b1'), slots.take('c1')]).toEqual([true, false]);
});

test('the semaphore keeps its bound and forgets released claims, in any order of calls', async () => {
  const step = fc.tuple(
    fc.constantFrom('take', 'wait', 'release'),
    fc.constantFrom('a', 'b', 'c'),
    fc.integer({ min: 1, max: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const slots = stage(5, { evict: fromHeaviestTenant() }, 3);
      for (const [verb, tenant, number] of steps) {
        const name = `${tenant}${number}`;
        if (verb === 'release') slots.release(name);
        else if (verb === 'take') slots.take(name);
        else void slots.semaphore.acquire(named(name), GOING_ON).catch(() => {});
        expect(slots.semaphore.held.weight).toBeLessThanOrEqual(5);
        expect(slots.semaphore.waiting.size).toBeLessThanOrEqual(3);
      }
      // Each release lets waiting claims in, which this loop releases as well.
      for (const claim of slots.semaphore.held) slots.semaphore.release(claim);
      await settle();
      expect([slots.semaphore.held.weight, slots.semaphore.waiting.size]).toEqual([0, 0]);
    }),
    { seed: 20_261_126, numRuns: 300 },
  );
});
