import { describe, expect, test } from 'vitest';

import { GUILD_ID, openDiscordBench, createKey, codeOf } from './discord-setup.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

async function openWithPromise() {
  const bench = await openDiscordBench();
  const oldest = await createKey(bench, 'demo');
  await bench.users.slash('settings key rotate', { name: 'demo', old_key: 604_800 }).reply();
  const [, promised] = await bench.keys.list(GUILD_ID);
  const until = Math.floor((promised?.expiresAt ?? 0) / 1_000);
  const warning = `The older key \`${promised?.publicPart}\` was going to work until <t:${until}:f>. It stops at once.`;
  return { bench, oldest, warning };
}

describe('a rotation that ends an older key with time left', () => {
  test('by command asks for confirmation before it ends the key', async () => {
    const { bench, oldest, warning } = await openWithPromise();
    await using _ = bench;
    const asked = bench.users.slash('settings key rotate', { name: 'demo', old_key: 3_600 });
    const { text } = await asked.reply();
    expect(text).toContain(warning);
    expect(text).not.toMatch(KEY);
    expect(await codeOf(bench.keys.verify(oldest))).toBe('works');
    const shown = await (await asked.click('Rotate and end the older key')).reply();
    expect(shown.text).toMatch(KEY);
    expect(shown.text).toContain('The old key works until');
    expect(await codeOf(bench.keys.verify(oldest))).toBe('key_revoked');
    const [, replaced] = await bench.keys.list(GUILD_ID);
    expect((replaced?.expiresAt ?? 0) - Date.now()).toBeLessThan(3_600_001);
  });

  test('by command has no effect on cancel', async () => {
    const { bench, oldest } = await openWithPromise();
    await using _ = bench;
    const asked = bench.users.slash('settings key rotate', { name: 'demo' });
    const before = await bench.keys.list(GUILD_ID);
    expect((await (await asked.click('Cancel')).reply()).text).toContain('Nothing was changed');
    expect(await bench.keys.list(GUILD_ID)).toEqual(before);
    expect(await codeOf(bench.keys.verify(oldest))).toBe('works');
  });

  test('by button is answered with the question how long the old key stays valid', async () => {
    const { bench, oldest, warning } = await openWithPromise();
    await using _ = bench;
    const asked = await bench.users.slash('settings key list').click('Rotate');
    expect((await asked.reply()).text).toContain(warning);
    const shown = await (await asked.select('Choose how long the old key keeps working', ['0'])).reply();
    expect(shown.text).toMatch(KEY);
    expect(await codeOf(bench.keys.verify(oldest))).toBe('key_revoked');
  });

  test('ends no key whose promise is newer than the question', async () => {
    const { bench, oldest } = await openWithPromise();
    await using _ = bench;
    const asked = bench.users.slash('settings key rotate', { name: 'demo', old_key: 0 });
    await asked.reply();
    const [newest] = await bench.keys.list(GUILD_ID);
    await (
      await bench.users
        .slash('settings key rotate', { name: 'demo', old_key: 604_800 })
        .click('Rotate and end the older key')
    ).reply();
    const clicked = await asked.click('Rotate and end the older key');
    expect((await clicked.followUp()).text).not.toMatch(KEY);
    expect((await bench.keys.list(GUILD_ID)).find(({ keyId }) => keyId === newest?.keyId)?.state).toBe(
      'replaced',
    );
    expect(await codeOf(bench.keys.verify(oldest))).toBe('key_revoked');
  });
});

describe('/settings key rotate and revoke', () => {
  test('suggest keys by name and public part, and accept a typed name', async () => {
    await using bench = await openDiscordBench();
    await createKey(bench, 'website');
    await createKey(bench, 'Bot');
    const [bot, website] = await bench.keys.list(GUILD_ID);
    const choices = await bench.users.autocomplete('settings key rotate', { name: 'WEB' }, 'name').choices();
    expect(choices).toEqual([{ name: `website · ${website?.publicPart}`, value: website?.keyId }]);
    const rotated = await bench.users.slash('settings key rotate', { name: 'bot', old_key: 3_600 }).reply();
    expect(rotated.text).toMatch(KEY);
    expect(rotated.text).toContain('The old key works until');
    const replaced = (await bench.keys.list(GUILD_ID)).find(({ keyId }) => keyId === bot?.keyId);
    expect(replaced?.state).toBe('replaced');
    const revocable = await bench.users.autocomplete('settings key revoke', { name: '' }, 'name').choices();
    expect(revocable).toHaveLength(3);
  });

  test('ask first before a revocation', async () => {
    await using bench = await openDiscordBench();
    const key = await createKey(bench, 'demo');
    const asked = bench.users.slash('settings key revoke', { name: 'demo' });
    expect((await asked.reply()).text).toContain('Revoke `demo`?');
    expect(await codeOf(bench.keys.verify(key))).toBe('works');
    await (await asked.click('Revoke this key')).reply();
    expect(await codeOf(bench.keys.verify(key))).toBe('key_revoked');
  });

  test('end the older secrets of a name on a revocation, and say what keeps working', async () => {
    await using bench = await openDiscordBench();
    const old = await createKey(bench, 'demo');
    const rotate = () => bench.users.slash('settings key rotate', { name: 'demo', old_key: 604_800 }).reply();
    const middle = KEY.exec((await rotate()).text)?.[0];
    const asked = bench.users.slash('settings key revoke', { name: 'demo' });
    expect((await asked.reply()).text).toContain('and so does the older key of this name');
    const [newest, replaced] = await bench.keys.list(GUILD_ID);
    const older = bench.users.slash('settings key revoke', { name: replaced?.keyId ?? '' });
    expect((await older.reply()).text).toContain('The newer key of this name keeps working');
    await bench.keys.revoke(GUILD_ID, replaced?.keyId ?? '');
    const alone = await bench.users.slash('settings key revoke', { name: 'demo' }).reply();
    expect(alone.text).toContain('stops working with the next request. This cannot be undone.');
    expect(await codeOf(bench.keys.verify(middle))).toBe('works');
    const newer = KEY.exec((await rotate()).text)?.[0];
    await bench.keys.revoke(GUILD_ID, (await bench.keys.list(GUILD_ID))[0]?.keyId ?? '');
    for (const key of [old, middle, newer]) expect(await codeOf(bench.keys.verify(key))).toBe('key_revoked');
    expect(newest?.state).toBe('live');
  });

  test('change no key when Discord did not show the rotated one', async () => {
    await using bench = await openDiscordBench();
    const key = await createKey(bench, 'demo');
    const before = await bench.keys.list(GUILD_ID);
    bench.discord.rest.faults.fail('PATCH /webhooks/:application/:token/messages/:message', 400, {
      times: 1,
    });
    const told = await bench.users.slash('settings key rotate', { name: 'demo', old_key: 0 }).followUp();
    expect(told.text).toContain('did not show the key, so it was revoked');
    expect(await codeOf(bench.keys.verify(key))).toBe('works');
    expect((await bench.keys.list(GUILD_ID)).slice(1)).toEqual(before);
  });

  test('say of a key that has ended when it did, whatever it is called by', async () => {
    await using bench = await openDiscordBench();
    await createKey(bench, 'demo');
    const [first] = await bench.keys.list(GUILD_ID);
    await bench.keys.revoke(GUILD_ID, first?.keyId ?? '');
    await createKey(bench, 'Demo');
    const [second] = await bench.keys.list(GUILD_ID);
    for (const command of ['settings key rotate', 'settings key revoke']) {
      expect((await bench.users.slash(command, { name: first?.publicPart ?? '' }).reply()).text).toMatch(
        /The key `demo` was revoked <t:\d+:R>\.\*\*\nIt no longer works/,
      );
    }
    await bench.keys.revoke(GUILD_ID, second?.keyId ?? '');
    const named = await bench.users.slash('settings key revoke', { name: 'demo' }).reply();
    expect(named.text).toContain('The key `Demo` was revoked');
  });

  test('say when there is no such key', async () => {
    await using bench = await openDiscordBench();
    for (const command of ['settings key rotate', 'settings key revoke']) {
      const reply = await bench.users.slash(command, { name: 'nothing' }).reply();
      expect(reply.text).toContain('There is no key `nothing`');
    }
  });
});
