import { expect, test } from 'vitest';

import { whyUnreachable } from '../../../src/config/unreachable-url.ts';

test.each([
  'http://localhost:3000',
  'https://localhost',
  'https://qm.localhost',
  'https://my-pc',
  'https://server.local/api',
  'https://127.0.0.2',
  'https://192.168.1.10:3000',
  'https://[::1]:3000',
  'https://[fd00::1]',
])('bot builders cannot reach %s', (url) => {
  expect(whyUnreachable(url)).toContain('of this machine or network');
});

test('bot builders cannot call http', () => {
  expect(whyUnreachable('http://api.example.com')).toBe('it is not https');
});

test.each([
  'https://api.example.com',
  'https://203.0.113.9/qm',
  // Next to private networks.
  'https://172.15.255.255',
  'https://172.32.0.1',
  'https://192.167.255.255',
  'https://[2001:db8::1]',
])('bot builders may reach %s', (url) => {
  expect(whyUnreachable(url)).toBeNull();
});
