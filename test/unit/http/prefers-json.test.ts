import { describe, expect, test } from 'vitest';

import { prefersJson } from '../../../src/http/docs/prefers-json.ts';

describe('the root', () => {
  test.each([
    [undefined, false],
    ['*/*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/json', true],
    ['application/json, text/plain, */*', true],
    ['Application/JSON; q=0.5', true],
    ['text/html;q=0.5, application/json', true],
    ['application/json, text/html', true],
    ['text/html, application/json', false],
    ['text/html;q=0, */*', true],
    ['application/*', true],
    ['image/png', false],
    ['', false],
  ])('is JSON only when it is asked for rather than a page: %s', (accept, json) => {
    expect(prefersJson(accept)).toBe(json);
  });

  test('does not read an Accept header of 60 kB to its end', () => {
    expect(prefersJson(`${'a/b;c=d,'.repeat(7_500)}application/json`)).toBe(false);
  });
});
