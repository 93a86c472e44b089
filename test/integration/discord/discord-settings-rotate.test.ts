import { describe, expect, test } from 'vitest';

import { GUILD_ID, openDiscordHarness, createKey, codeOf } from './discord-setup.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

async function openWithPromise() {
  const harness = await openDiscordHarness();
  const oldest = await createKey(harness, 'demo');
  await harness.users.slash('settings key rotate', { name: 'demo', old_key: 604_800 }).reply();
  const [, promised] = await harness.keys.list(GUILD_ID);
  const until = Math.floor((promised?.expiresAt ?? 0) / 1_000);
  const warning = `The older key \`${promised?.publicPart}\` was going to work until <t:${until}:f>. It stops at once.`;
  return { harness, oldest, warning };
}

describe('a rotation that ends an older key with time left', () => {
  test('by command asks for confirmation before it ends the key', async () => {
    const { harness, oldest, warning } = await openWithPromise();
    await using _ = harness;
    const asked = harness.users.slash('settings key rotate', { name: 'demo', old_key: 3_600 });
    const { text } = await asked.reply();
    expect(text).toContain(warning);
    expect(text).not.toMatch(KEY);
    expect(await codeOf(harness.keys.verify(oldest))).toBe('works');
    const shown = await (await asked.click('Rotate and end the older key')).reply();
    expect(shown.text).toMatch(KEY);
    expect(shown.text).toContain('The old key works until');
    expect(await codeOf(harness.keys.verify(oldest))).toBe('key_revoked');
    const [, replaced] = await harness.keys.list(GUILD_ID);
    expect((replaced?.expiresAt ?? 0) - Date.now()).toBeLessThan(3_600_001);
  });

  test('by command has no effect on cancel', async () => {
    const { harness, oldest } = await openWithPromise();
    await using _ = harness;
    const asked = harness.users.slash('settings key rotate', { name: 'demo' });
    const before = await harness.keys.list(GUILD_ID);
    expect((await (await asked.click('Cancel')).reply()).text).toContain('Nothing was changed');
    expect(await harness.keys.list(GUILD_ID)).toEqual(before);
    expect(await codeOf(harness.keys.verify(oldest))).toBe('works');
  });

  test('by button is answered with the question how long the old key stays valid', async () => {
    const { harness, oldest, warning } = await openWithPromise();
    await using _ = harness;
    const asked = await harness.users.slash('settings key list').click('Rotate');
    expect((await asked.reply()).text).toContain(warning);
    const shown = await (await asked.select('Choose how long the old key keeps working', ['0'])).reply();
    expect(shown.text).toMatch(KEY);
    expect(await codeOf(harness.keys.verify(oldest))).toBe('key_revoked');
  });

  test('ends no key whose promise is newer than the question', async () => {
    const { harness, oldest } = await openWithPromise();
    await using _ = harness;
    const asked = harness.users.slash('settings key rotate', { name: 'demo', old_key: 0 });
    await asked.reply();
    const [newest] = await harness.keys.list(GUILD_ID);
    await (
      await harness.users
        .slash('settings key rotate', { name: 'demo', old_key: 604_800 })
        .click('Rotate and end the older key')
    ).reply();
    const clicked = await asked.click('Rotate and end the older key');
    expect((await clicked.followUp()).text).not.toMatch(KEY);
    expect((await harness.keys.list(GUILD_ID)).find(({ keyId }) => keyId === newest?.keyId)?.state).toBe(
      'replaced',
    );
    expect(await codeOf(harness.keys.verify(oldest))).toBe('key_revoked');
  });
});

describe('/settings key rotate and revoke', () => {
  test('suggest keys by name and public part, and accept a typed name', async () => {
    await using harness = await openDiscordHarness();
    await createKey(harness, 'website');
    await createKey(harness, 'Bot');
    const [bot, website] = await harness.keys.list(GUILD_ID);
    const choices = await harness.users
      .autocomplete('settings key rotate', { name: 'WEB' }, 'name')
      .choices();
    expect(choices).toEqual([{ name: `website · ${website?.publicPart}`, value: website?.keyId }]);
    const rotated = await harness.users.slash('settings key rotate', { name: 'bot', old_key: 3_600 }).reply();
    expect(rotated.text).toMatch(KEY);
    expect(rotated.text).toContain('The old key works until');
    const replaced = (await harness.keys.list(GUILD_ID)).find(({ keyId }) => keyId === bot?.keyId);
    expect(replaced?.state).toBe('replaced');
    const revocable = await harness.users.autocomplete('settings key revoke', { name: '' }, 'name').choices();
    expect(revocable).toHaveLength(3);
  });

  test('ask first before a revocation', async () => {
    await using harness = await openDiscordHarness();
    const key = await createKey(harness, 'demo');
    const asked = harness.users.slash('settings key revoke', { name: 'demo' });
    expect((await asked.reply()).text).toContain('Revoke `demo`?');
    expect(await codeOf(harness.keys.verify(key))).toBe('works');
    await (await asked.click('Revoke this key')).reply();
    expect(await codeOf(harness.keys.verify(key))).toBe('key_revoked');
  });

  test('end the older secrets of a name on a revocation, and say what keeps working', async () => {
    await using harness = await openDiscordHarness();
    const old = await createKey(harness, 'demo');
    const rotate = () =>
      harness.users.slash('settings key rotate', { name: 'demo', old_key: 604_800 }).reply();
    const middle = KEY.exec((await rotate()).text)?.[0];
    const asked = harness.users.slash('settings key revoke', { name: 'demo' });
    expect((await asked.reply()).text).toContain('and so does the older key of this name');
    const [newest, replaced] = await harness.keys.list(GUILD_ID);
    const older = harness.users.slash('settings key revoke', { name: replaced?.keyId ?? '' });
    expect((await older.reply()).text).toContain('The newer key of this name keeps working');
    await harness.keys.revoke(GUILD_ID, replaced?.keyId ?? '');
    const alone = await harness.users.slash('settings key revoke', { name: 'demo' }).reply();
    expect(alone.text).toContain('stops working with the next request. This cannot be undone.');
    expect(await codeOf(harness.keys.verify(middle))).toBe('works');
    const newer = KEY.exec((await rotate()).text)?.[0];
    await harness.keys.revoke(GUILD_ID, (await harness.keys.list(GUILD_ID))[0]?.keyId ?? '');
    for (const key of [old, middle, newer])
      expect(await codeOf(harness.keys.verify(key))).toBe('key_revoked');
    expect(newest?.state).toBe('current');
  });

  test('change no key when Discord did not show the rotated one', async () => {
    await using harness = await openDiscordHarness();
    const key = await createKey(harness, 'demo');
    const before = await harness.keys.list(GUILD_ID);
    harness.discord.rest.faults.fail('PATCH /webhooks/:application/:token/messages/:message', 400, {
      times: 1,
    });
    const told = await harness.users.slash('settings key rotate', { name: 'demo', old_key: 0 }).followUp();
    expect(told.text).toContain('did not show the key, so it was revoked');
    expect(await codeOf(harness.keys.verify(key))).toBe('works');
    expect((await harness.keys.list(GUILD_ID)).slice(1)).toEqual(before);
  });

  test('say of a key that has ended when it did, whatever it is called by', async () => {
    await using harness = await openDiscordHarness();
    await createKey(harness, 'demo');
    const [first] = await harness.keys.list(GUILD_ID);
    await harness.keys.revoke(GUILD_ID, first?.keyId ?? '');
    await createKey(harness, 'Demo');
    const [second] = await harness.keys.list(GUILD_ID);
    for (const command of ['settings key rotate', 'settings key revoke']) {
      expect((await harness.users.slash(command, { name: first?.publicPart ?? '' }).reply()).text).toMatch(
        /The key `demo` was revoked <t:\d+:R>\.\*\*\nIt no longer works/,
      );
    }
    await harness.keys.revoke(GUILD_ID, second?.keyId ?? '');
    const named = await harness.users.slash('settings key revoke', { name: 'demo' }).reply();
    expect(named.text).toContain('The key `Demo` was revoked');
  });

  test('say when there is no such key', async () => {
    await using harness = await openDiscordHarness();
    for (const command of ['settings key rotate', 'settings key revoke']) {
      const reply = await harness.users.slash(command, { name: 'nothing' }).reply();
      expect(reply.text).toContain('There is no key `nothing`');
    }
  });
});
