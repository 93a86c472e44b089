import { expect, test } from 'vitest';

import { SpareMemory } from '../../../src/app/spare-memory.ts';

const MIB = 1024 * 1024;

function makeMemory() {
  const state = { spare: 20 * MIB, busy: 0.01, collected: 0 };
  const memory = new SpareMemory({
    spareBytes: () => state.spare,
    busyShare: () => state.busy,
    collect: () => {
      state.collected += 1;
    },
  });
  return { state, look: () => memory.look() };
}

test('memory that V8 holds and does not use is given back while there is nothing to do', () => {
  const { state, look } = makeMemory();
  look();
  expect(state.collected).toBe(1);
});

test('nothing is given back while requests are answered, or when it is little', () => {
  const { state, look } = makeMemory();
  state.busy = 0.06;
  look();
  state.busy = 0.01;
  state.spare = 7 * MIB;
  look();
  expect(state.collected).toBe(0);
});

test('each collection doubles the time until the next one, from 2 seconds up to 5 minutes', () => {
  const { state, look } = makeMemory();
  state.busy = 1;
  expect(look()).toBe(2_000);
  state.busy = 0;
  const waits = Array.from({ length: 9 }, () => look());
  expect(waits).toEqual([4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  state.busy = 1;
  expect(look()).toBe(300_000);
  expect(state.collected).toBe(9);
});
