import { describe, expect, test } from 'vitest';

import type { OperationContext } from '../../../../src/operations/operation.ts';
import { permissionEncoder } from '../../../../src/operations/permission-encoder/operation.ts';
import { LIBRARY_NAMES } from '../../../../src/operations/permissions/library-names.ts';
import {
  findPermission,
  readPermissionNames,
} from '../../../../src/operations/permissions/permission-names.ts';
import { PERMISSIONS } from '../../../../src/operations/permissions/permission-table.ts';

/** All names of each library with their bits, as its source has them. */
const LIBRARIES = {
  // https://github.com/discord-jda/JDA, Permission.java of versions 5 and 6, and four names of version 4
  JDA: `MANAGE_CHANNEL 4 MANAGE_SERVER 5 VIEW_AUDIT_LOGS 7 VIEW_CHANNEL 10 VIEW_GUILD_INSIGHTS 19 MANAGE_ROLES 28
    MANAGE_PERMISSIONS 28 MANAGE_WEBHOOKS 29 MANAGE_EMOJIS_AND_STICKERS 30 MANAGE_GUILD_EXPRESSIONS 30 MANAGE_EVENTS 33
    CREATE_INSTANT_INVITE 0 KICK_MEMBERS 1 BAN_MEMBERS 2 NICKNAME_CHANGE 26 NICKNAME_MANAGE 27 MODERATE_MEMBERS 40
    MESSAGE_ADD_REACTION 6 MESSAGE_SEND 11 MESSAGE_TTS 12 MESSAGE_MANAGE 13 MESSAGE_EMBED_LINKS 14
    MESSAGE_ATTACH_FILES 15 MESSAGE_HISTORY 16 MESSAGE_MENTION_EVERYONE 17 MESSAGE_EXT_EMOJI 18
    USE_APPLICATION_COMMANDS 31 MESSAGE_EXT_STICKER 37 MESSAGE_ATTACH_VOICE_MESSAGE 46 MESSAGE_SEND_POLLS 49
    USE_EXTERNAL_APPLICATIONS 50 MANAGE_THREADS 34 CREATE_PUBLIC_THREADS 35 CREATE_PRIVATE_THREADS 36
    MESSAGE_SEND_IN_THREADS 38 PRIORITY_SPEAKER 8 VOICE_STREAM 9 VOICE_CONNECT 20 VOICE_SPEAK 21 VOICE_MUTE_OTHERS 22
    VOICE_DEAF_OTHERS 23 VOICE_MOVE_OTHERS 24 VOICE_USE_VAD 25 VOICE_START_ACTIVITIES 39 USE_EMBEDDED_ACTIVITIES 39
    VOICE_USE_SOUNDBOARD 42 VOICE_USE_EXTERNAL_SOUNDS 45 VOICE_SET_STATUS 48 REQUEST_TO_SPEAK 32 ADMINISTRATOR 3
    VIEW_CREATOR_MONETIZATION_ANALYTICS 41 CREATE_GUILD_EXPRESSIONS 43 CREATE_SCHEDULED_EVENTS 44 PIN_MESSAGES 51
    BYPASS_SLOWMODE 52 MESSAGE_READ 10 MESSAGE_WRITE 11 MANAGE_EMOTES 30 USE_SLASH_COMMANDS 31`,
  // https://github.com/abalabahaha/eris, lib/Constants.js
  Eris: `createInstantInvite 0 kickMembers 1 banMembers 2 administrator 3 manageChannels 4 manageGuild 5 addReactions 6
    viewAuditLog 7 viewAuditLogs 7 voicePrioritySpeaker 8 voiceStream 9 stream 9 viewChannel 10 readMessages 10
    sendMessages 11 sendTTSMessages 12 manageMessages 13 embedLinks 14 attachFiles 15 readMessageHistory 16
    mentionEveryone 17 useExternalEmojis 18 externalEmojis 18 viewGuildInsights 19 voiceConnect 20 voiceSpeak 21
    voiceMuteMembers 22 voiceDeafenMembers 23 voiceMoveMembers 24 voiceUseVAD 25 changeNickname 26 manageNicknames 27
    manageRoles 28 manageWebhooks 29 manageEmojisAndStickers 30 manageEmojis 30 useApplicationCommands 31
    useSlashCommands 31 voiceRequestToSpeak 32 manageEvents 33 manageThreads 34 createPublicThreads 35
    createPrivateThreads 36 useExternalStickers 37 sendMessagesInThreads 38 startEmbeddedActivities 39
    moderateMembers 40`,
  // https://github.com/bwmarrin/discordgo, structs.go
  discordgo: `PermissionReadMessages 10 PermissionSendMessages 11 PermissionSendTTSMessages 12 PermissionManageMessages 13
    PermissionEmbedLinks 14 PermissionAttachFiles 15 PermissionReadMessageHistory 16 PermissionMentionEveryone 17
    PermissionUseExternalEmojis 18 PermissionUseSlashCommands 31 PermissionUseApplicationCommands 31
    PermissionManageThreads 34 PermissionCreatePublicThreads 35 PermissionCreatePrivateThreads 36
    PermissionUseExternalStickers 37 PermissionSendMessagesInThreads 38 PermissionSendVoiceMessages 46
    PermissionSendPolls 49 PermissionUseExternalApps 50 PermissionVoicePrioritySpeaker 8 PermissionVoiceStreamVideo 9
    PermissionVoiceConnect 20 PermissionVoiceSpeak 21 PermissionVoiceMuteMembers 22 PermissionVoiceDeafenMembers 23
    PermissionVoiceMoveMembers 24 PermissionVoiceUseVAD 25 PermissionVoiceRequestToSpeak 32 PermissionUseActivities 39
    PermissionUseEmbeddedActivities 39 PermissionUseSoundboard 42 PermissionUseExternalSounds 45
    PermissionChangeNickname 26 PermissionManageNicknames 27 PermissionManageRoles 28 PermissionManageWebhooks 29
    PermissionManageEmojis 30 PermissionManageGuildExpressions 30 PermissionManageEvents 33
    PermissionViewCreatorMonetizationAnalytics 41 PermissionCreateGuildExpressions 43 PermissionCreateEvents 44
    PermissionCreateInstantInvite 0 PermissionKickMembers 1 PermissionBanMembers 2 PermissionAdministrator 3
    PermissionManageChannels 4 PermissionManageServer 5 PermissionManageGuild 5 PermissionAddReactions 6
    PermissionViewAuditLogs 7 PermissionViewChannel 10 PermissionViewGuildInsights 19 PermissionModerateMembers 40
    PermissionSetVoiceChannelStatus 48 PermissionPinMessages 51 PermissionBypassSlowmode 52`,
  // https://github.com/Rapptz/discord.py, discord/permissions.py, and nextcord/permissions.py
  'discord.py and nextcord': `create_instant_invite 0 kick_members 1 ban_members 2 administrator 3 manage_channels 4
    manage_guild 5 add_reactions 6 view_audit_log 7 priority_speaker 8 stream 9 read_messages 10 view_channel 10
    send_messages 11 create_forum_posts 11 send_tts_messages 12 manage_messages 13 embed_links 14 attach_files 15
    read_message_history 16 mention_everyone 17 external_emojis 18 use_external_emojis 18 view_guild_insights 19
    connect 20 speak 21 mute_members 22 deafen_members 23 move_members 24 use_voice_activation 25 change_nickname 26
    manage_nicknames 27 manage_roles 28 manage_permissions 28 manage_webhooks 29 manage_expressions 30 manage_emojis 30
    manage_emojis_and_stickers 30 use_application_commands 31 use_slash_commands 31 request_to_speak 32 manage_events 33
    manage_threads 34 create_public_threads 35 create_private_threads 36 external_stickers 37 use_external_stickers 37
    send_messages_in_threads 38 use_embedded_activities 39 start_embedded_activities 39 moderate_members 40
    view_creator_monetization_analytics 41 use_soundboard 42 create_expressions 43 create_events 44
    use_external_sounds 45 send_voice_messages 46 set_voice_channel_status 48 send_polls 49 create_polls 49
    use_external_apps 50 pin_messages 51 bypass_slowmode 52`,
  // https://wiki.botdesignerdiscord.com/resources/permissions.html
  'Bot Designer for Discord': `addreactions 6 admin 3 attachfiles 15 ban 2 changenicknames 26 connect 20
    createinstantinvite 0 createprivatethreads 36 createpublicthreads 35 embedlinks 14 externalemojis 18
    externalstickers 37 kick 1 managechannels 4 manageemojis 30 manageevents 33 managemessages 13 managenicknames 27
    manageroles 28 manageserver 5 managethreads 34 managewebhooks 29 mentioneveryone 17 moderatemembers 40
    movemembers 24 priorityspeaker 8 readmessagehistory 16 readmessages 10 requesttospeak 32 sendmessages 11
    sendmessagesinthreads 38 sendvoicemessages 46 slashcommands 31 speak 21 stream 9 tts 12 usesoundboard 42 usevad 25
    viewauditlog 7 viewguildinsights 19 voicedeafen 23 voicemute 22`,
};

const OBJECTS = [
  'PermissionFlagsBits.',
  'PermissionsBitField.Flags.',
  'Permissions.FLAGS.',
  'Discord.Permissions.FLAGS.',
  'Permission.',
  'Permissions.',
  'discord.Permissions.',
  'Constants.Permissions.',
  'Eris.Constants.Permissions.',
  'net.dv8tion.jda.api.Permission.',
  'Permissions::',
  'discordgo.',
  'Permission: ',
];

describe.each(Object.entries(LIBRARIES))('the names of %s', (_library, list) => {
  const names = Array.from(list.matchAll(/([A-Za-z_]+) (\d+)/g), ([, name = '', bit]) => ({
    name,
    bit: Number(bit),
  }));

  test('are read as the bits that the library gives them', () => {
    expect(names.map(({ name }) => [name, findPermission(name)?.bit])).toEqual(
      names.map(({ name, bit }) => [name, bit]),
    );
  });

  test('are read with an object in front, alone and in lists', () => {
    for (const object of OBJECTS) {
      // Without "Permission" somewhere it is no such object.
      if (object === 'discordgo.' && !list.startsWith('Permission')) continue;
      const written = names.map(({ name }) => object + name);
      expect(written.map((name) => [name, findPermission(name)?.bit])).toEqual(
        names.map(({ name, bit }) => [object + name, bit]),
      );
      for (const separator of [', ', ' | ', '\n']) {
        const { known, unknown } = readPermissionNames(`[${written.join(separator)}]`);
        expect(unknown).toEqual([]);
        expect(known.map(({ bit }) => bit)).toEqual(names.map(({ bit }) => bit));
      }
    }
    const words = names.map(({ name }) => `PermissionFlagsBits.${name}`).join(' ');
    expect(readPermissionNames(words).known.map(({ bit }) => bit)).toEqual(names.map(({ bit }) => bit));
  });
});

test('names of several bits are unknown, and so is an object alone', () => {
  for (const name of [
    'PermissionAll',
    'PermissionAllText',
    'allText',
    'Permissions.all',
    'ALL_PERMISSIONS',
    'Permission',
    'PermissionFlagsBits',
    'Permissions.FLAGS',
    'Permission.UNKNOWN',
    'config.speak.er',
  ])
    expect([name, findPermission(name)]).toEqual([name, undefined]);
});

test('each name of the data belongs to one existing permission', () => {
  const canonical = new Set(PERMISSIONS.map(({ name }) => name));
  for (const [permission, list] of Object.entries(LIBRARY_NAMES)) {
    expect(canonical).toContain(permission);
    for (const name of list.split(', '))
      expect([name, findPermission(name)?.name]).toEqual([name, permission]);
  }
});

test('the response has the sum of the bits', async () => {
  const permissions = ['PermissionManageServer', 'VOICE_STREAM', 'PermissionFlagsBits.KickMembers'];
  const { value } = await permissionEncoder.answer({ permissions }, {} as OperationContext);
  expect(value).toMatchObject({ bitfield: '546', permissions: ['KICK_MEMBERS', 'MANAGE_GUILD', 'STREAM'] });
});
