import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { generateKey } from '../../../src/guild-keys/guild-key.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { ALL_BUT_MEMBERS, readOperations } from '../../../src/operations/operation-choice.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp({ RATE_LIMIT: '20' });
});
afterEach(() => app[Symbol.asyncDispose]());

async function keyFor(operations: readonly string[] | null) {
  const { key } = await app.app.keys.create({
    guildId: app.guildId,
    name: 'scoped',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
    operations,
  });
  return { headers: { authorization: key } };
}

describe('a key that is limited to some operations', () => {
  test('works only for these', async () => {
    const { headers } = await keyFor(['parse-args', 'permissions']);
    const answers = await Promise.all(
      ['/api/parse-args?text=!ban', '/api/chat/permissions', '/api/text-splitter?text=a'].map((path) =>
        app.call(path, { headers }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403]);
    expect(answers[2]?.body).toMatchObject({
      code: 'operation_not_allowed',
      error: 'This API key may not call text-splitter.',
      hint: 'Use another key, which server admins create with /settings key create, operators with npm run key. This one may call parse-args, permissions.',
    });
  });

  test('is refused for other operations before the body is read', async () => {
    const { headers } = await keyFor(['parse-args']);
    const type = { 'content-type': 'application/json' };
    for (const body of ['{"broken', `{"text":"${'a'.repeat(5 * 2 ** 20)}"}`]) {
      const init = { method: 'POST', headers: { ...headers, ...type }, body };
      expect((await app.call('/api/text-splitter', init)).body['code']).toBe('operation_not_allowed');
    }
  });

  test('can still list them and be revoked', async () => {
    const { headers } = await keyFor(['parse-args', 'permissions']);
    expect((await app.call('/api/key', { headers })).body).toMatchObject({
      operations: ['parse-args', 'permissions'],
    });
    expect((await app.call('/api/key?flat=true', { headers })).body).toMatchObject({
      operations_1: 'parse-args',
      operations_2: 'permissions',
      operations_text: 'parse-args, permissions',
    });
    expect((await app.call('/api/key', { headers, method: 'DELETE' })).body).toMatchObject({ revoked: true });
  });

  test('shows null when it may call all of them', async () => {
    expect((await app.call('/api/key')).body).toMatchObject({ operations: null });
  });
});

describe('a choice of operations', () => {
  test('can be all, all but those about members, or a list of names', () => {
    expect(readOperations('all', OPERATIONS)).toBeNull();
    const names = OPERATIONS.map(({ name }) => name);
    const aboutMembers = OPERATIONS.filter((operation) => operation.aboutMembers).map(({ name }) => name);
    expect(aboutMembers).toContain('role-members');
    expect(readOperations(ALL_BUT_MEMBERS, OPERATIONS)).toEqual(
      names.filter((name) => !aboutMembers.includes(name)),
    );
    expect(readOperations(' Text-Splitter, parse-args ,parse-args', OPERATIONS)).toEqual([
      'parse-args',
      'text-splitter',
    ]);
  });

  test.each(['all but members', 'All  but Members', 'ALL-BUT-MEMBERS'])('can be written as "%s"', (given) => {
    expect(readOperations(given, OPERATIONS)).toEqual(readOperations(ALL_BUT_MEMBERS, OPERATIONS));
  });

  test.each(['parse', '', ' , '])('is refused if it is %j, with the existing names', (given) => {
    expect(() => readOperations(given, OPERATIONS)).toThrow(
      expect.objectContaining({
        code: 'invalid_field',
        field: 'operations',
        hint: expect.stringContaining('parse-args, ') as string,
      }),
    );
  });
});

test.each([
  ['parse', 'parse-args'],
  ['splitter', 'text-splitter'],
  ['role-chnages', 'role-changes'],
  ['permissoin', 'permissions'],
  // Several operations have it in their names.
  ['role', null],
  ['nonsense', null],
])('an unknown operation %s is refused, with the suggestion %s', (given, meant) => {
  const message = `Unknown operation "${given}".${meant === null ? '' : ` Did you mean ${meant}?`}`;
  expect(() => readOperations(given, OPERATIONS)).toThrow(expect.objectContaining({ message }));
});

describe('the finder of a leaked key', () => {
  test('ends it while the thief uses up its minute', async () => {
    const { headers } = await keyFor(null);
    const thief = await Promise.all(
      Array.from({ length: 25 }, () => app.call('/api/parse-args?text=!ban', { headers })),
    );
    expect(thief.some(({ status }) => status === 429)).toBe(true);
    const ended = await app.call('/api/key', { headers, method: 'DELETE' });
    expect([ended.status, ended.body['revoked']]).toEqual([200, true]);
    expect((await app.call('/api/key', { headers })).body['code']).toBe('key_revoked');
  });

  test('ends it while other callers at the same IP address use up the reads of keys', async () => {
    // So slow that no machine waits for the second of them.
    await using slow = await startTestApp({}, { failedKeys: { readsPerSecond: 0.01 } });
    slow.app.keys.forget(slow.guildId);
    const storm = Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        slow.call('/api/key', { headers: { authorization: keyOfNoGuild(n) } }),
      ),
    );
    const ended = await slow.call('/api/key', { method: 'DELETE' });
    expect((await storm).some(({ status }) => status === 503)).toBe(true);
    expect([ended.status, ended.body['revoked']]).toEqual([200, true]);
  });
});

/** A complete key that was never made, of another server each time. */
function keyOfNoGuild(n: number): string {
  return generateKey(`7000000000000${String(n).padStart(5, '0')}`, 'aaaaa');
}

const createGhostKey = () =>
  app.app.keys.create({
    guildId: app.guildId,
    name: 'ghost',
    createdBy: 'cli',
    expiresInDays: null,
    flat: true,
    always200: true,
  });

describe('a key made for a builder that cannot see the status', () => {
  test('is refused in a form that the builder can read, even when it has ended', async () => {
    const issued = await createGhostKey();
    const headers = { authorization: issued.key };
    await app.app.keys.revoke(app.guildId, issued.entry.keyId);
    const refused = await app.call('/api/parse-args?text=!ban', { headers });
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({ ok: false, status: 401, code: 'key_revoked', retry_after: '' });
    const asked = await app.call('/api/parse-args?text=!ban&always_200=false', { headers });
    expect(asked.status).toBe(401);
  });

  test('is not described to callers who know only its public part', async () => {
    const issued = await createGhostKey();
    await app.app.keys.revoke(app.guildId, issued.entry.keyId);
    const guess = generateKey(app.guildId, issued.entry.keyId);
    const refused = await app.call('/api/parse-args?text=!ban', { headers: { authorization: guess } });
    expect([refused.status, refused.body['code'], refused.body['retry_after']]).toEqual([
      401,
      'key_unknown',
      null,
    ]);
  });
});
