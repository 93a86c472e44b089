import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { RestMembers } from '../../../src/members/rest/rest-members.ts';
import type { RestMemberDirectory } from '../../../src/members/member-directory.ts';
import {
  ADMIN_ID,
  GUILD_ID,
  MEMBER_ID,
  ROLE_ID,
  openDiscordHarness,
  type DiscordHarness,
} from './discord-setup.ts';
import { NO_REST_MEMBERS } from '../../fixtures/no-members.ts';

const CHANNEL = '500000000000000001';
const HIGH_ID = '200000000000000003';
const PLAIN_ID = '200000000000000004';
const HIGH_ROLE = '400000000000000002';
const BOOSTERS = '400000000000000003';
const ACTS =
  PermissionFlagsBits.KickMembers | PermissionFlagsBits.ManageRoles | PermissionFlagsBits.ManageNicknames;
const MODERATOR = { userId: MEMBER_ID, permissions: ACTS };
const MEMBER = { userId: MEMBER_ID, permissions: PermissionFlagsBits.SendMessages };

let harness: DiscordHarness;
let directory: RestMembers | undefined;
/** As in the app: reads with the token of the bot. */
const ownBot: RestMemberDirectory = {
  ...NO_REST_MEMBERS,
  readPermissionInputs: async (...lookup) => {
    directory ??= new RestMembers({
      apiUrl: harness.discord.apiUrl,
      ownToken: harness.discord.bot().token,
    });
    return directory.readPermissionInputs(...lookup);
  },
};

beforeAll(async () => {
  harness = await openDiscordHarness({
    operationServices: { restMembers: ownBot },
    simulator: {
      guilds: [
        {
          id: GUILD_ID,
          ownerId: ADMIN_ID,
          requiresTwoFactor: true,
          roles: [
            { id: ROLE_ID, name: 'Blue', position: 3, permissions: String(ACTS) },
            { id: HIGH_ROLE, name: 'High', position: 9 },
            { id: BOOSTERS, name: 'Boosters', position: 2, managed: true },
          ],
          members: [
            { id: ADMIN_ID },
            { id: MEMBER_ID, roles: [ROLE_ID] },
            { id: HIGH_ID, roles: [HIGH_ROLE] },
            { id: PLAIN_ID },
          ],
          channels: [
            {
              id: CHANNEL,
              overwrites: [
                {
                  id: ROLE_ID,
                  type: OverwriteType.Role,
                  allow: '0',
                  deny: PermissionFlagsBits.SendMessages.toString(),
                },
              ],
            },
          ],
        },
      ],
    },
  });
});
afterAll(async () => {
  await directory?.close();
  await harness[Symbol.asyncDispose]();
});

const why = (options: Record<string, string>, scene: object = MEMBER) =>
  harness.users.slash('permissions why', options, scene).reply();

describe('/permissions why', () => {
  test('shows the deciding rule, by default for the user', async () => {
    const reply = await why({ permission: 'SEND_MESSAGES', channel: CHANNEL });
    expect(reply.isEphemeral).toBe(true);
    expect(reply.text).toContain(
      `<@${MEMBER_ID}> does not have **Send Messages and Create Posts** (\`SEND_MESSAGES\`) here.`,
    );
    expect(reply.text).toContain('The settings of this channel for their roles decide it.');
    expect(reply.text).toContain(`By: <@&${ROLE_ID}>`);
    const files = await why({ permission: 'ATTACH_FILES', channel: CHANNEL });
    expect(files.text).toContain(
      'It needs **Send Messages and Create Posts** (`SEND_MESSAGES`), which is missing here.',
    );
  });

  test('uses the current channel when no channel is chosen', async () => {
    const reply = await why({ permission: 'send messages' });
    expect(reply.text).toContain('has **Send Messages and Create Posts** (`SEND_MESSAGES`) here.');
    expect(reply.text).toContain('Roles decide it.\nBy: @everyone');
  });

  test('needs Manage Roles for questions about others', async () => {
    const asked = { permission: 'BAN_MEMBERS', member: ADMIN_ID };
    expect((await why(asked)).text).toContain('You need the permission Manage Roles');
    const moderator = { userId: MEMBER_ID, permissions: PermissionFlagsBits.ManageRoles };
    expect((await why(asked, moderator)).text).toContain('They own the server');
  });

  test('works only in servers', async () => {
    const reply = await why({ permission: 'BAN_MEMBERS' }, { userId: MEMBER_ID, guildId: null });
    expect(reply.text).toContain('only in a server');
  });

  test.each([
    ['de', 'Die Einstellungen dieses Kanals für die Rollen des Mitglieds entscheiden das.'],
    ['es-419', 'Lo deciden los ajustes de este canal para sus roles.'],
    ['pt-BR', 'Quem decide são as configurações deste canal para os cargos do membro.'],
    ['fr', 'Ce sont les réglages de ce salon pour ses rôles qui en décident.'],
    ['tr', 'Bunu bu kanalın, üyenin rolleriyle ilgili ayarları belirliyor.'],
    ['ru', 'Решают настройки канала для ролей участника.'],
    ['ja', 'The settings of this channel for their roles decide it.'],
  ])('answers in the language of the user (%s)', async (locale, sentence) => {
    const reply = await why({ permission: 'SEND_MESSAGES', channel: CHANNEL }, { ...MEMBER, locale });
    expect(reply.text).toContain(sentence);
  });

  test('says which role has to move, and where, for the server as a whole', async () => {
    const reply = await why({ permission: 'KICK_MEMBERS', target: HIGH_ID, channel: CHANNEL }, MODERATOR);
    expect(reply.text).toContain(`<@${MEMBER_ID}> may not kick <@${HIGH_ID}>.`);
    expect(reply.text).toContain(
      `Their highest role, <@&${ROLE_ID}>, is not above <@&${HIGH_ROLE}>, the highest role of <@${HIGH_ID}>. Move <@&${ROLE_ID}> above <@&${HIGH_ROLE}> in *Server Settings > Roles*.`,
    );
    expect(reply.text).toContain('Everything they may use in this server:');
    expect(reply.text).not.toContain('here');
  });

  test.each([
    [
      { permission: 'KICK_MEMBERS', target: PLAIN_ID },
      `may kick <@${PLAIN_ID}>.`,
      'two-factor authentication',
    ],
    [
      { permission: 'KICK_MEMBERS', target: MEMBER_ID },
      `may not kick <@${MEMBER_ID}>.`,
      'Nobody can do this to themselves.',
    ],
    [
      { permission: 'MANAGE_NICKNAMES', target: MEMBER_ID },
      `may change the nickname of <@${MEMBER_ID}>.`,
      'members need CHANGE_NICKNAME.',
    ],
    [
      { permission: 'MANAGE_NICKNAMES', target: ADMIN_ID },
      'may not change the nickname of',
      `<@${ADMIN_ID}> owns the server`,
    ],
    [{ permission: 'BAN_MEMBERS', target: PLAIN_ID }, `may not ban <@${PLAIN_ID}>.`, 'No role grants it.'],
    [
      { permission: 'MANAGE_ROLES', role: BOOSTERS },
      `may not give or take <@&${BOOSTERS}>.`,
      'A bot, an integration or Discord itself manages',
    ],
    [
      { permission: 'MANAGE_ROLES', role: GUILD_ID },
      'may not give or take @everyone.',
      'Every member has @everyone',
    ],
    [
      { permission: 'MANAGE_ROLES', role: HIGH_ROLE },
      `may not give or take <@&${HIGH_ROLE}>.`,
      `Move <@&${ROLE_ID}> above <@&${HIGH_ROLE}>`,
    ],
    [
      { permission: 'MANAGE_ROLES', role: ROLE_ID },
      `may not give or take <@&${ROLE_ID}>.`,
      `has no role above <@&${ROLE_ID}>. Give them one`,
    ],
  ] as const)('answers %o', async (options, headline, sentence) => {
    const reply = await why(options, MODERATOR);
    expect(reply.text).toContain(`<@${MEMBER_ID}> ${headline}`);
    expect(reply.text).toContain(sentence);
  });

  test('accepts one target, and says which goes with the permission', async () => {
    const both = await why({ permission: 'KICK_MEMBERS', target: PLAIN_ID, role: HIGH_ROLE }, MODERATOR);
    expect(both.text).toContain('The option `role` takes a role to give or take away.');
    const wrong = await why(
      { permission: 'SEND_MESSAGES', target: PLAIN_ID },
      { ...MODERATOR, locale: 'de' },
    );
    expect(wrong.text).toContain('Die Option `ziel` ist ein Mitglied');
  });

  test.each([
    ['es-ES', 'no puede expulsar a', 'Ajustes del servidor > Roles'],
    ['pt-BR', 'não pode expulsar', 'Configurações do servidor > Cargos'],
    ['fr', 'ne peut pas expulser', 'Paramètres du serveur > Rôles'],
    ['de', 'nicht kicken', 'Servereinstellungen > Rollen'],
    ['tr', 'sunucudan atamaz', 'Sunucu Ayarları > Roller'],
    ['ru', 'не может выгнать', 'Настройки сервера > Роли'],
  ])(
    'explains a refused act on a target in the language of the user (%s)',
    async (locale, headline, where) => {
      const reply = await why({ permission: 'KICK_MEMBERS', target: HIGH_ID }, { ...MODERATOR, locale });
      for (const part of [headline, where, `<@&${ROLE_ID}>`, `<@&${HIGH_ROLE}>`])
        expect(reply.text).toContain(part);
    },
  );
});
