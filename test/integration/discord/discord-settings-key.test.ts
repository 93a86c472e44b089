import { Locale, PermissionFlagsBits } from 'discord-api-types/v10';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { loadConfig } from '../../../src/config/config.ts';
import { inviteLink } from '../../../src/discord/client/create-client.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { KEY_BUILDERS } from '../../../src/recipes/builders.ts';
import { firstRecipe } from '../../../src/recipes/first-recipe.ts';
import { TRANSLATED_LOCALES } from '../../../src/discord/locales/languages.ts';
import { ADMIN_ID, GUILD_ID, openDiscordHarness, createKey, codeOf } from './discord-setup.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

describe('/settings key create', () => {
  test('shows a working key, once and only to the admin, with the steps for the builder', async () => {
    await using harness = await openDiscordHarness();
    const interaction = harness.users.slash('settings key create', {
      name: 'demo',
      builder: 'botghost',
      expires: 30,
    });
    const shown = await interaction.reply();
    expect(shown.isEphemeral).toBe(true);
    const key = KEY.exec(shown.text)?.[0];
    expect(shown.text).toContain(`\`\`\`\n${key}\n\`\`\``);
    expect(shown.text).toContain('https://api.example/docs/parse-args?tool=botghost');
    expect(await harness.keys.verify(key)).toMatchObject({
      guildId: GUILD_ID,
      name: 'demo',
      flat: true,
      always200: true,
    });
    const [entry] = await harness.keys.list(GUILD_ID);
    expect(entry?.createdBy).toBe(ADMIN_ID);
    expect((entry?.expiresAt ?? 0) - (entry?.createdAt ?? 0)).toBe(30 * 86_400_000);

    const saved = await (await interaction.click('Saved it')).reply();
    expect(saved).toBe(shown);
    expect(saved.text).not.toMatch(KEY);
    expect(saved.text).toContain('`demo`');
    expect(interaction.refusals).toEqual([]);
    expect(harness.logLines.filter((line) => KEY.test(line))).toEqual([]);
  });

  test.each(KEY_BUILDERS)(
    'shows the key once, with the steps for %s and the URL of their recipe',
    async (builder) => {
      await using harness = await openDiscordHarness();
      const interaction = harness.users.slash('settings key create', { name: 'k', builder });
      const { text } = await interaction.reply();
      const key = KEY.exec(text)?.[0] ?? '';
      expect(text.split(key)).toHaveLength(2);
      const recipe = firstRecipe(builder, 'https://api.example');
      expect(text).toContain(recipe?.url);
      for (const step of recipe?.steps ?? []) expect(text).toContain(step.text);
      // Whoever reads on finds the whole recipe first.
      const first = text.indexOf('\n1. ');
      expect(first === -1 || text.indexOf(recipe?.url ?? '') < first).toBe(true);
      expect(text).not.toContain('\n4. ');
      expect(interaction.refusals).toEqual([]);
    },
  );

  test('explains the steps in the language of the user, and quotes buttons as the builder has them', async () => {
    await using harness = await openDiscordHarness();
    const options = { name: 'k', builder: 'discord_bot_maker' };
    const { text } = await harness.users
      .slash('settings key create', options, { locale: Locale.German })
      .reply();
    expect(text).toContain('1. Installier [DBM Mods](https://github.com/dbm-network/mods)');
    expect(text).toContain('*Timeout Members*');
  });

  test.each([
    [Locale.German, 'Mitglieder im Timeout'],
    [Locale.Turkish, 'Üyelere Zaman Aşımı Uygula'],
    [Locale.EnglishUS, 'Timeout Members'],
  ])(
    'calls a permission in Discord as Discord does in the language of the user (%s)',
    async (locale, label) => {
      await using harness = await openDiscordHarness();
      for (const builder of ['make', 'zapier']) {
        const { text } = await harness.users
          .slash('settings key create', { name: builder, builder }, { locale })
          .reply();
        expect(text).toContain(`*${label}*`);
      }
    },
  );

  test.each([Locale.EnglishUS, ...TRANSLATED_LOCALES.map(({ locale }) => locale)])(
    'fits with the longest URL that the settings accept, as does help (%s)',
    async (locale) => {
      const url = `https://x/${'a'.repeat(390)}`;
      expect(loadConfig({ PUBLIC_URL: url }).publicUrl).toBe(url);
      await using harness = await openDiscordHarness({ gateway: { publicUrl: () => url } });
      // Its button leads there.
      const help = harness.users.slash('help', {}, { locale });
      expect(JSON.stringify((await help.reply()).components)).toContain(`${url}/docs`);
      expect(help.refusals).toEqual([]);
      const asked = [
        harness.users.slash('settings help', {}, { locale }),
        ...KEY_BUILDERS.map((builder, at) =>
          harness.users.slash('settings key create', { name: `key ${at}`, builder }, { locale }),
        ),
      ];
      for (const interaction of asked) {
        expect((await interaction.reply()).text).toContain(url);
        expect(interaction.refusals).toEqual([]);
      }
    },
  );

  test('says why it makes no key: the name is taken, or there are ten', async () => {
    await using harness = await openDiscordHarness();
    for (let index = 0; index < 10; index += 1) await createKey(harness, `key ${index}`);
    const eleventh = await harness.users.slash('settings key create', { name: 'one more' }).reply();
    expect(eleventh.text).not.toMatch(KEY);
    expect(eleventh.text).toContain('10');
    await harness.keys.revoke(GUILD_ID, (await harness.keys.list(GUILD_ID))[0]?.keyId ?? '');
    const taken = await harness.users.slash('settings key create', { name: 'KEY 1' }).reply();
    expect(taken.text).not.toMatch(KEY);
    expect(await harness.keys.list(GUILD_ID)).toHaveLength(10);
  });

  test('shows a name with Markdown and mentions unchanged', async () => {
    await using harness = await openDiscordHarness();
    const name = '`**@everyone** <@&1> ```';
    const interaction = harness.users.slash('settings key create', { name });
    expect((await interaction.reply()).text).toMatch(KEY);
    await (await interaction.click('Saved it')).reply();
    const list = await harness.users.slash('settings key list').reply();
    expect(list.text).toContain('**@everyone** <@&1>');
    expect(interaction.refusals).toEqual([]);
  });

  test('accepts a name made of the longest characters, which the command line accepts', async () => {
    await using harness = await openDiscordHarness();
    const { entry } = await harness.keys.create({
      guildId: GUILD_ID,
      name: '🔑'.repeat(32),
      createdBy: 'cli',
      expiresInDays: null,
      flat: false,
      always200: false,
    });
    const interaction = harness.users.slash('settings key rotate', { name: entry.keyId });
    expect((await interaction.reply()).text).toMatch(KEY);
    const saved = await (await interaction.click('Saved it')).reply();
    expect(saved.text).toContain('🔑🔑');
  });

  test('makes no key when only the commands are in the server, and shows the link', async () => {
    await using harness = await openDiscordHarness();
    const scene = {
      guildId: '300000000000000999',
      userId: ADMIN_ID,
      installedBy: 'guild' as const,
      permissions: PermissionFlagsBits.ManageGuild,
    };
    const reply = await harness.users.slash('settings key create', { name: 'demo' }, scene).reply();
    expect(reply.text).toContain(inviteLink(harness.discord.bot().id));
    expect(await harness.keys.list('300000000000000999')).toEqual([]);
  });
});

describe('/settings key create, for some operations', () => {
  test('limits the key to the chosen ones, says so, and shows an allowed call', async () => {
    await using harness = await openDiscordHarness();
    const interaction = harness.users.slash('settings key create', {
      name: 'demo',
      operations: 'Text-Splitter, permissions',
    });
    const { text } = await interaction.reply();
    const operations = ['permissions', 'text-splitter'];
    expect(await harness.keys.verify(KEY.exec(text)?.[0])).toMatchObject({ operations });
    expect(text).toContain('It can only call `permissions` and `text-splitter`.');
    expect(text).toContain('https://api.example/docs/text-splitter?tool=');
    expect(text).not.toContain('https://api.example/docs/parse-args?tool=');
    const list = await harness.users.slash('settings key list').reply();
    expect(list.text).toContain('only permissions and text-splitter');
  });

  test('lists them as the language of the user does', async () => {
    await using harness = await openDiscordHarness();
    const { text } = await harness.users
      .slash(
        'settings key create',
        { name: 'demo', operations: 'parse-args, permissions, text-splitter' },
        { locale: Locale.German },
      )
      .reply();
    expect(text).toContain('`parse-args`, `permissions` und `text-splitter`');
  });

  test('links to the examples when there is none for these operations', async () => {
    await using harness = await openDiscordHarness();
    const { text } = await harness.users
      .slash('settings key create', { name: 'demo', operations: 'permissions' })
      .reply();
    expect(text).toMatch(KEY);
    expect(text).toContain('Examples for your builder: https://api.example/docs');
  });

  test('can leave out the members of the server', async () => {
    await using harness = await openDiscordHarness();
    const { text } = await harness.users
      .slash('settings key create', { name: 'demo', operations: 'all-but-members' })
      .reply();
    const { operations } = await harness.keys.verify(KEY.exec(text)?.[0]);
    expect(operations).toContain('parse-args');
    expect(operations).not.toContain('role-members');
  });

  test('refuses a choice for several operations beside another one, and says why', async () => {
    await using harness = await openDiscordHarness();
    const say = async (locale: 'de' | 'en-US') =>
      (
        await harness.users
          .slash(
            'settings key create',
            { name: 'demo', operations: 'all-but-members, role-counts' },
            { locale },
          )
          .reply()
      ).text;
    expect(await say('en-US')).toContain('all-but-members cannot be combined with other operations.');
    expect(await say('de')).toContain(
      'all-but-members kann nicht mit anderen Operationen kombiniert werden.',
    );
  });

  test('suggests operations while they are typed, one after the other', async () => {
    await using harness = await openDiscordHarness();
    const choices = (operations: string, locale: 'de' | 'en-US' = 'en-US') =>
      harness.users
        .autocomplete('settings key create', { name: 'demo', operations }, 'operations', { locale })
        .choices();
    const first = await choices('');
    expect(first.slice(0, 2).map(({ value }) => value)).toEqual(['all', 'all-but-members']);
    expect(first[1]?.name).toBe('All but members');
    expect((await choices('', 'de'))[1]?.name).toBe('Alles außer Mitgliedern');
    expect((await choices('par')).map(({ value }) => value)).toEqual(['parse-args']);
    expect((await choices('parse-args, text-s')).map(({ value }) => value)).toEqual([
      'parse-args, text-splitter',
    ]);
    // With a slip.
    expect((await choices('prase')).map(({ value }) => value)).toEqual(['parse-args']);
    expect((await choices('parse-args, txet-spl')).map(({ value }) => value)).toEqual([
      'parse-args, text-splitter',
    ]);
    expect(await choices('xyzzy')).toEqual([]);
  });

  test.each([
    ['en-US', 'All but', ['all-but-members']],
    ['en-US', 'all but members', ['all-but-members']],
    ['en-US', 'ALL OP', ['all']],
    ['de', 'Alle O', ['all']],
    ['de', 'alles außer', ['all-but-members']],
    ['fr', 'Toutes', ['all', 'all-but-members']],
    ['tr', 'ÜYELER DIŞINDA', ['all-but-members']],
    // Its words in English and its value work in every language.
    ['ru', 'All but members', ['all-but-members']],
    ['ru', 'all-but', ['all-but-members']],
  ] as const)('keeps its suggestions in %s while "%s" is typed', async (locale, operations, expected) => {
    await using harness = await openDiscordHarness();
    const choices = await harness.users
      .autocomplete('settings key create', { name: 'demo', operations }, 'operations', { locale })
      .choices();
    expect(choices.map(({ value }) => value)).toEqual(expected);
  });

  test.each([
    ['en-US', 'all but members'],
    ['en-US', 'All But Members '],
    ['de', 'Alles außer Mitgliedern'],
    ['fr', 'all but members'],
  ] as const)(
    'accepts the words of the suggestion as they are typed in %s: "%s"',
    async (locale, operations) => {
      await using harness = await openDiscordHarness();
      const { text } = await harness.users
        .slash('settings key create', { name: 'demo', operations }, { locale })
        .reply();
      const { operations: scope } = await harness.keys.verify(KEY.exec(text)?.[0]);
      expect(scope).toContain('parse-args');
      expect(scope).not.toContain('role-members');
    },
  );

  test('accepts "All operations" as typed text', async () => {
    await using harness = await openDiscordHarness();
    const { text } = await harness.users
      .slash('settings key create', { name: 'demo', operations: 'all operations' })
      .reply();
    expect(await harness.keys.verify(KEY.exec(text)?.[0])).toMatchObject({ operations: null });
  });

  test('makes no key for an unknown operation', async () => {
    await using harness = await openDiscordHarness();
    const { text } = await harness.users
      .slash('settings key create', { name: 'demo', operations: 'parse' })
      .reply();
    expect(text).toContain('There is no operation parse. Did you mean parse-args?');
    expect(await harness.keys.list(GUILD_ID)).toEqual([]);
  });
});

describe('/settings key list', () => {
  test('says how to start when there is no key', async () => {
    await using harness = await openDiscordHarness();
    const id = harness.discord.bot().commands.find(({ name }) => name === 'settings')?.id;
    const reply = await harness.users.slash('settings key list').reply();
    expect(reply.text).toContain(`</settings key create:${id}>`);
  });

  test('shows the known facts of each key, without its secret, and turns pages', async () => {
    await using harness = await openDiscordHarness();
    const keys: string[] = [];
    for (let index = 0; index < 10; index += 1) keys.push(await createKey(harness, `key-${index}`));
    const [newest] = await harness.keys.list(GUILD_ID);
    harness.usage.record(GUILD_ID, newest?.keyId ?? '', 'parse-args');
    const interaction = harness.users.slash('settings key list');
    const list = await interaction.reply();
    expect(list.isEphemeral).toBe(true);
    expect(list.text).toContain('10 of 10 in use');
    expect(list.text).toContain(`\`key-9\`** · \`${newest?.publicPart}\``);
    expect(list.text).toMatch(
      new RegExp(`Made by <@${ADMIN_ID}> <t:\\d+:R> · last used <t:\\d+:R> · does not expire`),
    );
    expect(list.text).toContain('never used');
    expect(list.text).not.toMatch(KEY);
    expect(list.text).not.toContain('`key-1`');
    const older = await (await interaction.click('Older')).reply();
    expect(older.text).toContain('`key-1`');
    expect(interaction.refusals).toEqual([]);
  });

  test('names every operation of a key, and fits a page of the longest keys into a message', async () => {
    await using harness = await openDiscordHarness();
    const operations = OPERATIONS.map(({ name }) => name).slice(1);
    for (let index = 0; index < 10; index += 1) {
      await harness.keys.create({
        guildId: GUILD_ID,
        name: `${index}${'🔑'.repeat(31)}`,
        createdBy: ADMIN_ID,
        expiresInDays: 365,
        builder: 'discord_bot_maker',
        flat: true,
        always200: true,
        operations,
      });
    }
    const interaction = harness.users.slash('settings key list', {}, { locale: Locale.French });
    const list = await interaction.reply();
    for (const name of operations) expect(list.text).toContain(name);
    expect(list.text).toMatch(/expire le <t:\d+:f>/);
    expect(interaction.refusals).toEqual([]);
  });

  test('rotates a key: asks how long the old one stays valid, then shows the new one', async () => {
    await using harness = await openDiscordHarness();
    const old = await createKey(harness, 'demo');
    const list = harness.users.slash('settings key list');
    const asked = await list.click('Rotate');
    expect((await asked.reply()).text).toContain('Rotate `demo`?');
    const rotated = await asked.select('Choose how long the old key keeps working', ['0']);
    const shown = await rotated.reply();
    const key = KEY.exec(shown.text)?.[0];
    expect(shown.text).toContain('one example of many');
    expect(shown.text).not.toContain('· Code');
    expect(await codeOf(harness.keys.verify(key))).toBe('works');
    expect(await codeOf(harness.keys.verify(old))).not.toBe('works');
    const saved = await (await rotated.click('Saved it')).reply();
    expect(saved.text).not.toMatch(KEY);
    expect(rotated.refusals).toEqual([]);
  });

  test('says in the list why the answers have another form', async () => {
    await using harness = await openDiscordHarness();
    await harness.users.slash('settings key create', { name: 'a', builder: 'botghost' }).reply();
    await harness.users.slash('settings key create', { name: 'b', builder: 'bdfd' }).reply();
    const { text } = await harness.users.slash('settings key list').reply();
    expect(text).toContain('· BotGhost · flat answers and always 200, as this builder needs them');
    expect(text).toContain('· BDFD · flat answers, as this builder needs them');
  });

  test('remembers the builder of a key when it is rotated', async () => {
    await using harness = await openDiscordHarness();
    await harness.users.slash('settings key create', { name: 'demo', builder: 'kite' }).reply();
    const list = harness.users.slash('settings key list');
    expect((await list.reply()).text).toContain('· Kite');
    const shown = await harness.users.slash('settings key rotate', { name: 'demo' }).reply();
    expect(shown.text).toContain('Try it: Kite**');
    expect((await harness.keys.list(GUILD_ID)).map(({ builder }) => builder)).toEqual(['kite', 'kite']);
  });

  test('revokes a key after asking, and has no effect on cancel', async () => {
    await using harness = await openDiscordHarness();
    const key = await createKey(harness, 'demo');
    const list = harness.users.slash('settings key list');
    const asked = await list.click('Revoke');
    const cancelled = await (await asked.click('Cancel')).reply();
    expect(cancelled.text).toContain('Nothing was changed');
    expect(await codeOf(harness.keys.verify(key))).toBe('works');
    const again = await harness.users.slash('settings key list').click('Revoke');
    const revoked = await (await again.click('Revoke this key')).reply();
    expect(revoked.text).toContain('`demo` is revoked');
    expect(revoked.text).toContain('Ended in the last 90 days');
    expect(await codeOf(harness.keys.verify(key))).toBe('key_revoked');
  });

  test('lists the keys that ended, the last one first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    await using harness = await openDiscordHarness();
    await createKey(harness, 'older');
    vi.setSystemTime(Date.now() + 60_000);
    await createKey(harness, 'newer');
    const [newer, older] = await harness.keys.list(GUILD_ID);
    await harness.keys.revoke(GUILD_ID, newer?.keyId ?? '');
    vi.setSystemTime(Date.now() + 60_000);
    await harness.keys.revoke(GUILD_ID, older?.keyId ?? '');
    const { text } = await harness.users.slash('settings key list').reply();
    expect([...text.matchAll(/`(older|newer)` `/g)].map(([, name]) => name)).toEqual(['older', 'newer']);
  });

  test('says when the key was deleted meanwhile', async () => {
    await using harness = await openDiscordHarness();
    await createKey(harness, 'demo');
    const list = harness.users.slash('settings key list');
    await list.reply();
    await harness.keys.revoke(GUILD_ID, (await harness.keys.list(GUILD_ID))[0]?.keyId ?? '');
    const clicked = await list.click('Rotate');
    expect((await clicked.followUp()).text).toContain('The key `demo` was revoked <t:');
    expect((await clicked.followUp()).isEphemeral).toBe(true);
  });
});
