import { describe, expect, test } from 'vitest';

import { createLog, flushLog, toLoggable } from '../../../src/telemetry/log.ts';
import { holdsEncodedSecret, holdsSecret, maskSecrets } from '../../../src/kernel/secrets.ts';

const KEY = 'qm_0000000000000000_abcdefghijABCDEFGHIJabcdefghijAB123456';
const BOT_TOKEN = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`;
const tokenOf = (id: string) => `${Buffer.from(id).toString('base64url')}.Gabcde.${'x'.repeat(38)}`;
const JWT = `eyJhbGciOiJFUzUxMiJ9.eyJpZCI6IjEyMzQ1Njc4In0.${'s'.repeat(40)}`;

const WEBHOOK = `https://discord.com/api/webhooks/123456789012345678/${'wH-_'.repeat(17)}`;
const BARE_WEBHOOK = WEBHOOK.slice(WEBHOOK.indexOf('1234'));

const encodeAll = (text: string) => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const dots = (text: string) => text.replaceAll('.', '%2E').replaceAll('_', '%5f');

describe('a text that looks like a secret', () => {
  test.each([KEY, BOT_TOKEN, JWT, `mfa.${'a'.repeat(60)}`])('is found and masked: %#', (secret) => {
    expect(holdsSecret(`before ${secret} after`)).toBe(true);
    expect(maskSecrets(`before ${secret} after`)).toBe('before [secret] after');
  });

  test.each([
    ['after an encoded space', `Bot%20${BOT_TOKEN}`, 'Bot%20[secret]'],
    ['after an underscore', `_${BOT_TOKEN}`, '_[secret]'],
    ['after a letter', `x${BOT_TOKEN}`, 'x[secret]'],
    ['with encoded dots', `token=${BOT_TOKEN.replaceAll('.', '%2E')}&a=1`, 'token=[secret]&a=1'],
    ['with dots encoded twice', BOT_TOKEN.replaceAll('.', '%252e'), '[secret]'],
    ['a key with encoded underscores', `k=${KEY.replaceAll('_', '%5F')}&a=1`, 'k=[secret]&a=1'],
    ['a JWT after an encoded space', `Bearer%20${JWT}`, 'Bearer%20[secret]'],
    ['of an id with 17 digits', `x${tokenOf('12345678901234567')}`, 'x[secret]'],
    ['of an id with 19 digits', `x${tokenOf('1234567890123456789')}`, 'x[secret]'],
    ['of an id with 20 digits', `x${tokenOf('12345678901234567890')}`, 'x[secret]'],
    ['a webhook', `at ${WEBHOOK}?wait=true`, 'at https://discord.com/api/[secret]?wait=true'],
    ['a webhook without its host', `(${BARE_WEBHOOK})`, '([secret])'],
    ['a webhook with encoded slashes', `w=${BARE_WEBHOOK.replace('/', '%2F')}&a=1`, 'w=[secret]&a=1'],
    ['two at once', `${BOT_TOKEN} ${KEY}`, '[secret] [secret]'],
  ])('is masked %s', (_, text, masked) => {
    expect(holdsSecret(text)).toBe(true);
    expect(maskSecrets(text)).toBe(masked);
  });

  test.each([
    'https://cdn.discordapp.com/attachments/1234567890/1234567890/image.png?ex=65a&is=65b&hm=0123456789abcdef',
    `https://cdn.discordapp.com/attachments/123456789012345678/123456789012345679/${'a1'.repeat(32)}.png`,
    `https://cdn.discordapp.com/attachments/123456789012345678/123456789012345679/${'a1'.repeat(32)}`,
    `123456789012345678/${'a1'.repeat(32)}.png`,
    '<@123456789012345678> 7d spamming',
    'qm_ is how keys begin',
    'My.message.is-fine',
    'https://example.com/static/xMyComponentStylesheetVendor.bundle.0123456789abcdef0123456789abcdef.css',
    'a snowflake in base64, MTIzNDU2Nzg5MDEyMzQ1Njc4, is no token',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk.eyJ',
    'eyJhbGciOiJFUzUxMiJ9 alone is a header',
  ])('is left alone in %s', (text) => {
    expect(holdsSecret(text)).toBe(false);
    expect(maskSecrets(text)).toBe(text);
  });

  test('is left alone when it is a long run that almost matches', () => {
    const texts = [
      'M'.repeat(200_000),
      'qm_'.repeat(70_000),
      'eyJ'.repeat(70_000),
      `${'eyJ'.repeat(9)}.`.repeat(7_000),
      'MTIz'.repeat(50_000),
      'M.'.repeat(100_000),
      '123456789012345678/'.repeat(10_000),
      ` 123456789012345678/${'a'.repeat(59)}`.repeat(2_000),
      `webhooks/123456789012345678/${'a'.repeat(59)}.`.repeat(2_000),
    ];
    for (const text of texts) {
      expect(maskSecrets(text) === text).toBe(true);
      expect(holdsEncodedSecret(text)).toBe(false);
    }
  });
});

describe('the target of a request', () => {
  test.each([
    ['in the path', (secret: string) => `/${secret}/x`],
    ['in the query', (secret: string) => `/api/key?a=1&b=${secret}&c`],
    ['in a name of the query', (secret: string) => `/api/key?${secret}=1`],
    ['after Bot and a space', (secret: string) => `/api/key?t=Bot%20${secret}`],
    ['with encoded dots and underscores', (secret: string) => `/api/key?t=${dots(secret)}`],
    ['with every character encoded', (secret: string) => `/api/key?t=${encodeAll(secret)}`],
    ['encoded twice', (secret: string) => `/x?t=${encodeURIComponent(encodeAll(secret))}`],
    [
      'encoded three times',
      (secret: string) => `/x?t=${encodeURIComponent(encodeURIComponent(dots(secret)))}`,
    ],
    ['beside an escape that cannot be decoded', (secret: string) => `/%zz%ff%?t=%E0%A4${encodeAll(secret)}%`],
  ])('is searched for secrets %s', (_, target) => {
    for (const secret of [KEY, BOT_TOKEN, JWT, WEBHOOK, `mfa.${'a'.repeat(60)}`]) {
      expect(holdsEncodedSecret(target(secret))).toBe(true);
    }
  });

  test('is searched for the id and token of a webhook, also inside another value', () => {
    for (const value of [BARE_WEBHOOK, encodeAll(BARE_WEBHOOK), `a%20${BARE_WEBHOOK}`, `(${BARE_WEBHOOK})`]) {
      expect(holdsEncodedSecret(`/api/send?text=${value}&x`)).toBe(true);
    }
  });

  test.each([
    '/',
    '/api/parse-args?text=%21ban%20%3C%401%3E%207d',
    '/%',
    '/%zz?%E0%A4%A',
    `/${'%25'.repeat(20_000)}`,
  ])('is left alone: %#', (target) => expect(holdsEncodedSecret(target)).toBe(false));
});

describe('a logged error', () => {
  test('contains only the allowed properties', () => {
    const error = Object.assign(new Error('Missing Access'), {
      code: 50_001,
      status: 403,
      method: 'POST',
      url: `https://discord.com/api/v10/interactions/1/${'t'.repeat(60)}/callback`,
      requestBody: { json: { content: KEY } },
    });
    const loggable = toLoggable(new Error('outer', { cause: error }));
    expect(loggable.cause).toMatchObject({
      message: 'Missing Access',
      code: 50_001,
      status: 403,
      method: 'POST',
    });
    expect(Object.keys(loggable.cause ?? {}).toSorted()).toEqual([
      'code',
      'message',
      'method',
      'name',
      'stack',
      'status',
    ]);
  });

  test('has its stack as `err`, and without one is the `cause` of the line', () => {
    const lines: string[] = [];
    const log = createLog('info', { destination: { write: (line) => void lines.push(line) } });
    const error = new Error('outer', { cause: new Error('inner') });
    log.error({ err: error }, 'a fault');
    log.warn({ cause: error }, 'the storage is away');
    expect(lines.map((line) => line.match(/"stack"/g)?.length ?? 0)).toEqual([2, 0]);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      cause: { message: 'outer', cause: { message: 'inner' } },
    });
  });

  test('contains no interaction tokens, passwords or secrets in its messages', () => {
    const { message } = toLoggable(
      new Error(`GET https://x/api/v10/webhooks/1/aToken/messages redis://user:pw@host ${BOT_TOKEN}`),
    );
    expect(message).toBe('GET https://x/api/v10/webhooks/1/[secret]/messages redis://[secret]@host [secret]');
  });

  test.each([
    ['postgres://user:hunter2@db/keys', 'postgres://[secret]@db/keys'],
    ['POST /webhooks/1/aToken failed', 'POST /webhooks/1/[secret] failed'],
    [`a key: ${KEY}`, 'a key: [secret]'],
  ])('contains none of them when a string is thrown: %#', (thrown, message) => {
    expect(toLoggable(thrown)).toEqual({ name: 'NotAnError', message });
    expect(toLoggable(new Error('outer', { cause: thrown })).cause?.message).toBe(message);
  });

  test('ends at causes that form a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(toLoggable(error)).match(/"round"/g)).toHaveLength(6);
  });

  test.each(['ECONNREFUSED', 50_035])('keeps the code %j of its cause', (code) => {
    const cause = Object.assign(new Error('inner'), { code });
    expect(toLoggable(new Error('outer', { cause })).cause?.code).toBe(code);
    expect(toLoggable(new Error('outer', { cause }))).not.toHaveProperty('code');
  });

  test('shows the parts of an AggregateError', () => {
    expect(toLoggable(new AggregateError([new Error('a'), 'b'])).errors?.map((part) => part.message)).toEqual(
      ['a', 'b'],
    );
  });
});

describe('the log', () => {
  test('masks secrets that no other filter caught, and counts them', () => {
    const lines: string[] = [];
    const log = createLog('info', { destination: { write: (line) => void lines.push(line) } });
    log.info({ field: KEY }, `a token: ${BOT_TOKEN}`);
    log.info('nothing special');
    expect(lines[0]).toContain('"field":"[secret]"');
    expect(lines[0]).toContain('a token: [secret]');
    expect(log.counts).toEqual({ masked: 1, dropped: 0 });
    expect(lines[1]).toContain('nothing special');
  });

  test('is flushed to its destination when the process ends', async () => {
    const done: string[] = [];
    const destination = {
      write: () => {},
      flush(callback: () => void) {
        done.push('flushed');
        callback();
      },
    };
    await flushLog(createLog('info', { destination }));
    expect(done).toEqual(['flushed']);
    await flushLog(createLog('info', { destination: { write: () => {} } }));
  });
});
