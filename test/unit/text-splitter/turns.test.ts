import { afterEach, expect, test, vi } from 'vitest';

import { DEFAULT_OPTIONS } from '../../../src/operations/text-splitter/split-options.ts';
import { splitTextInSteps } from '../../../src/operations/text-splitter/split-text.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The segmenter is the slowest thing that the splitter calls: thousands of calls take tens of milliseconds. */
const CALLS_MAX = 1000;

test.each(['**「重」**', '「重」', '汉字', 'สวัสดี', '👍🏽'])(
  'no step through a text of %s calls the segmenter more than a thousand times',
  (unit) => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    const steps = splitTextInSteps(unit.repeat(100_000 / unit.length), {
      ...DEFAULT_OPTIONS,
      maxLength: 300,
    });
    let most = 0;
    for (let isDone = false; !isDone;) {
      segment.mockClear();
      isDone = steps.next().done === true;
      most = Math.max(most, segment.mock.calls.length);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(CALLS_MAX);
  },
);
