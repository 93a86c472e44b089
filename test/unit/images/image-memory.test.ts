import { expect, test } from 'vitest';

import { createImageMemory } from '../../../src/images/image-memory.ts';

test('memory is used again, and what nobody uses is freed at once', () => {
  const memories = createImageMemory(100);
  const first = memories.take();
  const second = memories.take();
  expect([first.length, second.length]).toEqual([100, 100]);

  memories.giveBack(first);
  expect(memories.take()).toBe(first);

  memories.giveBack(first);
  memories.shrink();
  expect([first.length, second.length]).toEqual([0, 100]);
  expect(memories.take().length).toBe(100);
});
