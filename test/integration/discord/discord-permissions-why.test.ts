import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CallerTokenDirectory } from '../../../src/members/token/token-directory.ts';
import type { TokenDirectory } from '../../../src/members/member-directory.ts';
import {
  ADMIN_ID,
  GUILD_ID,
  MEMBER_ID,
  ROLE_ID,
  openDiscordBench,
  type DiscordBench,
} from './discord-setup.ts';
import { NO_TOKEN_MEMBERS } from '../../fixtures/no-members.ts';

const CHANNEL = '500000000000000001';
const MEMBER = { userId: MEMBER_ID, permissions: PermissionFlagsBits.SendMessages };

let bench: DiscordBench;
let directory: CallerTokenDirectory | undefined;
/** As in the app: reads with the token of the bot. */
const ownBot: TokenDirectory = {
  ...NO_TOKEN_MEMBERS,
  readFacts: async (...lookup) => {
    directory ??= new CallerTokenDirectory({
      apiUrl: bench.discord.apiUrl,
      ownToken: bench.discord.bot().token,
    });
    return directory.readFacts(...lookup);
  },
};

beforeAll(async () => {
  bench = await openDiscordBench({
    collaborators: { tokenMembers: ownBot },
    simulator: {
      guilds: [
        {
          id: GUILD_ID,
          ownerId: ADMIN_ID,
          roles: [{ id: ROLE_ID, name: 'Blue' }],
          members: [{ id: ADMIN_ID }, { id: MEMBER_ID, roles: [ROLE_ID] }],
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
  await bench[Symbol.asyncDispose]();
});

const why = (options: Record<string, string>, scene: object = MEMBER) =>
  bench.users.slash('permissions why', options, scene).reply();

describe('/permissions why', () => {
  test('shows the deciding rule, by default about oneself', async () => {
    const reply = await why({ permission: 'SEND_MESSAGES', channel: CHANNEL });
    expect(reply.isEphemeral).toBe(true);
    expect(reply.text).toContain(
      `<@${MEMBER_ID}> does not have Send Messages and Create Posts (\`SEND_MESSAGES\`) here.`,
    );
    expect(reply.text).toContain('The settings of this channel for their roles decide it.');
    expect(reply.text).toContain(`By: <@&${ROLE_ID}>`);
    const files = await why({ permission: 'ATTACH_FILES', channel: CHANNEL });
    expect(files.text).toContain(
      'It needs Send Messages and Create Posts (`SEND_MESSAGES`), which is missing here.',
    );
  });

  test('is about here when no channel is chosen', async () => {
    const reply = await why({ permission: 'send messages' });
    expect(reply.text).toContain('has Send Messages and Create Posts (`SEND_MESSAGES`) here.');
    expect(reply.text).toContain('Roles decide it.\nBy: @everyone');
  });

  test('needs Manage Roles about others', async () => {
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
});
