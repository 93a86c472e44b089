import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { BoundedMap } from '../../../src/kernel/bounded-map.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { InvalidAnswerBreaker, RecentEvents } from '../../../src/upstream/invalid-answer-breaker.ts';
import { KnownSecrets } from '../../../src/upstream/known-secrets.ts';
import { NamedLimits } from '../../../src/upstream/named-limits.ts';
import { SecretAttempts } from '../../../src/upstream/secret-attempts.ts';
import { systemCode } from '../../../src/upstream/failed-call.ts';

const GUILD = '300000000000000001';

function clock() {
  let instant = 1_000_000;
  return {
    now: () => instant,
    pass: (ms: number) => {
      instant += ms;
    },
  };
}

/** Code and retry_after of what is thrown; null when nothing is. */
function problemOf(work: () => void): [string, number | null] | null {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.retryAfterSeconds];
    throw error;
  }
  return null;
}

describe('a map that forgets', () => {
  test('drops entries when their time is over, and a new life begins when one is set again', () => {
    const { now, pass } = clock();
    const map = new BoundedMap<number>({ ttlMs: 100, entriesMax: 10, now });
    map.set('a', 1);
    pass(60);
    map.set('b', 2);
    pass(39);
    expect([map.get('a'), map.get('b'), map.size]).toEqual([1, 2, 2]);
    map.set('a', 3);
    pass(61);
    expect([map.get('a'), map.get('b'), map.size]).toEqual([3, undefined, 1]);
    expect(map.oldestTimeLeftMs()).toBe(39);
    map.delete('a');
    expect([map.size, map.oldestTimeLeftMs()]).toEqual([0, 0]);
  });

  test('drops the oldest when it is full', () => {
    const map = new BoundedMap<number>({ ttlMs: 100, entriesMax: 3, now: () => 0 });
    for (let entry = 0; entry < 1_000; entry += 1) map.set(String(entry), entry);
    expect([map.size, map.get('996'), map.get('997')]).toEqual([3, undefined, 997]);
  });
});

describe('recent events', () => {
  test('are counted inside the window only, and no more of them than asked for are remembered', () => {
    const { now, pass } = clock();
    const events = new RecentEvents({ windowMs: 100, eventsMax: 5, now });
    expect(events.count).toBe(0);
    for (let event = 0; event < 8; event += 1) {
      events.record();
      pass(10);
    }
    expect(events.count).toBe(5);
    // The remembered ones happened 50, 40, 30, 20 and 10 ms ago.
    expect([events.msUntilBelow(5), events.msUntilBelow(1), events.msUntilBelow(6)]).toEqual([50, 90, 0]);
    pass(50);
    expect(events.count).toBe(4);
    pass(1_000);
    expect(events.count).toBe(0);
  });
});

describe('the breaker', () => {
  test('leaves from 1,000 on only tokens that worked, from 3,000 on none, and says when it goes on', () => {
    const { now, pass } = clock();
    const breaker = new InvalidAnswerBreaker({ now });
    const record = (times: number) => {
      for (let time = 0; time < times; time += 1) breaker.record();
    };
    record(999);
    expect([problemOf(() => breaker.check(false)), problemOf(() => breaker.check(true))]).toEqual([
      null,
      null,
    ]);
    pass(100_000);
    record(1);
    expect(problemOf(() => breaker.check(false))).toEqual(['discord_paused', 500]);
    expect(problemOf(() => breaker.check(true))).toBeNull();
    record(2_000);
    expect(problemOf(() => breaker.check(true))).toEqual(['discord_paused', 500]);
    expect(breaker.count).toBe(3_000);
    pass(500_000);
    expect(problemOf(() => breaker.check(true))).toBeNull();
    expect(problemOf(() => breaker.check(false))).toEqual(['discord_paused', 100]);
    pass(100_000);
    expect(breaker.count).toBe(0);
    expect(problemOf(() => breaker.check(false))).toBeNull();
  });
});

describe('attempts of a guild', () => {
  test('end after five different unknown secrets, for ten minutes, but for those tried and those that worked', () => {
    const { now, pass } = clock();
    const attempts = new SecretAttempts({ now });
    for (const digest of ['a', 'b', 'c', 'd', 'a', 'b', 'e']) {
      expect(problemOf(() => attempts.check(GUILD, digest, false))).toBeNull();
      attempts.noteUnknown(GUILD, digest);
      pass(1_000);
    }
    expect(problemOf(() => attempts.check(GUILD, 'f', false))).toEqual(['token_attempts', 593]);
    expect(problemOf(() => attempts.check(GUILD, 'f', true))).toBeNull();
    expect(problemOf(() => attempts.check(GUILD, 'c', false))).toBeNull();
    expect(problemOf(() => attempts.check('300000000000000002', 'f', false))).toBeNull();
    pass(593_000);
    expect(problemOf(() => attempts.check(GUILD, 'f', false))).toBeNull();
  });

  test('end after 20 invalid answers, whatever the secret', () => {
    const { now, pass } = clock();
    const attempts = new SecretAttempts({ now });
    for (let answer = 0; answer < 20; answer += 1) {
      expect(problemOf(() => attempts.check(GUILD, 'a', true))).toBeNull();
      attempts.noteInvalidAnswer(GUILD);
      pass(1_000);
    }
    expect(problemOf(() => attempts.check(GUILD, 'a', true))).toEqual(['token_attempts', 580]);
    pass(580_000);
    expect(problemOf(() => attempts.check(GUILD, 'a', true))).toBeNull();
  });
});

describe('what is known of secrets', () => {
  test('is for a day that Discord does not know them, however often they are tried, and for an hour that they worked', () => {
    const { now, pass } = clock();
    const secrets = new KnownSecrets(now);
    secrets.noteWorked('a');
    secrets.noteWorked('b');
    secrets.noteUnknown('b');
    expect([secrets.hasWorked('a'), secrets.hasWorked('b')]).toEqual([true, false]);
    pass(3_600_000);
    expect(secrets.hasWorked('a')).toBe(false);
    secrets.noteUnknown('b');
    pass(82_799_999);
    expect(secrets.isUnknown('b')).toBe(true);
    pass(1);
    expect(secrets.isUnknown('b')).toBe(false);
  });

  test('is under a digest that is the same in one process only', () => {
    const [one, other] = [new KnownSecrets(Date.now), new KnownSecrets(Date.now)];
    expect(one.digestOf('secret')).toBe(one.digestOf('secret'));
    expect(one.digestOf('secret')).not.toBe(one.digestOf('secreu'));
    expect(one.digestOf('secret')).not.toBe(other.digestOf('secret'));
    expect(one.digestOf('secret')).toMatch(/^[\w-]{43}$/);
  });
});

describe('a limit that Discord named', () => {
  test('holds the calls of its route, or all, until a moment after its end', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const limits = new NamedLimits();
    limits.hold('a', 1_000);
    expect([limits.heldMs('a'), limits.heldMs('b')]).toEqual([1_050, -Infinity]);
    limits.hold(null, 100);
    limits.hold(null, 50);
    expect([limits.heldMs('a'), limits.heldMs('b')]).toEqual([1_050, 150]);
    now.mockReturnValue(1_050);
    expect([limits.heldMs('a') > 0, limits.heldMs('b') > 0]).toEqual([false, false]);
  });
});

describe('a failed call', () => {
  test.each([
    [Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new DOMException('secret', 'TimeoutError'), 'TimeoutError'],
    [Object.assign(new Error('x'), { code: 'a secret with blanks' }), 'unknown'],
    ['secret', 'unknown'],
  ])('is a name without any text of the other side', (error, name) => {
    expect(systemCode(error)).toBe(name);
  });
});
