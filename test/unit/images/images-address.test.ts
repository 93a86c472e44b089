import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { GuardedImageFetcher } from '../../../src/images/guarded-image-fetcher.ts';
import { anyAddress, publicInternet } from '../../../src/images/guard/address-rule.ts';
import { isPublicAddress } from '../../../src/kernel/addresses.ts';
import { createGuardedConnector } from '../../../src/images/guard/guarded-connector.ts';
import { parseImageUrl } from '../../../src/images/guard/image-url.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { ADDRESS_TABLE, type Verdict } from './images-address-table.ts';

function judge(text: string): Verdict {
  try {
    parseImageUrl(text, publicInternet);
    return 'public';
  } catch (error) {
    if (error instanceof Problem) return error.code as Verdict;
    throw error;
  }
}

describe('the rule for IP addresses and their spellings', () => {
  test('gives each spelling its verdict', () => {
    const judged = ADDRESS_TABLE.map(([text]) => [text, judge(text)]);
    expect(judged).toEqual(ADDRESS_TABLE);
  });

  test('has a table as large as promised, without duplicates', () => {
    expect(ADDRESS_TABLE.length).toBeGreaterThanOrEqual(150);
    expect(new Set(ADDRESS_TABLE.map(([text]) => text)).size).toBe(ADDRESS_TABLE.length);
  });

  test.each(ADDRESS_TABLE.filter(([, verdict]) => verdict !== 'public'))(
    'answers a caller who asks for %j with %s, for the field url',
    async (text, verdict) => {
      const images = new GuardedImageFetcher({ userAgent: 'test' });
      await expect(images.fetch(text, 'base64', '0', new AbortController().signal)).rejects.toMatchObject({
        code: verdict,
        field: 'url',
      });
    },
  );

  test('is applied again by the connector to literals and names', async () => {
    const connect = createGuardedConnector({
      rule: publicInternet,
      names: { timeoutMs: 1 },
      connectTimeoutMs: 1,
      signal: new AbortController().signal,
      onBroken: () => {},
    });
    const hosts = ADDRESS_TABLE.filter(([, verdict]) => verdict === 'image_address_not_allowed').map(
      ([text]) => new URL(text).hostname.replace(/\.+$/, ''),
    );
    const codes = new Map<string, unknown>();
    for (const host of hosts) {
      const error = await new Promise((resolve) => {
        const hostname = host.startsWith('[') ? host.slice(1, -1) : host;
        connect({ hostname, protocol: 'http:', port: '80' }, (...[error]) => resolve(error));
      });
      codes.set(host, error instanceof Problem && error.code);
    }
    expect(codes).toEqual(new Map(hosts.map((host) => [host, 'image_address_not_allowed'])));
  });

  test('allows only the listed addresses, names and ports for closed networks', () => {
    for (const text of ['http://127.0.0.1:8080/', 'http://localhost/', 'http://[::1]:81/', 'http://redis/']) {
      expect(parseImageUrl(text, anyAddress).protocol).toBe('http:');
    }
    for (const text of ['http://user@127.0.0.1/', 'ftp://127.0.0.1/', 'http://a..b/']) {
      expect(() => parseImageUrl(text, anyAddress)).toThrow(Problem);
    }
  });

  test('sends neither a trailing dot nor a fragment', () => {
    expect(parseImageUrl('https://example.com./a?b#c', publicInternet).href).toBe('https://example.com/a?b');
  });
});

describe('resolved IP addresses', () => {
  const notAddresses = [
    '',
    'example.com',
    '1.1.1',
    '01.1.1.1',
    '0x1.1.1.1',
    '2606:4700::1%eth0',
    '[2606:4700::1]',
  ];

  test.each(notAddresses)('are not public when they are invalid: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('are not public because of an IPv4 address inside an IPv6 address', () => {
    const prefixes = [
      '::',
      '::ffff:',
      '::ffff:0:',
      '64:ff9b::',
      '64:ff9b:1::',
      '2001::',
      '2606:4700::5efe:',
      '2606:4700::200:5efe:',
    ];
    const octet = fc.integer({ min: 0, max: 255 });
    const result = fc.check(
      fc.property(fc.constantFrom(...prefixes), fc.tuple(octet, octet, octet, octet), (prefix, octets) => {
        return !isPublicAddress(prefix + octets.join('.'));
      }),
      { seed: 20_261_120, numRuns: 2_000 },
    );
    expect(result).toMatchObject({ failed: false, numRuns: 2_000 });
  });

  test('are never public outside 2000::/3', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const result = fc.check(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const address = groups.map((value) => value.toString(16)).join(':');
        return ((groups[0] ?? 0) & 0xe000) === 0x2000 || !isPublicAddress(address);
      }),
      { seed: 20_261_120, numRuns: 2_000 },
    );
    expect(result).toMatchObject({ failed: false, numRuns: 2_000 });
  });
});
