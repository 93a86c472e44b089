import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import {
  FairSemaphore,
  fromHeaviestOwner,
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
/** `a1` is the first claim of owner `a`. */
const named = (name: string): Named => ({ owner: name.charAt(0), name });

/** Places, with the names of all that held one and of all that lost one. */
function stage(max: number, options: Partial<FairSemaphoreOptions<Named>> = {}, queueMax = 100) {
  const began: string[] = [];
  const gaveWay: string[] = [];
  const places = new FairSemaphore<Named>({
    hasCapacity: (held, _claim, weight) => held.weight + weight <= max,
    onEvicted: ({ name }) => gaveWay.push(name),
    queue: {
      hasCapacity: (waiting) => waiting.size < queueMax,
      evict: fromHeaviestOwner(),
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
    places,
    began,
    gaveWay,
    claimOf,
    held: () => [...places.held].map(({ name }) => name).join(' '),
    take: (name: string, weight?: number) => places.tryAcquire(claimOf(name), weight),
    release: (name: string) => places.release(claimOf(name)),
    wait: (name: string, signal = GOING_ON) =>
      places.acquire(claimOf(name), signal).then(
        () => began.push(name),
        (error: unknown) => {
          gaveWay.push(name);
          return error;
        },
      ),
  };
}

describe('the semaphore evicts from the tenant with the most:', () => {
  const victim = fromHeaviestOwner<Named>();
  test.each([
    ['nobody is limited while there is room', 'a1 a2 a3', '', 'a1 a2 a3', ''],
    ['an owner with as many as the newcomer would have gives nothing', 'a1 a2 b1', 'b2', 'a1 a2 b1', ''],
    ['an owner with the most does not push out others', 'a1 a2 b1', 'a3', 'a1 a2 b1', ''],
    ['the latest claim of the owner with the most goes', 'a1 a2 a3', 'b1', 'a1 a2 b1', 'a3'],
    ['one by one', 'a1 b1 a2 b2 a3 a4', 'c1 c2', 'a1 b1 a2 b2 c1 c2', 'a4 a3'],
    ['down to the same number', 'a1 a2 a3 a4', 'b1 b2 b3', 'a1 a2 b1 b2', 'a4 a3'],
  ])('%s', (_rule, before, after, held, gaveWay) => {
    const first = before.split(' ');
    const room = stage(first.length, { evict: victim });
    expect(first.map((name) => room.take(name))).toEqual(first.map(() => true));
    for (const name of after.split(' ').filter(Boolean)) room.take(name);
    expect([room.held(), room.gaveWay.join(' ')]).toEqual([held, gaveWay]);
  });

  test('by weight, and several when one is not enough', () => {
    const room = stage(100, { evict: victim });
    for (let n = 0; n < 10; n += 1) room.take(`a${n}`, 10);
    expect(room.take('b1', 25)).toBe(true);
    expect(room.gaveWay).toEqual(['a9', 'a8', 'a7']);
    // What is held may grow, until it would be as heavy as what it pushes out.
    expect(room.take('b1', 25)).toBe(true);
    expect(room.take('b1', 25)).toBe(false);
    expect([room.places.held.weight, room.places.held.of('b').weight]).toEqual([100, 50]);
  });

  test('as its user chooses among their claims', () => {
    const room = stage(3, { evict: fromHeaviestOwner(([oldest]) => oldest) });
    for (const name of ['a1', 'a2', 'a3', 'b1']) room.take(name);
    expect([room.held(), room.gaveWay]).toEqual(['a2 a3 b1', ['a1']]);
  });

  test('or from none, when work that has begun continues', () => {
    const room = stage(2);
    expect(['a1', 'a2', 'b1'].map((name) => room.take(name))).toEqual([true, true, false]);
    expect([room.held(), room.gaveWay]).toEqual(['a1 a2', []]);
  });
});

describe('a claim without a slot', () => {
  test.each([
    ['the oldest comes first', 'a1', 'b1 c1', 'a1', 'b1'],
    ['an owner with none comes before one with some', 'a1 b1 b2', 'a2 b3 c1', 'b1', 'c1'],
    ['an owner with fewer comes before one with more', 'a1 a2 b1 b2 c1', 'a3 c2 b3', 'b1', 'c2'],
  ])('waits: %s', async (_rule, held, waiting, leaves, next) => {
    const first = held.split(' ');
    const room = stage(first.length);
    for (const name of first) room.take(name);
    for (const name of waiting.split(' ')) void room.wait(name);
    room.release(leaves);
    await settle();
    expect(room.began).toEqual([next]);
  });

  test('is passed by claims of others when it may not have one yet, and one slot may admit several', async () => {
    const room = stage(4, {
      hasCapacity: (held, { owner }, weight) => held.weight + weight <= 4 && held.of(owner).claims.size === 0,
    });
    room.take('a1', 3);
    for (const name of ['a2', 'b1', 'c1', 'd1']) void room.wait(name);
    await settle();
    expect(room.began).toEqual(['b1']);
    room.release('a1');
    await settle();
    expect(room.began).toEqual(['b1', 'a2', 'c1', 'd1']);
    expect(room.places.waiting.size).toBe(0);
  });

  test('does not delay others of its tenant when it may not have a slot yet', async () => {
    const room = stage(2, {
      // Whatever is called 1 is blocked.
      hasCapacity: (held, { name }) => held.size < 2 && !name.endsWith('1'),
    });
    room.take('x2');
    room.take('y2');
    for (const name of ['a1', 'a2']) void room.wait(name);
    room.release('x2');
    await settle();
    expect(room.began).toEqual(['a2']);
  });

  test('does not delay others unless all of a tenant are refused', async () => {
    const room = stage(1);
    room.take('a1');
    const refused = [room.wait('a2'), room.wait('a3')];
    const other = room.wait('b1');
    room.places.refuse('a');
    expect(await Promise.all(refused)).toEqual([REFUSAL, REFUSAL]);
    room.release('a1');
    await other;
    expect(room.held()).toBe('b1');
  });

  test('waits in a queue of limited length; else the tenant with the most waiting claims is evicted, or the newcomer refused', async () => {
    const room = stage(1, {}, 4);
    room.take('x');
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']) void room.wait(name);
    await settle();
    expect([room.gaveWay.toSorted(), room.places.waiting.size]).toEqual([['a3', 'a4', 'b3'], 4]);
    expect(await room.wait('a5')).toBe(REFUSAL);
  });

  test('waits until its signal, takes no slot then and leaves the queue', async () => {
    const room = stage(1, {}, 1);
    room.take('a1');
    const leaving = new AbortController();
    const left = room.wait('b1', leaving.signal);
    const gone = new Error('gone');
    leaving.abort(gone);
    expect(await left).toBe(gone);
    expect(await room.wait('b2', leaving.signal)).toBe(gone);
    const next = room.wait('c1');
    room.release('a1');
    await next;
    expect(room.held()).toBe('c1');
  });

  test('takes no slot when it leaves at the moment when one becomes free', async () => {
    const room = stage(1);
    room.take('a1');
    const leaving = new AbortController();
    const left = room.wait('b1', leaving.signal);
    const next = room.wait('c1');
    leaving.abort(new Error('gone'));
    room.release('a1');
    await Promise.all([left, next]);
    expect([room.held(), room.began]).toEqual(['c1', ['c1']]);
  });

  test('acquires one millisecond before the deadline, and refuses at the deadline', async () => {
    vi.useFakeTimers();
    try {
      const room = stage(1, {
        queue: { hasCapacity: () => true, timeoutMs: 1_000, refusal: () => REFUSAL },
      });
      room.take('a1');
      const early = room.wait('b1');
      await vi.advanceTimersByTimeAsync(999);
      room.release('a1');
      await early;
      const late = room.wait('c1');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await late).toBe(REFUSAL);
      expect([room.held(), room.places.waiting.size]).toEqual(['b1', 0]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a slot that is released twice is released once', () => {
  const room = stage(2);
  room.take('a1');
  room.take('a2');
  room.release('a1');
  room.release('a1');
  expect(room.places.held.size).toBe(1);
  expect([room.take('b1'), room.take('c1')]).toEqual([true, false]);
});

test('the semaphore keeps its bound and forgets what has left, whatever happens', async () => {
  const step = fc.tuple(
    fc.constantFrom('take', 'wait', 'release'),
    fc.constantFrom('a', 'b', 'c'),
    fc.integer({ min: 1, max: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const room = stage(5, { evict: fromHeaviestOwner() }, 3);
      for (const [verb, owner, number] of steps) {
        const name = `${owner}${number}`;
        if (verb === 'release') room.release(name);
        else if (verb === 'take') room.take(name);
        else void room.places.acquire(named(name), GOING_ON).catch(() => {});
        expect(room.places.held.weight).toBeLessThanOrEqual(5);
        expect(room.places.waiting.size).toBeLessThanOrEqual(3);
      }
      // Those that wait come in while others leave, and leave in their turn.
      for (const claim of room.places.held) room.places.release(claim);
      await settle();
      expect([room.places.held.weight, room.places.waiting.size]).toEqual([0, 0]);
    }),
    { seed: 20_261_126, numRuns: 300 },
  );
});
