import { describe, expect, test } from 'vitest';

import { BodyBudget, BodyMemory, bodyMemoryFull } from '../../../src/http/body/body-memory.ts';

/** Opens a body that notes when it loses its memory. */
function openBody(budget: BodyBudget, owner: string, evicted: string[], name = owner) {
  return budget.open(owner, () => evicted.push(name));
}

describe('the memory for bodies', () => {
  test('may be used by one tenant while others are idle', () => {
    const budget = new BodyBudget(100);
    const evicted: string[] = [];
    expect(openBody(budget, 'a', evicted).reserve(100)).toBe(true);
    expect(openBody(budget, 'a', evicted).reserve(1)).toBe(false);
    expect(evicted).toEqual([]);
  });

  test('is taken from the tenant that holds most, its latest body first, until all hold the same', () => {
    const budget = new BodyBudget(100);
    const evicted: string[] = [];
    for (let n = 1; n <= 10; n += 1) openBody(budget, 'worst', evicted, `worst ${n}`).reserve(10);
    const other = openBody(budget, 'other', evicted);
    for (let taken = 10; taken <= 50; taken += 10) expect(other.reserve(10)).toBe(true);
    expect(evicted).toEqual(['worst 10', 'worst 9', 'worst 8', 'worst 7', 'worst 6']);
    expect(other.reserve(10)).toBe(false);
  });

  test('has one limited share for all callers without a key', () => {
    const memory = new BodyMemory(800);
    const evicted: string[] = [];
    for (let n = 0; n < 200; n += 1) {
      const { budget, id } = memory.ofAddress(`10.0.0.${n}`);
      budget.open(id, () => evicted.push(id)).reserve(1);
    }
    const { budget, id } = memory.ofGuild('1');
    expect(budget.open(id, () => {}).reserve(700)).toBe(true);
    expect(memory.ofAddress('2001:db8:1:200::1').id).toBe(memory.ofAddress('2001:db8:1:2ff::2').id);
  });

  test('holds two of the largest bodies of one tenant at a time, and eight in total', () => {
    const memory = new BodyMemory(1);
    const largest = 2 * 1024 * 1024;
    const ofOne = [1, 2].map(() => memory.reserveUntilAnswered(memory.ofGuild('1'), largest));
    expect(() => memory.reserveUntilAnswered(memory.ofGuild('1'), 100_000)).toThrow(bodyMemoryFull());
    expect(memory.reserveUntilAnswered(memory.ofGuild('1'), 60_000)).toBe(null);
    for (const guild of ['2', '2', '3', '3', '4', '4'])
      memory.reserveUntilAnswered(memory.ofGuild(guild), largest);
    expect(() => memory.reserveUntilAnswered(memory.ofGuild('5'), 100_000)).toThrow(bodyMemoryFull());
    ofOne[0]?.();
    memory.reserveUntilAnswered(memory.ofGuild('5'), 100_000);
    memory.reserveUntilAnswered(memory.ofGuild('1'), 100_000);
  });
});
