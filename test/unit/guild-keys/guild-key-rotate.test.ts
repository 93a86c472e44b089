import { describe, expect, test } from 'vitest';

import { DAY_MS, GUILD, setUp } from '../../fixtures/guild-key-harness.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

describe('rotating a key', () => {
  test('makes a new secret under the same name, and keeps the old key for a day', async () => {
    const { keys, create, clock } = setUp();
    const old = await create({ expiresInDays: 90, flat: true, always200: true });
    clock.advance(10 * DAY_MS);
    const fresh = await keys.rotate({
      guildId: GUILD,
      keyId: old.entry.keyId,
      overlapSeconds: 86_400,
      createdBy: '43',
    });
    expect(fresh.key).not.toBe(old.key);
    expect(fresh.entry).toMatchObject({
      name: 'bot',
      createdBy: '43',
      flat: true,
      always200: true,
      expiresAt: clock.at + 90 * DAY_MS,
      state: 'current',
    });
    const [, replaced] = await keys.list(GUILD);
    expect(replaced).toMatchObject({
      state: 'replaced',
      replacedBy: fresh.entry.keyId,
      expiresAt: clock.at + DAY_MS,
    });
    clock.advance(DAY_MS - 1);
    await keys.verify(old.key);
    clock.advance(1);
    await expect(keys.verify(old.key)).rejects.toMatchObject({
      code: 'key_expired',
      message: 'The API key has been replaced by a newer one.',
    });
    await keys.verify(fresh.key);
  });

  test('ends the old key immediately without overlap', async () => {
    const { keys, create } = setUp();
    const old = await create();
    await keys.rotate({ guildId: GUILD, keyId: old.entry.keyId, overlapSeconds: 0, createdBy: '42' });
    await expect(keys.verify(old.key)).rejects.toMatchObject({
      code: 'key_revoked',
      message: 'The API key has been replaced by a newer one.',
    });
  });

  test.each([
    ['within the overlap', 3_600, 0],
    ['at once', 0, 0],
    ['once it had expired', 3_600, DAY_MS],
  ] as const)(
    'does not mention the newer key if that was revoked too, %s',
    async (_when, overlapSeconds, ms) => {
      const { keys, create, clock } = setUp();
      const old = await create();
      const fresh = await keys.rotate({
        guildId: GUILD,
        keyId: old.entry.keyId,
        overlapSeconds,
        createdBy: '42',
      });
      clock.advance(ms);
      await keys.revoke(GUILD, fresh.entry.keyId);
      await expect(keys.verify(old.key)).rejects.toMatchObject({
        message: expect.stringMatching(/^The API key has (?:been revoked|expired)\.$/) as string,
        hint: 'Use a new one. Server admins create one with /settings key create, operators with npm run key.',
      });
    },
  );

  test('mentions a newer key as long as one of its successors works', async () => {
    const { keys, create, clock } = setUp();
    const first = await create({ expiresInDays: 30 });
    const rotate = (keyId: string) =>
      keys.rotate({ guildId: GUILD, keyId, overlapSeconds: 0, createdBy: '42' });
    const second = await rotate(first.entry.keyId);
    await rotate(second.entry.keyId);
    const message = 'The API key has been replaced by a newer one.';
    await expect(keys.verify(first.key)).rejects.toMatchObject({ message });
    clock.advance(30 * DAY_MS);
    await expect(keys.verify(first.key)).rejects.toMatchObject({ message: 'The API key has been revoked.' });
  });

  test('keeps the expiry of the key', async () => {
    const { keys, create, clock } = setUp();
    const old = await create({ expiresInDays: 30 });
    const { expiresAt } = old.entry;
    clock.advance(29 * DAY_MS);
    await keys.rotate({ guildId: GUILD, keyId: old.entry.keyId, overlapSeconds: 604_800, createdBy: '42' });
    expect((await keys.list(GUILD))[1]?.expiresAt).toBe(expiresAt);
  });

  test('ends the oldest secret when it is repeated, so that a name has at most two valid secrets', async () => {
    const { keys, create } = setUp();
    const first = await create();
    const rotate = (keyId: string, endsOlder: readonly string[] = []) =>
      keys.rotate({ guildId: GUILD, keyId, overlapSeconds: 604_800, createdBy: '42', endsOlder });
    const second = await rotate(first.entry.keyId);
    const third = await rotate(second.entry.keyId, [first.entry.keyId]);
    await expect(keys.verify(first.key)).rejects.toMatchObject({ code: 'key_revoked' });
    await keys.verify(second.key);
    await keys.verify(third.key);
  });

  test('requires confirmation before it ends a secret that was promised to last longer', async () => {
    const { keys, create, clock } = setUp();
    const first = await create();
    const rotate = (keyId: string) =>
      keys.rotate({ guildId: GUILD, keyId, overlapSeconds: 3_600, createdBy: '42' });
    const second = await rotate(first.entry.keyId);
    const refused = await rotate(second.entry.keyId).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'invalid_field',
      field: 'key',
      message: `This would end the older key ${first.entry.publicPart}, which still works until 2026-01-31 13:00 (UTC).`,
    });
    await keys.verify(first.key);
    await keys.verify(second.key);
    clock.advance(3_600_000);
    await rotate(second.entry.keyId);
  });

  test('does not count a replaced key among the ten or for its name', async () => {
    const { keys, create } = setUp();
    const made = [];
    for (let n = 1; n <= 10; n += 1) made.push(await create({ name: `bot ${n}` }));
    const { entry } = await keys.rotate({
      guildId: GUILD,
      keyId: made[0]!.entry.keyId,
      overlapSeconds: 604_800,
      createdBy: '42',
    });
    expect((await keys.list(GUILD)).map(({ state }) => state).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 'current'),
      'replaced',
    ]);
    await expect(create({ name: 'bot 11' })).rejects.toMatchObject({ code: 'bad_request' });
    await keys.revoke(GUILD, entry.keyId);
    await expect(create({ name: 'bot 1' })).resolves.toBeDefined();
  });

  test.each([
    ['was replaced', 'This key has already been replaced.'],
    ['was revoked', 'This key no longer works.'],
  ])('is refused for a key that %s', async (how, sentence) => {
    const { keys, create } = setUp();
    const { entry } = await create();
    const rotate = () =>
      keys.rotate({ guildId: GUILD, keyId: entry.keyId, overlapSeconds: 3_600, createdBy: '42' });
    await (how === 'was replaced' ? rotate() : keys.revoke(GUILD, entry.keyId));
    await expect(rotate()).rejects.toMatchObject({ code: 'invalid_field', message: sentence });
  });

  test('answers 404 for a key that does not exist', async () => {
    const { keys } = setUp();
    await expect(
      keys.rotate({ guildId: GUILD, keyId: 'abcde', overlapSeconds: 0, createdBy: '42' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('stays within the allowed number of working secrets, also with revocations', async () => {
    const { keys, create, clock } = setUp();
    const secrets = [];
    for (let n = 0; n < quickOrFull(60, 300); n += 1) {
      const old = await create();
      const fresh = await keys.rotate({
        guildId: GUILD,
        keyId: old.entry.keyId,
        overlapSeconds: 604_800,
        createdBy: '42',
      });
      await keys.revoke(GUILD, fresh.entry.keyId);
      secrets.push(old.key, fresh.key);
      clock.advance(1_000);
    }
    const entries = await keys.list(GUILD);
    expect(entries).toHaveLength(20);
    expect(new Set(entries.map(({ state }) => state))).toEqual(new Set(['revoked']));
    await expect(keys.verify(secrets.at(-2))).rejects.toMatchObject({ code: 'key_revoked' });
  });
});
