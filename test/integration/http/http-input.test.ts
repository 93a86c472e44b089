import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const USER = '123456789012345678';
const LINE = '!warn <@123456789012345678> said "no" & more\nthan that';

/** The level at which the answer of a path was logged. */
async function levelOf(path: string): Promise<unknown> {
  const { headers } = await fetch(app.url + path, { headers: { authorization: app.key } });
  const requestId = headers.get('x-request-id') ?? '';
  const line = () => app.logLines.find((each) => each.includes(requestId)) ?? '{}';
  await expect.poll(line).not.toBe('{}');
  return (JSON.parse(line()) as { readonly level: unknown }).level;
}

describe('the input of an operation', () => {
  const encoded = encodeURIComponent(LINE);
  test.each([
    [
      'JSON',
      '',
      {
        method: 'POST',
        body: JSON.stringify({ text: LINE }),
        headers: { 'content-type': 'application/json' },
      },
    ],
    [
      'JSON with a byte order mark',
      '',
      {
        method: 'POST',
        body: `\uFEFF${JSON.stringify({ text: LINE })}`,
        headers: { 'content-type': 'application/json; charset=UTF-8' },
      },
    ],
    [
      'JSON sent as a form',
      '',
      {
        method: 'POST',
        body: ` ${JSON.stringify({ text: LINE })}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    [
      'JSON of another type',
      '',
      {
        method: 'POST',
        body: JSON.stringify({ text: LINE }),
        headers: { 'content-type': 'application/vnd.api+json' },
      },
    ],
    [
      'a form',
      '',
      {
        method: 'POST',
        body: `text=${encoded}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    ['plain text', '', { method: 'POST', body: LINE, headers: { 'content-type': 'text/plain' } }],
    ['the query of a POST', `?text=${encoded}`, { method: 'POST' }],
    ['the query of a GET', `?text=${encoded}`, {}],
    [
      'the query, when the body has null',
      `?text=${encoded}`,
      { method: 'POST', body: '{"text":null}', headers: { 'content-type': 'application/json' } },
    ],
    [
      'the body, when the query has it too',
      '?text=other',
      {
        method: 'POST',
        body: JSON.stringify({ text: LINE }),
        headers: { 'content-type': 'application/json' },
      },
    ],
  ] as const)('is read as %s', async (_name, query, init) => {
    const reply = await app.call(`/api/parse-args${query}`, init);
    expect(reply.body).toMatchObject({ ok: true, command: 'warn', reason: 'said "no" & more\nthan that' });
    expect(reply.status).toBe(200);
    expect(reply.type).toBe('application/json; charset=utf-8');
    expect(reply.text.startsWith('{"ok":true,')).toBe(true);
  });

  test.each(['true', 'TRUE', '1', 'yes', 'On'])('may have the flag %s', async (flag) => {
    const reply = await app.call(`/api/parse-args?text=${encoded}&pingtoid=${flag}`);
    expect(reply.body['user']).toBe('123456789012345678');
  });

  test.each([
    ['in JSON', '', '{"text":""}', 'application/json'],
    ['in a form', '', 'text=', 'application/x-www-form-urlencoded'],
    ['in the query', '?text=', undefined, undefined],
    ['as plain text', '', '', 'text/plain'],
    ['as plain text with a charset', '', '', 'Text/Plain; charset=utf-8'],
  ])('may have an empty text %s', async (_name, query, body, type) => {
    const init = { method: 'POST', ...(body === undefined ? {} : { body }) };
    const headers = type === undefined ? {} : { 'content-type': type };
    const reply = await app.call(`/api/text-splitter${query}`, { ...init, headers });
    expect(reply.body).toMatchObject({ ok: true, count: 0 });
  });

  test('is the text of the query when the plain text is empty', async () => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await app.call('/api/text-splitter?text=a', { method: 'POST', body: '', headers });
    expect(reply.body).toMatchObject({ ok: true, chunks: ['a'] });
  });

  test('may have unknown fields, which are ignored', async () => {
    expect((await app.call(`/api/parse-args?text=${encoded}&colour=red`)).status).toBe(200);
  });

  test.each([
    ['alone', (key: string) => key],
    ['after its scheme', (key: string) => `Bearer ${key}`],
    ['after its scheme in small letters', (key: string) => `bearer  ${key}`],
    ['after its scheme, twice', (key: string) => `Bearer Bearer ${key}`],
    ['after its scheme and a colon', (key: string) => `Bearer: ${key}`],
    ['after the scheme of bots', (key: string) => `Bot ${key}`],
    ['after another word', (key: string) => `Token ${key}`],
    ['after two words', (key: string) => `Bearer bot ${key}`],
    ['in quotes', (key: string) => `"${key}"`],
    ['in single quotes', (key: string) => `'${key}'`],
    ['in back-ticks', (key: string) => `\`${key}\``],
    ['in curly quotes', (key: string) => Buffer.from(`“${key}”`).toString('latin1')],
    ['in quotes after its scheme', (key: string) => `Bearer "${key}"`],
    ['in quotes with its scheme', (key: string) => `"Bearer ${key}"`],
    ['after a name', (key: string) => `Token token=${key}`],
    ['in quotes after a name', (key: string) => `ApiKey key="${key}", v=1`],
    ['with the whole line of its header', (key: string) => `Authorization: ${key}`],
    ['in angle brackets', (key: string) => `Bearer <${key}>`],
    ['after the scheme Basic', (key: string) => `Basic ${key}`],
    ['beside half of another', (key: string) => `${key} ${key.slice(0, 57)}`],
    ['beside one with a wrong checksum', (key: string) => `${key} ${key.slice(0, -1)}_`],
  ])('may have a key %s', async (_, write) => {
    const { status } = await app.call('/api/key', { headers: { authorization: write(app.key) } });
    expect(status).toBe(200);
  });

  test.each([
    ['', 'key_missing'],
    ['Bearer', 'key_missing'],
    ['Bearer Bearer', 'key_missing'],
    ['""', 'key_missing'],
    ['Bot ""', 'key_missing'],
    ['Basic abc', 'key_malformed'],
    ['Bearerqm', 'key_malformed'],
    [`${'"'.repeat(20_000)}x${'"'.repeat(20_000)}y`, 'key_malformed'],
  ])('is refused without a key in its header (%#)', async (authorization, code) => {
    const reply = await app.call('/api/key', { headers: { authorization } });
    expect([reply.status, reply.body['code']]).toEqual([401, code]);
  });

  test.each([
    'YOUR_API_KEY',
    '{{api_key}}',
    '$QUARTERMASTER_KEY',
    'undefined',
    'Bearer <your key>',
    'qm_...',
  ])('is refused with the placeholder %s as key, and the sentence says so', async (authorization) => {
    const reply = await app.call('/api/key', { headers: { authorization } });
    expect(reply.body).toMatchObject({ status: 401, code: 'key_malformed' });
    expect(reply.body['error']).toMatch(/placeholder or the name of a variable/);
  });

  test('is refused with Basic and no key, and the hint says what to send instead', async () => {
    const authorization = `Basic ${Buffer.from(`:${app.key}`).toString('base64')}`;
    const reply = await app.call('/api/key', { headers: { authorization } });
    expect(reply.body).toMatchObject({ status: 401, code: 'key_malformed' });
    expect(reply.body['error']).toMatch(/Basic authentication is not supported/);
  });

  test('is refused with two keys in its header', async () => {
    const reply = await app.call('/api/key', { headers: { authorization: `${app.key}, ${app.key}` } });
    expect([reply.status, reply.body['code']]).toEqual([401, 'key_malformed']);
  });

  test.each([
    ['/api/parse-args', { text: LINE, textstatus: true, flat: false }, 'textstatus', 'reason_only'],
    ['/api/parse-args', { text: LINE, colour: 'red' }, 'command', 'text'],
    ['/api/parse-args', { text: 7 }, 'command', 'text'],
    ['/api/text-splitter', { text: 'a b', max_length: 1 }, 'count', 2],
  ])(
    'of %s as plain text that is one call in JSON, %j, is read as that or as its text',
    async (path, sent, key, value) => {
      const headers = { 'content-type': 'text/plain;charset=UTF-8' };
      const reply = await app.call(path, { method: 'POST', body: JSON.stringify(sent), headers });
      expect([reply.status, reply.body[key]]).toEqual([200, value]);
    },
  );

  test.each([
    ['a line break', (json: string) => `\r\n ${json}\n`],
    ['a byte order mark', (json: string) => `\uFEFF${json}`],
    ['both', (json: string) => `\uFEFF\n${json} \uFEFF`],
    ['a non-ASCII space', (json: string) => `\u00a0${json}\u3000`],
  ])('as plain text may have %s around its JSON', async (_name, wrap) => {
    const body = wrap(JSON.stringify({ text: '!ban' }));
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    const reply = await app.call('/api/parse-args', { method: 'POST', body, headers });
    expect([reply.status, reply.body['command']]).toEqual([200, 'ban']);
  });

  test.each([
    [{ Text: '!ban <@123456789012345678>', 'ping-to-id': 1 }, { user: '123456789012345678' }],
    [
      { 'text[]': '!ban', Always200: true, FLAT: 'yes' },
      { command: 'ban', user: '' },
    ],
    [{ text: '', Text: '!ban' }, { code: 'missing_field' }],
    [{ Text: 7 }, { command: 'text' }],
    [{ Text: '!ban', token: 'x' }, { command: 'text' }],
    [{ Text: '!ban', txt: 'x' }, { command: 'text' }],
  ])('as plain text that is JSON, %j, is read by its field names in any spelling', async (sent, answer) => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await app.call('/api/parse-args', {
      method: 'POST',
      body: JSON.stringify(sent),
      headers,
    });
    expect(reply.body).toMatchObject(answer);
  });

  test.each([
    ['/api/parse-args', '[object Object]', /JSON\.stringify/],
    ['/api/text-splitter', '\n[object Object] ', /JSON\.stringify/],
    ['/api/parse-args', 'undefined', /variable/],
    ['/api/text-splitter', ' undefined', /variable/],
  ])('of %s that is only %j is refused with the reason', async (path, text, why) => {
    const plain = { method: 'POST', body: text, headers: { 'content-type': 'text/plain' } };
    for (const reply of [
      await app.call(path, plain),
      await app.call(`${path}?text=${encodeURIComponent(text)}`),
    ]) {
      expect(reply.body).toMatchObject({ status: 400, code: 'unresolved_placeholder', field: 'text' });
      expect(reply.body['error']).toContain(text.trim());
      expect(reply.body['hint']).toMatch(why);
    }
  });

  test.each(['[object Object] x', 'undefined is not a function', 'Undefined', 'null', '!undefined'])(
    'that only begins like a placeholder is accepted as a text: %s',
    async (text) => {
      const headers = { 'content-type': 'text/plain' };
      expect((await app.call('/api/parse-args', { method: 'POST', body: text, headers })).status).toBe(200);
    },
  );

  test.each(['/api/parse-args', '/api/text-splitter'])(
    'of %s with content instead of text is refused with the right name',
    async (path) => {
      const init = {
        method: 'POST',
        body: '{"Content":"!ban"}',
        headers: { 'content-type': 'application/json' },
      };
      const { body } = await app.call(path, init);
      expect(body).toMatchObject({ status: 400, code: 'missing_field', field: 'text' });
      expect(body['hint']).toMatch(/content.*text/);
    },
  );

  test('is read as JSON when a form holds encoded JSON', async () => {
    const type = 'application/x-www-form-urlencoded';
    const call = (body: string) =>
      app.call('/api/parse-args', { method: 'POST', body, headers: { 'content-type': type } });
    const json = JSON.stringify({ text: '!ban <@123456789012345678> 7d 1 + 1 & "ü"' });
    const encodings = [encodeURIComponent(json), encodeURIComponent(json).replaceAll('%20', '+')];
    for (const body of [...encodings, `\n${encodings[0]}`, (encodings[0] ?? '').replaceAll('%7B', '%7b')]) {
      expect((await call(body)).body).toMatchObject({ command: 'ban', reason: '1 + 1 & "ü"' });
    }
    expect((await call('%7Bx%7D=1&text=!ban')).body).toMatchObject({ command: 'ban' });
    expect((await call('%7B%22text%22%3A')).body).toMatchObject({ code: 'missing_field' });
  });

  test.each([
    ['multipart/form-data; boundary=x', '/api/parse-args', /multipart.*urlencoded.*application\/json/i],
    [undefined, '/api/parse-args', /Content-Type.*application\/json.*text\/plain/],
    [undefined, '/api/chat/permission-decoder', /Content-Type.*application\/json/],
    ['text/plain', '/api/chat/permission-decoder', /plain text.*application\/json/],
  ])('as %s to %s is refused with a sentence about what to send', async (type, path, sentence) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const reply = await app.call(path, { method: 'POST', body: Buffer.from('some text'), headers });
    expect(reply.status).toBe(415);
    expect(reply.body['error']).toMatch(sentence);
  });

  test.each([
    ['role_id', '&lt;@&amp;123456789012345678&gt;'],
    ['all', '&lt;@&amp;123456789012345678&gt;'],
    ['none', '<@&123456789012345678>, &lt;@&amp;123456789012345679&gt;'],
    ['user_id', '&lt;@!123456789012345678&gt;'],
  ])('with an id in %s that a builder has escaped is refused with the reason', async (field, id) => {
    const reply = await app.call(`/api/role-members?${field}=${encodeURIComponent(id)}`);
    expect(reply.body).toMatchObject({ status: 400, code: 'invalid_field', field });
    expect(reply.body['hint']).toMatch(/Node-RED/);
  });

  test.each([
    ['application/json, application/json', 200],
    ['application/json; charset=utf-8, application/json', 200],
    ['application/json,application/json;charset=UTF-8', 200],
    ['application/json, text/html', 415],
    ['application/json, application/json; charset=utf-16le', 415],
    ['application/json,', 200],
  ])('is read as its content type %j', async (type, status) => {
    const body = JSON.stringify({ text: LINE });
    const reply = await app.call('/api/parse-args', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(status);
  });

  test('is plain text when its type is sent twice', async () => {
    const headers = { 'content-type': 'text/plain, text/plain' };
    const full = await app.call('/api/text-splitter', { method: 'POST', body: 'a', headers });
    expect(full.body).toMatchObject({ chunks: ['a'] });
    const empty = await app.call('/api/text-splitter', { method: 'POST', body: '', headers });
    expect(empty.body).toMatchObject({ ok: true, count: 0 });
  });

  test.each([
    'undefined',
    'null',
    'NaN',
    'None',
    '[object Object]',
    ' undefined ',
    '<@undefined>',
    '<@!null>',
  ])('with %j as an id is refused as a variable without a value', async (value) => {
    const query = new URLSearchParams({ permissions: 'SPEAK', client_id: value }).toString();
    const { body } = await app.call(`/api/chat/permission-encoder?${query}`);
    expect(body).toMatchObject({ status: 400, code: 'unresolved_placeholder', field: 'client_id' });
    const members = new URLSearchParams({ role_id: USER, user_id: value }).toString();
    const asked = await app.call(`/api/role-members?${members}`);
    expect(asked.body).toMatchObject({ status: 400, code: 'unresolved_placeholder', field: 'user_id' });
  });

  test.each(['undefined,undefined', '[object Object],[object Object]', `${USER},undefined`, `${USER} null`])(
    'has no ids in %j',
    async (value) => {
      const query = new URLSearchParams({ role_id: USER, user_id: value }).toString();
      const { body } = await app.call(`/api/role-members?${query}`);
      expect(body).toMatchObject({ status: 400, code: 'unresolved_placeholder', field: 'user_id' });
    },
  );

  test.each(['role_id', 'all', 'any', 'none'])('is refused with the id of @everyone: %s', async (name) => {
    for (const value of ['@everyone', 'everyone']) {
      const { body } = await app.call(`/api/role-members?${name}=${value}`);
      expect(body).toMatchObject({ status: 400, code: 'invalid_field', field: name });
      expect(body['hint']).toContain('id of the server');
    }
  });

  test.each([
    ['/api/chat/permission-decoder?bitfield=SEND_MESSAGES'],
    ['/api/chat/permission-decoder?bitfield=Send%20Messages,%20Speak'],
    ['/api/chat/permission-decoder?bitfield=8&compare=SPEAK'],
    ['/api/chat/permission-decoder?bitfield=SPEAK&bitfield=CONNECT'],
  ])('of the decoder leads to the encoder when it holds names: %s', async (path) => {
    const { body } = await app.call(path);
    expect(body).toMatchObject({ status: 400, code: 'invalid_field' });
    expect(body['hint']).toContain('permission-encoder');
  });
});

describe('every response', () => {
  test('has its headers and no others of Express', async () => {
    const { headers } = await app.call('/api/parse-args?text=a');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    expect(headers.get('ratelimit-policy')).toBe('"guild";q=100000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"guild";r=\d+;t=\d+$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('has no body for HEAD, and lists the methods for OPTIONS', async () => {
    const head = await app.call('/api/parse-args?text=a', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(20);
    const options = await app.call('/api/parse-args', { method: 'OPTIONS', headers: { authorization: '' } });
    expect([options.status, options.text]).toEqual([204, '']);
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('is flat on request', async () => {
    const { body } = await app.call('/api/parse-args?flat=1&text=%21ban%20%3C%40123456789012345678%3E%20x');
    expect(body).toMatchObject({
      ok: true,
      subcommand: '',
      args_1: '<@123456789012345678>',
      args_text: '<@123456789012345678>, x',
    });
    expect(body['args']).toBeUndefined();
  });
});

describe('the key of a request', () => {
  test('is described to its holder', async () => {
    const { body } = await app.call('/api/key');
    expect(Object.keys(body)).toEqual([
      'ok',
      'key_id',
      'name',
      'guild_id',
      'created_at',
      'expires_at',
      'flat',
      'always_200',
      'operations',
      'requests_per_minute',
      'images_per_minute',
      'sends_per_minute',
    ]);
    expect(body).toMatchObject({
      guild_id: app.guildId,
      expires_at: null,
      requests_per_minute: 100_000,
      images_per_minute: 20,
      sends_per_minute: 10,
    });
    expect(Math.abs(Number(body['created_at']) - Date.now() / 1000)).toBeLessThan(600);
  });

  test('can be revoked by its holder, with effect on the next request', async () => {
    const headers = { authorization: await app.createKey() };
    const revoked = await app.call('/api/key', { method: 'DELETE', headers });
    expect(revoked.body).toEqual({ ok: true, key_id: expect.any(String), revoked: true });
    expect((await app.call('/api/key', { headers })).body).toMatchObject({
      status: 401,
      code: 'key_revoked',
    });
  });
});

describe('the service', () => {
  test('reports that it is alive and ready, and that Discord is off', async () => {
    expect((await app.call('/health/live')).body).toEqual({ ok: true, status: 'live' });
    expect((await app.call('/health/ready')).body).toMatchObject({
      ok: true,
      status: 'ready',
      storage: 'ok',
      discord: { connected: false, reason: 'off' },
    });
    expect(app.logLines.join('\n')).toContain(
      'no slash commands, and member lists only with a token of the caller',
    );
  });

  test('answers the operations that need no network', async () => {
    expect(
      (
        await app.postJson('/api/chat/permission-encoder', {
          permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'],
        })
      ).body,
    ).toEqual({
      ok: true,
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
    });
    expect((await app.postJson('/api/text-splitter', { text: 'a'.repeat(3000) })).body).toMatchObject({
      ok: true,
      count: 2,
    });
  });

  test.each([
    ['txt', 'You sent txt. Did you mean text?'],
    ['textt', 'You sent textt. Did you mean text?'],
    ['nonce', null],
    ['description', null],
  ])('suggests for a missing field which name was probably meant: %s', async (name, hint) => {
    const { body } = await app.postJson('/api/parse-args', { [name]: LINE });
    expect(body).toMatchObject({ code: 'missing_field', error: 'The field text is missing.', hint });
  });

  test('logs successful probes, pages and their files at debug, and other requests at info', async () => {
    for (const path of [
      '/health/live',
      '/health/ready',
      '/',
      '/docs/parse-args',
      '/favicon.ico',
      '/openapi.json',
    ]) {
      expect([path, await levelOf(path)]).toEqual([path, 'debug']);
    }
    expect(await levelOf('/docs/no-such-page')).toBe('info');
    expect(await levelOf('/api/key')).toBe('info');
  });
});

test.each(['', 'identity', 'Identity', 'utf-8', 'UTF8', 'application/json'])(
  'a body with the Content-Encoding "%s", which compresses nothing, is read',
  async (coding) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding };
    const reply = await app.call('/api/parse-args', { method: 'POST', body: '{"text":"!kick"}', headers });
    expect(reply.body).toMatchObject({ ok: true, command: 'kick' });
  },
);
