/**
 * Names of libraries and bot builders that each mean exactly one permission, by canonical name, where they differ from
 * it in more than spelling. Commas separate several of them. Case, dashes, underscores and blanks do not count, so a
 * name that several libraries have stands here once; it stands twice where only one of them separates its words.
 *
 * - JDA, versions 4 to 6: https://github.com/discord-jda/JDA, src/main/java/net/dv8tion/jda/api/Permission.java
 * - Eris: https://github.com/abalabahaha/eris, lib/Constants.js
 * - discordgo: https://github.com/bwmarrin/discordgo, structs.go; all begin with "Permission", which is left out
 * - discord.py: https://github.com/Rapptz/discord.py, discord/permissions.py
 * - nextcord: https://github.com/nextcord/nextcord, nextcord/permissions.py
 * - BDFD: https://wiki.botdesignerdiscord.com/resources/permissions.html
 */
export const LIBRARY_NAMES: Readonly<Record<string, string>> = {
  KICK_MEMBERS: 'kick',
  BAN_MEMBERS: 'ban',
  ADMINISTRATOR: 'admin',
  MANAGE_CHANNELS: 'MANAGE_CHANNEL',
  MANAGE_GUILD: 'MANAGE_SERVER, manageserver',
  ADD_REACTIONS: 'MESSAGE_ADD_REACTION',
  VIEW_AUDIT_LOG: 'VIEW_AUDIT_LOGS',
  PRIORITY_SPEAKER: 'voicePrioritySpeaker',
  STREAM: 'VOICE_STREAM, VoiceStreamVideo',
  VIEW_CHANNEL: 'MESSAGE_READ, readMessages, readmessages',
  SEND_MESSAGES: 'MESSAGE_SEND, MESSAGE_WRITE, create_forum_posts',
  SEND_TTS_MESSAGES: 'MESSAGE_TTS, tts',
  MANAGE_MESSAGES: 'MESSAGE_MANAGE',
  EMBED_LINKS: 'MESSAGE_EMBED_LINKS',
  ATTACH_FILES: 'MESSAGE_ATTACH_FILES',
  READ_MESSAGE_HISTORY: 'MESSAGE_HISTORY',
  MENTION_EVERYONE: 'MESSAGE_MENTION_EVERYONE',
  USE_EXTERNAL_EMOJIS: 'MESSAGE_EXT_EMOJI, externalEmojis, externalemojis',
  CONNECT: 'VOICE_CONNECT',
  SPEAK: 'VOICE_SPEAK',
  MUTE_MEMBERS: 'VOICE_MUTE_OTHERS, voiceMuteMembers, voicemute',
  DEAFEN_MEMBERS: 'VOICE_DEAF_OTHERS, voiceDeafenMembers, voicedeafen',
  MOVE_MEMBERS: 'VOICE_MOVE_OTHERS, voiceMoveMembers',
  USE_VAD: 'VOICE_USE_VAD, use_voice_activation',
  CHANGE_NICKNAME: 'NICKNAME_CHANGE, changenicknames',
  MANAGE_NICKNAMES: 'NICKNAME_MANAGE',
  MANAGE_ROLES: 'MANAGE_PERMISSIONS',
  MANAGE_GUILD_EXPRESSIONS:
    'MANAGE_EMOTES, MANAGE_EMOJIS_AND_STICKERS, manageEmojis, manage_expressions, manageemojis',
  USE_APPLICATION_COMMANDS: 'USE_SLASH_COMMANDS, slashcommands',
  REQUEST_TO_SPEAK: 'voiceRequestToSpeak',
  USE_EXTERNAL_STICKERS: 'MESSAGE_EXT_STICKER, external_stickers, externalstickers',
  SEND_MESSAGES_IN_THREADS: 'MESSAGE_SEND_IN_THREADS',
  USE_EMBEDDED_ACTIVITIES: 'VOICE_START_ACTIVITIES, startEmbeddedActivities, UseActivities',
  USE_SOUNDBOARD: 'VOICE_USE_SOUNDBOARD',
  CREATE_GUILD_EXPRESSIONS: 'create_expressions',
  CREATE_EVENTS: 'CREATE_SCHEDULED_EVENTS',
  USE_EXTERNAL_SOUNDS: 'VOICE_USE_EXTERNAL_SOUNDS',
  SEND_VOICE_MESSAGES: 'MESSAGE_ATTACH_VOICE_MESSAGE',
  SET_VOICE_CHANNEL_STATUS: 'VOICE_SET_STATUS',
  SEND_POLLS: 'MESSAGE_SEND_POLLS, create_polls',
  USE_EXTERNAL_APPS: 'USE_EXTERNAL_APPLICATIONS',
};

export function listLibraryNames(canonical: string): string[] {
  return LIBRARY_NAMES[canonical]?.split(', ') ?? [];
}
