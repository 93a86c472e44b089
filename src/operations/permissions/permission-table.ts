import { PermissionFlagsBits as Bit } from 'discord-api-types/v10';

/** Kinds of channels whose overwrites can hold the permission. Empty for permissions of the whole guild. */
export type PermissionChannelType = 'text' | 'voice' | 'stage';

export interface Permission {
  readonly name: string;
  readonly value: bigint;
  readonly bit: number;
  /** The app's owner needs two-factor authentication for it in guilds that require that for moderation. */
  readonly elevated: boolean;
  readonly channelTypes: readonly PermissionChannelType[];
  readonly description: string;
}

const T = 'text';
const V = 'voice';
const S = 'stage';

function permission(
  value: bigint,
  name: string,
  channelTypes: readonly PermissionChannelType[],
  description: string,
): Permission {
  return { name, value, bit: value.toString(2).length - 1, elevated: false, channelTypes, description };
}

function elevated(...facts: Parameters<typeof permission>): Permission {
  return { ...permission(...facts), elevated: true };
}

/**
 * All permissions in the order of their bits. Bit 47 is not in use.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const PERMISSIONS: readonly Permission[] = [
  permission(Bit.CreateInstantInvite, 'CREATE_INSTANT_INVITE', [T, V, S], 'Create invites.'),
  elevated(Bit.KickMembers, 'KICK_MEMBERS', [], 'Kick members.'),
  elevated(Bit.BanMembers, 'BAN_MEMBERS', [], 'Ban and unban members.'),
  elevated(Bit.Administrator, 'ADMINISTRATOR', [], 'Do everything, whatever the settings of channels are.'),
  elevated(Bit.ManageChannels, 'MANAGE_CHANNELS', [T, V, S], 'Create, edit and delete channels.'),
  elevated(Bit.ManageGuild, 'MANAGE_GUILD', [], 'Change the settings of the server and add bots.'),
  permission(
    Bit.AddReactions,
    'ADD_REACTIONS',
    [T, V, S],
    'Put a new reaction on a message; joining an existing one is free.',
  ),
  permission(Bit.ViewAuditLog, 'VIEW_AUDIT_LOG', [], 'Read the audit log.'),
  permission(Bit.PrioritySpeaker, 'PRIORITY_SPEAKER', [V], 'Be heard louder than others in a voice channel.'),
  permission(Bit.Stream, 'STREAM', [V, S], 'Share video and screen.'),
  permission(Bit.ViewChannel, 'VIEW_CHANNEL', [T, V, S], 'See a channel and read what is written in it.'),
  permission(
    Bit.SendMessages,
    'SEND_MESSAGES',
    [T, V, S],
    'Write messages and open forum posts, but not write in threads.',
  ),
  permission(Bit.SendTTSMessages, 'SEND_TTS_MESSAGES', [T, V, S], 'Send messages that are read aloud.'),
  elevated(Bit.ManageMessages, 'MANAGE_MESSAGES', [T, V, S], 'Delete the messages of others.'),
  permission(Bit.EmbedLinks, 'EMBED_LINKS', [T, V, S], 'Have links shown with a preview.'),
  permission(Bit.AttachFiles, 'ATTACH_FILES', [T, V, S], 'Upload images and files.'),
  permission(Bit.ReadMessageHistory, 'READ_MESSAGE_HISTORY', [T, V, S], 'Read earlier messages.'),
  permission(
    Bit.MentionEveryone,
    'MENTION_EVERYONE',
    [T, V, S],
    'Notify with @everyone, @here and all roles.',
  ),
  permission(Bit.UseExternalEmojis, 'USE_EXTERNAL_EMOJIS', [T, V, S], 'Use emoji of other servers.'),
  permission(Bit.ViewGuildInsights, 'VIEW_GUILD_INSIGHTS', [], 'See the statistics of the server.'),
  permission(Bit.Connect, 'CONNECT', [V, S], 'Join a voice channel.'),
  permission(Bit.Speak, 'SPEAK', [V], 'Speak in a voice channel.'),
  permission(Bit.MuteMembers, 'MUTE_MEMBERS', [V, S], 'Mute members in voice channels.'),
  permission(Bit.DeafenMembers, 'DEAFEN_MEMBERS', [V], 'Deafen members in voice channels.'),
  permission(Bit.MoveMembers, 'MOVE_MEMBERS', [V, S], 'Move members from one voice channel to another.'),
  permission(Bit.UseVAD, 'USE_VAD', [V], 'Speak without push-to-talk.'),
  permission(Bit.ChangeNickname, 'CHANGE_NICKNAME', [], "Change one's own nickname."),
  permission(Bit.ManageNicknames, 'MANAGE_NICKNAMES', [], 'Change the nicknames of others.'),
  elevated(
    Bit.ManageRoles,
    'MANAGE_ROLES',
    [T, V, S],
    'Create, edit and give roles; on a channel, edit its permissions.',
  ),
  elevated(Bit.ManageWebhooks, 'MANAGE_WEBHOOKS', [T, V, S], 'Create, edit and delete webhooks.'),
  elevated(
    Bit.ManageGuildExpressions,
    'MANAGE_GUILD_EXPRESSIONS',
    [],
    "Edit and delete anybody's emoji, stickers and sounds.",
  ),
  permission(
    Bit.UseApplicationCommands,
    'USE_APPLICATION_COMMANDS',
    [T, V, S],
    'Use slash and context-menu commands.',
  ),
  permission(Bit.RequestToSpeak, 'REQUEST_TO_SPEAK', [S], 'Ask to speak in a stage channel.'),
  permission(Bit.ManageEvents, 'MANAGE_EVENTS', [V, S], "Edit and delete anybody's scheduled events."),
  elevated(Bit.ManageThreads, 'MANAGE_THREADS', [T], 'Archive and delete threads and see all private ones.'),
  permission(Bit.CreatePublicThreads, 'CREATE_PUBLIC_THREADS', [T], 'Open public threads.'),
  permission(Bit.CreatePrivateThreads, 'CREATE_PRIVATE_THREADS', [T], 'Open private threads.'),
  permission(Bit.UseExternalStickers, 'USE_EXTERNAL_STICKERS', [T, V, S], 'Use stickers of other servers.'),
  permission(Bit.SendMessagesInThreads, 'SEND_MESSAGES_IN_THREADS', [T], 'Write in threads.'),
  permission(Bit.UseEmbeddedActivities, 'USE_EMBEDDED_ACTIVITIES', [T, V], 'Start activities.'),
  permission(Bit.ModerateMembers, 'MODERATE_MEMBERS', [], 'Time members out.'),
  elevated(
    Bit.ViewCreatorMonetizationAnalytics,
    'VIEW_CREATOR_MONETIZATION_ANALYTICS',
    [],
    'See the statistics of role subscriptions.',
  ),
  permission(Bit.UseSoundboard, 'USE_SOUNDBOARD', [V], 'Play sounds in a voice channel.'),
  permission(
    Bit.CreateGuildExpressions,
    'CREATE_GUILD_EXPRESSIONS',
    [],
    "Add emoji, stickers and sounds, and edit one's own.",
  ),
  permission(Bit.CreateEvents, 'CREATE_EVENTS', [V, S], "Create scheduled events, and edit one's own."),
  permission(Bit.UseExternalSounds, 'USE_EXTERNAL_SOUNDS', [V], 'Play sounds of other servers.'),
  permission(Bit.SendVoiceMessages, 'SEND_VOICE_MESSAGES', [T, V, S], 'Send voice messages.'),
  permission(
    Bit.SetVoiceChannelStatus,
    'SET_VOICE_CHANNEL_STATUS',
    [V],
    'Set the status line of a voice channel.',
  ),
  permission(Bit.SendPolls, 'SEND_POLLS', [T, V, S], 'Send polls.'),
  permission(
    Bit.UseExternalApps,
    'USE_EXTERNAL_APPS',
    [T, V, S],
    "Let everyone see the answers of one's own user-installed apps.",
  ),
  permission(Bit.PinMessages, 'PIN_MESSAGES', [T], 'Pin and unpin messages.'),
  permission(Bit.BypassSlowmode, 'BYPASS_SLOWMODE', [T, V, S], 'Write without waiting for slowmode.'),
];

/**
 * Other names in use, by canonical name: earlier names in Discord's documentation, and short forms of the client's
 * labels. Names from libraries are in `library-names.ts`. Case, blanks, dashes and punctuation do not count.
 */
export const PERMISSION_ALIASES: Readonly<Record<string, readonly string[]>> = {
  CREATE_INSTANT_INVITE: ['create invite', 'create invites', 'instant invite'],
  KICK_MEMBERS: ['kick member', 'kick approve and reject members'],
  BAN_MEMBERS: ['ban member'],
  ADD_REACTIONS: ['add reaction'],
  VIEW_AUDIT_LOG: ['audit log'],
  PRIORITY_SPEAKER: ['use priority speaker'],
  STREAM: ['video', 'go live'],
  VIEW_CHANNEL: ['view channels', 'view chats'],
  SEND_MESSAGES: ['send message', 'send messages and create posts', 'create posts'],
  SEND_TTS_MESSAGES: ['send text-to-speech messages'],
  MANAGE_MESSAGES: ['manage message'],
  EMBED_LINKS: ['embed link'],
  ATTACH_FILES: ['attach file'],
  READ_MESSAGE_HISTORY: ['view message history'],
  MENTION_EVERYONE: ['mention everyone here and all roles', 'mention @everyone'],
  USE_EXTERNAL_EMOJIS: ['use external emoji', 'external emoji'],
  VIEW_GUILD_INSIGHTS: ['view server insights', 'server insights', 'guild insights', 'view guild analytics'],
  MUTE_MEMBERS: ['mute'],
  DEAFEN_MEMBERS: ['deafen'],
  MOVE_MEMBERS: ['move'],
  USE_VAD: ['use voice activity', 'use voice activity detection'],
  MANAGE_NICKNAMES: ['manage nickname'],
  MANAGE_ROLES: ['manage role', 'manage roles or permissions'],
  MANAGE_WEBHOOKS: ['manage webhook'],
  MANAGE_GUILD_EXPRESSIONS: ['manage emoji', 'manage stickers'],
  USE_APPLICATION_COMMANDS: ['use commands'],
  REQUEST_TO_SPEAK: ['request speak'],
  MANAGE_EVENTS: ['manage event'],
  MANAGE_THREADS: ['manage thread', 'manage threads and posts'],
  CREATE_PUBLIC_THREADS: ['use public threads', 'public threads', 'use threads', 'create threads'],
  CREATE_PRIVATE_THREADS: ['use private threads', 'private threads'],
  SEND_MESSAGES_IN_THREADS: [
    'send messages in threads and posts',
    'send thread messages',
    'send messages in posts',
  ],
  USE_EMBEDDED_ACTIVITIES: ['embedded activities'],
  MODERATE_MEMBERS: ['timeout members', 'time out members', 'moderate member', 'timeout'],
  VIEW_CREATOR_MONETIZATION_ANALYTICS: [
    'view role subscription insights',
    'view server subscription insights',
  ],
  USE_SOUNDBOARD: ['soundboard'],
  CREATE_EVENTS: ['create event'],
  USE_EXTERNAL_SOUNDS: ['external sounds'],
  SEND_VOICE_MESSAGES: ['voice messages'],
  SET_VOICE_CHANNEL_STATUS: ['set voice status'],
  SEND_POLLS: ['send poll'],
  USE_EXTERNAL_APPS: ['external apps'],
  PIN_MESSAGES: ['pin message'],
  BYPASS_SLOWMODE: ['bypass slow mode'],
};
