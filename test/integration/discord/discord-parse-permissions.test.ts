import { PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ADMIN_ID,
  MEMBER_ID,
  openDiscordHarness,
  type DiscordHarness,
  MEMBER,
  ELSEWHERE,
  DM,
} from './discord-setup.ts';

let harness: DiscordHarness;
beforeAll(async () => {
  harness = await openDiscordHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

async function parse(text: string): Promise<string> {
  return (await harness.users.slash('parse', { text }, MEMBER).reply()).text;
}

describe('/parse', () => {
  test('lists all users when there are several, and the flags', async () => {
    const text = await parse(`!ban <@${ADMIN_ID}> <@400000000000000007> 7d --silent spam`);
    expect(text).toContain(`**Users** <@${ADMIN_ID}> <@400000000000000007>`);
    expect(text).not.toContain('**User**');
    expect(text).toContain('**Flags** `--silent`');
    const alone = await parse(`!ban <@${ADMIN_ID}> 7d spam`);
    expect(alone).not.toMatch(/\*\*(?:Users|Flags)/);
  });

  test('shows the parts of a command line, and the response of the API', async () => {
    const interaction = harness.users.slash(
      'parse',
      { text: `!tempban <@${ADMIN_ID}> 7d spamming @everyone`, pingtoid: true },
      MEMBER,
    );
    const reply = await interaction.reply();
    expect(reply.isEphemeral).toBe(true);
    expect(reply.text).toContain('`tempban`');
    expect(reply.text).toContain('**Time** 7 days (`7d`)');
    expect(reply.text).not.toContain('duration_ms');
    const json = await (await interaction.click('As JSON')).reply();
    expect(json.isEphemeral).toBe(true);
    expect(json.text).toContain(`"user": "${ADMIN_ID}"`);
    // The API adds these only on request.
    expect(json.text).not.toMatch(/textstatus|has_time|has_reason/);
    expect(json.text).toContain('"duration_ms": 604800000');
    expect(interaction.refusals).toEqual([]);
  });

  test('shows channel and role, and when the duration ends', async () => {
    const text = `<@${ADMIN_ID}> <#300000000000000001> <@&300000000000000002> 7d trial`;
    const interaction = harness.users.slash('parse', { text, args_only: true, timestamps: true }, MEMBER);
    const reply = await interaction.reply();
    expect(reply.text).toContain('<#300000000000000001>');
    expect(reply.text).toContain('<@&300000000000000002>');
    expect(reply.text).toMatch(/\*\*Time\*\* 7 days, until <t:\d+:f> \(<t:\d+:R>\)/);
    const json = await (await interaction.click('As JSON')).reply();
    expect(json.text).toContain('"command": null');
    expect(json.text).toContain('"until_iso"');
  });

  test.each([
    [
      'of 4,000 characters',
      '### Command `ban`',
      `!ban <@${ADMIN_ID}> ${'word '.repeat(800)}`.slice(0, 4_000),
    ],
    [
      'that tries to break out of its block',
      '### Command `ban`',
      `!ban <@${ADMIN_ID}> \`\`\` ${'`'.repeat(300)} </parse:1> @everyone`,
    ],
    ['without a command', '### No command in this line', '...'],
  ])('accepts a line %s', async (_case, heading, text) => {
    const interaction = harness.users.slash('parse', { text }, MEMBER);
    const reply = await interaction.reply();
    expect(reply.text.split('\n')).toContain(heading);
    expect(interaction.refusals).toEqual([]);
  });

  test('says of a time in the reason why it is not read as one', async () => {
    const late = await parse(`!timeout <@${ADMIN_ID}> spamming links 1h30m again`);
    expect(late).toContain('**Reason** `spamming links 1h30m again`');
    expect(late).toContain(
      '`1h30m` counts as part of the reason. A time is read right after the command or the user.',
    );
    for (const line of [
      `!timeout <@${ADMIN_ID}> 2h spamming 1h30m`,
      `!timeout <@${ADMIN_ID}> broke rule 3 all day`,
      `!warn <@${ADMIN_ID}> 13 years old`,
      `!give <@${ADMIN_ID}> now 100m`,
    ]) {
      expect(await parse(line)).not.toContain('counts as part');
    }
  });

  test('attaches long JSON as a file', async () => {
    const text = `!ban <@${ADMIN_ID}> ${'word '.repeat(700)}`;
    const reply = await (await harness.users.slash('parse', { text }, MEMBER).click('As JSON')).reply();
    expect(JSON.parse(String(reply.files[0]?.bytes))).toMatchObject({ command: 'ban', duration: null });
  });

  test('says when the line of a button no longer exists', async () => {
    const asked = harness.users.slash('parse', { text: '!ban' }, MEMBER);
    const source = await asked.reply();
    const customId = `json|${MEMBER_ID}|gone`;
    const clicked = harness.users.click(source, { custom_id: customId, type: 2, id: 1 }, MEMBER);
    expect((await clicked.reply()).text).toContain('no longer has this input');
  });

  test('explains the problem with a line of invisible characters', async () => {
    const reply = await harness.users.slash('parse', { text: '\u200B\u200B' }, MEMBER).reply();
    expect(reply.text).toContain('is empty');
    expect(reply.isEphemeral).toBe(true);
  });

  test.each([
    ['a message', false],
    ['a forwarded message', true],
  ])('works on %s', async (_case, isForward) => {
    const seed = { content: '!kick 123456789012345678', isForward };
    const reply = await harness.users.messageCommand('Parse command line', seed, DM).reply();
    expect(reply.text).toContain('### Command `kick`');
  });

  test('says when a message has no text', async () => {
    const empty = await harness.users.messageCommand('Parse command line', { content: '' }, DM).reply();
    expect(empty.text).toContain('This message has no text');
  });
});

describe('/permissions', () => {
  test('encodes several names from several options', async () => {
    const reply = await harness.users
      .slash(
        'permissions encode',
        { permission: 'SEND_MESSAGES, add reactions', permission_10: 'ManageGuild' },
        DM,
      )
      .reply();
    expect(reply.text).toContain(
      String(
        PermissionFlagsBits.SendMessages | PermissionFlagsBits.AddReactions | PermissionFlagsBits.ManageGuild,
      ),
    );
    expect(reply.text).toContain('two-factor');
  });

  test('says of a negative bit field what a bit field is, without a word about code', async () => {
    const { text } = await harness.users.slash('permissions decode', { bitfield: '-1' }, ELSEWHERE).reply();
    expect(text).toContain('A bit field is a whole number from 0 up');
    expect(text).not.toContain('JavaScript');
  });

  test('decodes a bit field', async () => {
    const reply = await harness.users.slash('permissions decode', { bitfield: '0x840' }, ELSEWHERE).reply();
    expect(reply.text).toContain('`ADD_REACTIONS` `SEND_MESSAGES`');
  });

  test('shows the differences between two bit fields, and what an old one has lost', async () => {
    const input = { bitfield: '8256', compare: '2112' };
    const reply = await harness.users.slash('permissions decode', input, ELSEWHERE).reply();
    expect(reply.text).toContain('**Added** `SEND_MESSAGES`');
    expect(reply.text).toContain('**Removed** `MANAGE_MESSAGES`');
    expect(reply.text).toContain('PIN_MESSAGES');
  });

  test('returns a link that invites a bot with the permissions', async () => {
    const input = { permission: 'SEND_MESSAGES', client_id: '123456789012345678' };
    const reply = await harness.users.slash('permissions encode', input, DM).reply();
    expect(reply.text).toContain('client_id=123456789012345678');
    expect(reply.text).toContain('permissions=2048');
  });

  test('names unknown permissions, with the nearest name', async () => {
    const reply = await harness.users
      .slash('permissions encode', { permission: 'SEND_MESAGES' }, MEMBER)
      .reply();
    expect(reply.text).toContain('Did you mean SEND_MESSAGES?');
    expect(reply.text).not.toContain('GET /api');
  });

  test("suggests a name for a misspelling in the user's language as in English", async () => {
    const reply = await harness.users
      .slash('permissions encode', { permission: 'Server verwaltn' }, { ...MEMBER, locale: 'de' })
      .reply();
    expect(reply.text).toContain('Meintest du MANAGE_GUILD?');
  });

  test.each([
    ['one very long name', 'x'.repeat(6_000)],
    ['many of them', 'nonsense, '.repeat(600)],
    ['Markdown', `**__||${'`'.repeat(20)} <@1> @everyone`],
  ])('explains %s, in a message that Discord accepts', async (_case, permission) => {
    const interaction = harness.users.slash('permissions encode', { permission }, MEMBER);
    const reply = await interaction.reply();
    expect(reply.text.length).toBeLessThan(2_000);
    expect(interaction.refusals).toEqual([]);
  });

  test('suggests the next of several names in one option', async () => {
    const permission = 'SEND_MESSAGES, man';
    const choices = await harness.users
      .autocomplete('permissions encode', { permission }, 'permission', MEMBER)
      .choices();
    expect(choices).toContainEqual({
      name: 'SEND_MESSAGES, MANAGE_ROLES · Manage Roles',
      value: 'SEND_MESSAGES, MANAGE_ROLES',
    });
    const long = `${'SEND_MESSAGES, '.repeat(6)}man`;
    const none = harness.users.autocomplete('permissions encode', { permission: long }, 'permission', MEMBER);
    for (const { value } of await none.choices()) expect(String(value).length).toBeLessThanOrEqual(100);
  });

  test.each([
    ['de', 'server verw', 'MANAGE_GUILD', 'MANAGE_GUILD · Server verwalten'],
    ['fr', 'gerer les roles', 'MANAGE_ROLES', 'MANAGE_ROLES · Gérer les rôles'],
    ['ru', 'управлять сервером', 'MANAGE_GUILD', 'MANAGE_GUILD · Управлять сервером'],
    ['tr', 'sunucuyu yonet', 'MANAGE_GUILD', 'MANAGE_GUILD · Sunucuyu Yönet'],
    // English names and labels work in every language.
    ['de', 'manage serv', 'MANAGE_GUILD', 'MANAGE_GUILD · Server verwalten'],
    // With a slip.
    ['en-US', 'mange serv', 'MANAGE_GUILD', 'MANAGE_GUILD · Manage Server'],
    ['en-US', 'KIKC_MEM', 'KICK_MEMBERS', 'KICK_MEMBERS · Kick Approve and Reject Members'],
    ['de', 'server vewal', 'MANAGE_GUILD', 'MANAGE_GUILD · Server verwalten'],
    // What Discord keeps of a choice that was picked, and what is typed after it.
    [
      'de',
      'MANAGE_GUILD · Server verwalten, mitglieder ban',
      'MANAGE_GUILD, BAN_MEMBERS',
      'MANAGE_GUILD, BAN_MEMBERS · Mitglieder bannen',
    ],
    [
      'es-ES',
      'MENTION_EVERYONE · Mencionar a @everyone @here y todos los roles, crear enc',
      'MENTION_EVERYONE, SEND_POLLS',
      'MENTION_EVERYONE, SEND_POLLS · Crear encuestas',
    ],
  ] as const)(
    'finds permissions in %s by their names in the client: "%s"',
    async (locale, permission, value, name) => {
      const scene = { ...MEMBER, locale };
      const choices = await harness.users
        .autocomplete('permissions encode', { permission }, 'permission', scene)
        .choices();
      expect(choices).toEqual([{ name, value }]);
    },
  );

  test.each([
    ['de', 'Nachrichten senden', 'SEND_MESSAGES'],
    ['es-ES', 'Enviar mensajes', 'SEND_MESSAGES'],
    ['tr', 'Mesaj Gönder', 'SEND_MESSAGES'],
    ['de', 'Mitglieder kicken', 'KICK_MEMBERS'],
    ['es-ES', 'Expulsar miembros', 'KICK_MEMBERS'],
    ['tr', 'Üyeleri At', 'KICK_MEMBERS'],
    ['de', 'Threads verwalten', 'MANAGE_THREADS'],
    ['es-ES', 'Gestionar los hilos', 'MANAGE_THREADS'],
    ['tr', 'Alt Başlıklarda Mesaj Gönder', 'SEND_MESSAGES_IN_THREADS'],
  ] as const)(
    'finds permissions in %s by the short name "%s", which is first while it is typed',
    async (locale, label, name) => {
      const scene = { ...MEMBER, locale };
      const suggested = async (permission: string) => {
        const choices = harness.users.autocomplete('permissions encode', { permission }, 'permission', scene);
        return (await choices.choices()).map(({ value }) => value);
      };
      for (let end = 1; end < label.length; end += 1) {
        const permission = label.slice(0, end);
        expect([permission, await suggested(permission)]).toEqual([
          permission,
          expect.arrayContaining([name]),
        ]);
      }
      expect((await suggested(label))[0]).toBe(name);
      const reply = await harness.users.slash('permissions encode', { permission: label }, scene).reply();
      expect(reply.text).toContain(name);
    },
  );

  test('accepts the names of the client, typed or picked', async () => {
    const permission = 'Rollen verwalten, MANAGE_GUILD · Server verwalten';
    const reply = await harness.users
      .slash('permissions encode', { permission }, { ...MEMBER, locale: 'de' })
      .reply();
    expect(reply.text).toContain(String(2 ** 28 + 2 ** 5));
  });

  test('suggests matching names, the nearest first, without those already chosen', async () => {
    const choices = await harness.users
      .autocomplete(
        'permissions encode',
        { permission: 'SEND_MESSAGES', permission_2: 'send' },
        'permission_2',
        MEMBER,
      )
      .choices();
    const values = choices.map(({ value }) => value);
    expect(values[0]).toMatch(/^SEND_/);
    expect(values).not.toContain('SEND_MESSAGES');
    const all = await harness.users
      .autocomplete('permissions encode', { permission: '' }, 'permission', MEMBER)
      .choices();
    expect(all).toHaveLength(25);
  });
});
