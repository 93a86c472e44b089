import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { BoundedMap } from '../../../src/kernel/bounded-map.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { InvalidRequestBreaker, SlidingWindow } from '../../../src/upstream/invalid-request-breaker.ts';
import { KnownRateLimits } from '../../../src/upstream/known-rate-limits.ts';
import type { CallOutcome } from '../../../src/upstream/call-outcome.ts';
import {
  SecretStatusCache,
  type SecretStatusCacheOptions,
} from '../../../src/upstream/secret-status-cache.ts';
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

describe('a map with expiring entries', () => {
  test('drops entries at the end of their time, which begins again when one is set', () => {
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

describe('a sliding window', () => {
  test('counts only events inside the window, and remembers no more than requested', () => {
    const { now, pass } = clock();
    const events = new SlidingWindow({ windowMs: 100, eventsMax: 5, now });
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
  test('admits from 1,000 on only tokens that worked, from 3,000 on none, and reports when it closes', () => {
    const { now, pass } = clock();
    const breaker = new InvalidRequestBreaker({ now });
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
    pass(500_000);
    expect(problemOf(() => breaker.check(true))).toBeNull();
    expect(problemOf(() => breaker.check(false))).toEqual(['discord_paused', 100]);
    pass(100_000);
    expect(problemOf(() => breaker.check(false))).toBeNull();
  });
});

const DONE: CallOutcome = { kind: 'done', body: {}, resetMs: null };
const refused = (status: number): CallOutcome => ({ kind: 'refused', status, code: 0, path: null });

function openSecrets(options: Partial<SecretStatusCacheOptions> = {}) {
  const { now, pass } = clock();
  const secretStatus = new SecretStatusCache({
    breaker: new InvalidRequestBreaker({ now }),
    isUnknown: (outcome) => outcome.kind === 'refused' && outcome.status === 401,
    unknown: () => new Problem('discord_token_rejected'),
    tooManyProblem: 'token_attempts',
    pausedWork: 'lookups',
    invalidRequestsMax: 20,
    now,
    ...options,
  });
  return {
    secretStatus,
    pass,
    /** Code and retry_after with which a secret is not admitted; null when it is. */
    refusal: (secret: string, tenantId = GUILD) =>
      problemOf(() => secretStatus.admit({ digest: secretStatus.digestOf(secret), tenantId })),
    /** What Discord says of a secret, without asking whether it is admitted. */
    record: (secret: string, outcome: CallOutcome, tenantId = GUILD) =>
      secretStatus.record({ digest: secretStatus.digestOf(secret), tenantId }, outcome),
  };
}

const UNKNOWN = ['discord_token_rejected', null];

describe('attempts of a tenant', () => {
  test('end after five different unknown secrets, for ten minutes, except for tried and working ones', () => {
    const { pass, refusal, record } = openSecrets();
    record('works', DONE);
    for (const secret of ['a', 'b', 'c', 'd', 'a', 'b', 'e']) {
      expect(refusal(secret)).toSatisfy((found) => found === null || found[0] === UNKNOWN[0]);
      record(secret, refused(401));
      pass(1_000);
    }
    expect(refusal('f')).toEqual(['token_attempts', 593]);
    expect(refusal('works')).toBeNull();
    expect(refusal('c')).toEqual(UNKNOWN);
    expect(refusal('f', '300000000000000002')).toBeNull();
    pass(593_000);
    expect(refusal('f')).toBeNull();
  });

  test('end after 20 invalid requests, whatever the secret', () => {
    const { pass, refusal, record } = openSecrets();
    for (let answer = 0; answer < 20; answer += 1) {
      expect(refusal('a')).toBeNull();
      record('a', refused(403));
      pass(1_000);
    }
    expect(refusal('a')).toEqual(['token_attempts', 580]);
    pass(580_000);
    expect(refusal('a')).toBeNull();
  });

  test('are not counted when any number is allowed', () => {
    const { refusal, record } = openSecrets({ invalidRequestsMax: null });
    for (let answer = 0; answer < 100; answer += 1) record('a', refused(403));
    expect(refusal('a')).toBeNull();
  });
});

describe('the memory of secrets', () => {
  test('calls a secret unknown for a day, however often it is tried', () => {
    const { secretStatus, pass, refusal, record } = openSecrets();
    record('a', refused(401));
    for (let hour = 1; hour < 24; hour += 1) {
      pass(3_600_000);
      expect(refusal('a')).toEqual(UNKNOWN);
      expect(
        problemOf(() => secretStatus.check({ digest: secretStatus.digestOf('a'), tenantId: GUILD })),
      ).toEqual(UNKNOWN);
    }
    pass(3_600_000);
    expect(refusal('a')).toBeNull();
  });

  test('trusts a secret for an hour after it worked, while others are paused', () => {
    const breaker = new InvalidRequestBreaker({ cautiousFrom: 1, now: () => 0 });
    const { secretStatus, pass, record } = openSecrets({ breaker });
    const check = () =>
      problemOf(() => secretStatus.check({ digest: secretStatus.digestOf('a'), tenantId: GUILD }))?.[0];
    record('a', DONE);
    record('b', refused(403));
    expect(check()).toBeUndefined();
    pass(3_600_000);
    expect(check()).toBe('discord_paused');
  });

  test.each<[string, CallOutcome, number | null]>([
    ['a 401', refused(401), 401],
    ['a 403 of a firewall', { kind: 'refused', status: 403, code: null, path: null }, 403],
    ['a 404', refused(404), null],
    ['a 429', { kind: 'limited', waitMs: 1, isGlobal: false, isShared: false }, 429],
    ['a 429 that others caused', { kind: 'limited', waitMs: 1, isGlobal: false, isShared: true }, null],
    ['a success', DONE, null],
  ])('counts exactly the outcomes that Discord counts towards a ban: %s', (_, outcome, status) => {
    const breaker = { check: () => {}, record: vi.fn<() => void>() };
    const reported: number[] = [];
    const { record } = openSecrets({ breaker, onInvalidRequest: (counted) => void reported.push(counted) });
    record('a', outcome);
    expect([reported, breaker.record.mock.calls.length]).toEqual(status === null ? [[], 0] : [[status], 1]);
  });

  test('stores digests that differ between processes', () => {
    const [{ secretStatus: one }, { secretStatus: other }] = [openSecrets(), openSecrets()];
    expect(one.digestOf('secret')).toBe(one.digestOf('secret'));
    expect(one.digestOf('secret')).not.toBe(one.digestOf('secreu'));
    expect(one.digestOf('secret')).not.toBe(other.digestOf('secret'));
    expect(one.digestOf('secret')).toMatch(/^[\w-]{43}$/);
  });
});

describe('a rate limit that Discord reported', () => {
  test('delays the calls of its route, or all, until a moment after its end', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const limits = new KnownRateLimits();
    limits.hold('a', 1_000);
    expect([limits.timeToResetMs('a'), limits.timeToResetMs('b')]).toEqual([1_050, -Infinity]);
    limits.hold(null, 100);
    limits.hold(null, 50);
    expect([limits.timeToResetMs('a'), limits.timeToResetMs('b')]).toEqual([1_050, 150]);
    now.mockReturnValue(1_050);
    expect([limits.timeToResetMs('a') > 0, limits.timeToResetMs('b') > 0]).toEqual([false, false]);
  });
});

describe('a failed call', () => {
  test.each([
    [Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new DOMException('secret', 'TimeoutError'), 'TimeoutError'],
    [Object.assign(new Error('x'), { code: 'a secret with blanks' }), 'unknown'],
    ['secret', 'unknown'],
  ])('is reported by a name without any text of the other side', (error, name) => {
    expect(systemCode(error)).toBe(name);
  });
});
