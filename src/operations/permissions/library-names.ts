/** Names of a library or bot builder, by canonical name, where they differ from it in more than spelling. */
interface LibraryNames {
  readonly source: string;
  readonly names: Readonly<Record<string, string>>;
}

/**
 * Names that each mean exactly one permission. Commas separate several names of one permission. Case, dashes,
 * underscores and blanks do not count.
 */
export const LIBRARY_NAMES: readonly LibraryNames[] = [
  {
    // Versions 4 to 6.
    source: 'https://github.com/discord-jda/JDA, src/main/java/net/dv8tion/jda/api/Permission.java',
    names: {
      MANAGE_CHANNELS: 'MANAGE_CHANNEL',
      MANAGE_GUILD: 'MANAGE_SERVER',
      ADD_REACTIONS: 'MESSAGE_ADD_REACTION',
      VIEW_AUDIT_LOG: 'VIEW_AUDIT_LOGS',
      STREAM: 'VOICE_STREAM',
      VIEW_CHANNEL: 'MESSAGE_READ',
      SEND_MESSAGES: 'MESSAGE_SEND, MESSAGE_WRITE',
      SEND_TTS_MESSAGES: 'MESSAGE_TTS',
      MANAGE_MESSAGES: 'MESSAGE_MANAGE',
      EMBED_LINKS: 'MESSAGE_EMBED_LINKS',
      ATTACH_FILES: 'MESSAGE_ATTACH_FILES',
      READ_MESSAGE_HISTORY: 'MESSAGE_HISTORY',
      MENTION_EVERYONE: 'MESSAGE_MENTION_EVERYONE',
      USE_EXTERNAL_EMOJIS: 'MESSAGE_EXT_EMOJI',
      CONNECT: 'VOICE_CONNECT',
      SPEAK: 'VOICE_SPEAK',
      MUTE_MEMBERS: 'VOICE_MUTE_OTHERS',
      DEAFEN_MEMBERS: 'VOICE_DEAF_OTHERS',
      MOVE_MEMBERS: 'VOICE_MOVE_OTHERS',
      USE_VAD: 'VOICE_USE_VAD',
      CHANGE_NICKNAME: 'NICKNAME_CHANGE',
      MANAGE_NICKNAMES: 'NICKNAME_MANAGE',
      MANAGE_ROLES: 'MANAGE_PERMISSIONS',
      MANAGE_GUILD_EXPRESSIONS: 'MANAGE_EMOTES, MANAGE_EMOJIS_AND_STICKERS',
      USE_APPLICATION_COMMANDS: 'USE_SLASH_COMMANDS',
      USE_EXTERNAL_STICKERS: 'MESSAGE_EXT_STICKER',
      SEND_MESSAGES_IN_THREADS: 'MESSAGE_SEND_IN_THREADS',
      USE_EMBEDDED_ACTIVITIES: 'VOICE_START_ACTIVITIES',
      USE_SOUNDBOARD: 'VOICE_USE_SOUNDBOARD',
      CREATE_EVENTS: 'CREATE_SCHEDULED_EVENTS',
      USE_EXTERNAL_SOUNDS: 'VOICE_USE_EXTERNAL_SOUNDS',
      SEND_VOICE_MESSAGES: 'MESSAGE_ATTACH_VOICE_MESSAGE',
      SET_VOICE_CHANNEL_STATUS: 'VOICE_SET_STATUS',
      SEND_POLLS: 'MESSAGE_SEND_POLLS',
      USE_EXTERNAL_APPS: 'USE_EXTERNAL_APPLICATIONS',
    },
  },
  {
    source: 'https://github.com/abalabahaha/eris, lib/Constants.js',
    names: {
      VIEW_AUDIT_LOG: 'viewAuditLogs',
      PRIORITY_SPEAKER: 'voicePrioritySpeaker',
      STREAM: 'voiceStream',
      VIEW_CHANNEL: 'readMessages',
      USE_EXTERNAL_EMOJIS: 'externalEmojis',
      CONNECT: 'voiceConnect',
      SPEAK: 'voiceSpeak',
      MUTE_MEMBERS: 'voiceMuteMembers',
      DEAFEN_MEMBERS: 'voiceDeafenMembers',
      MOVE_MEMBERS: 'voiceMoveMembers',
      USE_VAD: 'voiceUseVAD',
      MANAGE_GUILD_EXPRESSIONS: 'manageEmojis, manageEmojisAndStickers',
      USE_APPLICATION_COMMANDS: 'useSlashCommands',
      REQUEST_TO_SPEAK: 'voiceRequestToSpeak',
      USE_EMBEDDED_ACTIVITIES: 'startEmbeddedActivities',
    },
  },
  {
    source:
      'https://github.com/bwmarrin/discordgo, structs.go; all begin with "Permission", which is left out',
    names: {
      MANAGE_GUILD: 'ManageServer',
      VIEW_AUDIT_LOG: 'ViewAuditLogs',
      PRIORITY_SPEAKER: 'VoicePrioritySpeaker',
      STREAM: 'VoiceStreamVideo',
      VIEW_CHANNEL: 'ReadMessages',
      CONNECT: 'VoiceConnect',
      SPEAK: 'VoiceSpeak',
      MUTE_MEMBERS: 'VoiceMuteMembers',
      DEAFEN_MEMBERS: 'VoiceDeafenMembers',
      MOVE_MEMBERS: 'VoiceMoveMembers',
      USE_VAD: 'VoiceUseVAD',
      MANAGE_GUILD_EXPRESSIONS: 'ManageEmojis',
      USE_APPLICATION_COMMANDS: 'UseSlashCommands',
      REQUEST_TO_SPEAK: 'VoiceRequestToSpeak',
      USE_EMBEDDED_ACTIVITIES: 'UseActivities',
    },
  },
  {
    source:
      'https://github.com/Rapptz/discord.py, discord/permissions.py; https://github.com/nextcord/nextcord, nextcord/permissions.py',
    names: {
      VIEW_CHANNEL: 'read_messages',
      SEND_MESSAGES: 'create_forum_posts',
      USE_EXTERNAL_EMOJIS: 'external_emojis',
      USE_VAD: 'use_voice_activation',
      MANAGE_ROLES: 'manage_permissions',
      MANAGE_GUILD_EXPRESSIONS: 'manage_emojis, manage_emojis_and_stickers, manage_expressions',
      USE_APPLICATION_COMMANDS: 'use_slash_commands',
      USE_EXTERNAL_STICKERS: 'external_stickers',
      USE_EMBEDDED_ACTIVITIES: 'start_embedded_activities',
      CREATE_GUILD_EXPRESSIONS: 'create_expressions',
      SEND_POLLS: 'create_polls',
    },
  },
  {
    source: 'https://wiki.botdesignerdiscord.com/resources/permissions.html',
    names: {
      KICK_MEMBERS: 'kick',
      BAN_MEMBERS: 'ban',
      ADMINISTRATOR: 'admin',
      MANAGE_GUILD: 'manageserver',
      VIEW_CHANNEL: 'readmessages',
      SEND_TTS_MESSAGES: 'tts',
      USE_EXTERNAL_EMOJIS: 'externalemojis',
      MUTE_MEMBERS: 'voicemute',
      DEAFEN_MEMBERS: 'voicedeafen',
      CHANGE_NICKNAME: 'changenicknames',
      MANAGE_GUILD_EXPRESSIONS: 'manageemojis',
      USE_APPLICATION_COMMANDS: 'slashcommands',
      USE_EXTERNAL_STICKERS: 'externalstickers',
    },
  },
];

/** All of these names for a permission. */
export function listLibraryNames(canonical: string): string[] {
  return LIBRARY_NAMES.flatMap(({ names }) => names[canonical]?.split(', ') ?? []);
}
