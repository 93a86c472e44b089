import { describe, expect, test } from 'vitest';

import { BoundedMap } from '../../../../src/bounded-map.ts';
import { InvalidAnswerBreaker, RecentEvents } from '../../../../src/members/token/invalid-answer-breaker.ts';
import { TokenAttempts } from '../../../../src/members/token/token-attempts.ts';
import { createTokenDigest, TokenMemory } from '../../../../src/members/token/token-memory.ts';
import { Problem } from '../../../../src/problem.ts';

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
  test('end after five different bad tokens, for ten minutes, but for those tried and those that worked', () => {
    const { now, pass } = clock();
    const attempts = new TokenAttempts({ now });
    for (const digest of ['a', 'b', 'c', 'd', 'a', 'b', 'e']) {
      expect(problemOf(() => attempts.check(GUILD, digest, false))).toBeNull();
      attempts.noteBadToken(GUILD, digest);
      pass(1_000);
    }
    expect(problemOf(() => attempts.check(GUILD, 'f', false))).toEqual(['token_attempts', 593]);
    expect(problemOf(() => attempts.check(GUILD, 'f', true))).toBeNull();
    expect(problemOf(() => attempts.check(GUILD, 'c', false))).toBeNull();
    expect(problemOf(() => attempts.check('300000000000000002', 'f', false))).toBeNull();
    pass(593_000);
    expect(problemOf(() => attempts.check(GUILD, 'f', false))).toBeNull();
  });

  test('end after 20 invalid answers, whatever the token', () => {
    const { now, pass } = clock();
    const attempts = new TokenAttempts({ now });
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

describe('the memory of tokens', () => {
  test('knows dead ones for a day, refused ones for a minute and guild, working ones for an hour', () => {
    const { now, pass } = clock();
    const tokens = new TokenMemory({ now });
    tokens.noteWorked('a');
    tokens.noteRefused('a', GUILD, 'discord_missing_access');
    tokens.noteWorked('b');
    tokens.noteDead('b');
    expect(problemOf(() => tokens.check('a', GUILD))).toEqual(['discord_missing_access', null]);
    expect(problemOf(() => tokens.check('a', '300000000000000002'))).toBeNull();
    expect(problemOf(() => tokens.check('b', GUILD))).toEqual(['discord_token_rejected', null]);
    expect([tokens.hasWorked('a'), tokens.hasWorked('b')]).toEqual([true, false]);
    pass(60_000);
    expect(problemOf(() => tokens.check('a', GUILD))).toBeNull();
    pass(3_540_000);
    expect(tokens.hasWorked('a')).toBe(false);
    expect(tokens.isDead('b')).toBe(true);
    pass(82_800_000);
    expect(tokens.isDead('b')).toBe(false);
  });
});

describe('a digest', () => {
  test('is the same for the same token in one process only', () => {
    const [one, other] = [createTokenDigest(), createTokenDigest()];
    expect(one('token')).toBe(one('token'));
    expect(one('token')).not.toBe(one('tokem'));
    expect(one('token')).not.toBe(other('token'));
    expect(one('token')).toMatch(/^[\w-]{43}$/);
  });
});
