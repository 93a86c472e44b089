/** Kinds of channels whose overwrites can hold the permission; none for permissions of the whole guild. */
export type PermissionChannelType = 'text' | 'voice' | 'stage';

export interface Permission {
  readonly name: string;
  /** Position of the bit; the value is 2 to the power of it. */
  readonly bit: number;
  /** The app's owner needs two-factor authentication for it where the guild requires that for moderation. */
  readonly elevated: boolean;
  readonly channelTypes: readonly PermissionChannelType[];
  readonly description: string;
}

const T = 'text';
const V = 'voice';
const S = 'stage';

function permission(
  bit: number,
  name: string,
  channelTypes: readonly PermissionChannelType[],
  description: string,
): Permission {
  return { name, bit, elevated: false, channelTypes, description };
}

function elevated(
  bit: number,
  name: string,
  channelTypes: readonly PermissionChannelType[],
  description: string,
): Permission {
  return { name, bit, elevated: true, channelTypes, description };
}

/**
 * All permissions in the order of their bits. Bit 47 is not in use.
 * @see https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
 */
export const PERMISSIONS: readonly Permission[] = [
  permission(0, 'CREATE_INSTANT_INVITE', [T, V, S], 'Create invites.'),
  elevated(1, 'KICK_MEMBERS', [], 'Kick members.'),
  elevated(2, 'BAN_MEMBERS', [], 'Ban and unban members.'),
  elevated(3, 'ADMINISTRATOR', [], 'Do everything, whatever the settings of channels are.'),
  elevated(4, 'MANAGE_CHANNELS', [T, V, S], 'Create, edit and delete channels.'),
  elevated(5, 'MANAGE_GUILD', [], 'Change the settings of the server and add bots.'),
  permission(
    6,
    'ADD_REACTIONS',
    [T, V, S],
    'Put a new reaction on a message; joining an existing one is free.',
  ),
  permission(7, 'VIEW_AUDIT_LOG', [], 'Read the audit log.'),
  permission(8, 'PRIORITY_SPEAKER', [V], 'Be heard louder than others in a voice channel.'),
  permission(9, 'STREAM', [V, S], 'Share video and screen.'),
  permission(10, 'VIEW_CHANNEL', [T, V, S], 'See a channel and read what is written in it.'),
  permission(
    11,
    'SEND_MESSAGES',
    [T, V, S],
    'Write messages and open forum posts, but not write in threads.',
  ),
  permission(12, 'SEND_TTS_MESSAGES', [T, V, S], 'Send messages that are read aloud.'),
  elevated(13, 'MANAGE_MESSAGES', [T, V, S], 'Delete the messages of others.'),
  permission(14, 'EMBED_LINKS', [T, V, S], 'Have links shown with a preview.'),
  permission(15, 'ATTACH_FILES', [T, V, S], 'Upload images and files.'),
  permission(16, 'READ_MESSAGE_HISTORY', [T, V, S], 'Read earlier messages.'),
  permission(17, 'MENTION_EVERYONE', [T, V, S], 'Notify with @everyone, @here and all roles.'),
  permission(18, 'USE_EXTERNAL_EMOJIS', [T, V, S], 'Use emoji of other servers.'),
  permission(19, 'VIEW_GUILD_INSIGHTS', [], 'See the statistics of the server.'),
  permission(20, 'CONNECT', [V, S], 'Join a voice channel.'),
  permission(21, 'SPEAK', [V], 'Speak in a voice channel.'),
  permission(22, 'MUTE_MEMBERS', [V, S], 'Mute members in voice channels.'),
  permission(23, 'DEAFEN_MEMBERS', [V], 'Deafen members in voice channels.'),
  permission(24, 'MOVE_MEMBERS', [V, S], 'Move members from one voice channel to another.'),
  permission(25, 'USE_VAD', [V], 'Speak without push-to-talk.'),
  permission(26, 'CHANGE_NICKNAME', [], "Change one's own nickname."),
  permission(27, 'MANAGE_NICKNAMES', [], 'Change the nicknames of others.'),
  elevated(28, 'MANAGE_ROLES', [T, V, S], 'Create, edit and give roles; on a channel, edit its permissions.'),
  elevated(29, 'MANAGE_WEBHOOKS', [T, V, S], 'Create, edit and delete webhooks.'),
  elevated(30, 'MANAGE_GUILD_EXPRESSIONS', [], "Edit and delete anybody's emoji, stickers and sounds."),
  permission(31, 'USE_APPLICATION_COMMANDS', [T, V, S], 'Use slash and context-menu commands.'),
  permission(32, 'REQUEST_TO_SPEAK', [S], 'Ask to speak in a stage channel.'),
  permission(33, 'MANAGE_EVENTS', [V, S], "Edit and delete anybody's scheduled events."),
  elevated(34, 'MANAGE_THREADS', [T], 'Archive and delete threads and see all private ones.'),
  permission(35, 'CREATE_PUBLIC_THREADS', [T], 'Open public threads.'),
  permission(36, 'CREATE_PRIVATE_THREADS', [T], 'Open private threads.'),
  permission(37, 'USE_EXTERNAL_STICKERS', [T, V, S], 'Use stickers of other servers.'),
  permission(38, 'SEND_MESSAGES_IN_THREADS', [T], 'Write in threads.'),
  permission(39, 'USE_EMBEDDED_ACTIVITIES', [T, V], 'Start activities.'),
  permission(40, 'MODERATE_MEMBERS', [], 'Time members out.'),
  elevated(41, 'VIEW_CREATOR_MONETIZATION_ANALYTICS', [], 'See the statistics of role subscriptions.'),
  permission(42, 'USE_SOUNDBOARD', [V], 'Play sounds in a voice channel.'),
  permission(43, 'CREATE_GUILD_EXPRESSIONS', [], "Add emoji, stickers and sounds, and edit one's own."),
  permission(44, 'CREATE_EVENTS', [V, S], "Create scheduled events, and edit one's own."),
  permission(45, 'USE_EXTERNAL_SOUNDS', [V], 'Play sounds of other servers.'),
  permission(46, 'SEND_VOICE_MESSAGES', [T, V, S], 'Send voice messages.'),
  permission(48, 'SET_VOICE_CHANNEL_STATUS', [V], 'Set the status line of a voice channel.'),
  permission(49, 'SEND_POLLS', [T, V, S], 'Send polls.'),
  permission(
    50,
    'USE_EXTERNAL_APPS',
    [T, V, S],
    "Let everyone see the answers of one's own user-installed apps.",
  ),
  permission(51, 'PIN_MESSAGES', [T], 'Pin and unpin messages.'),
  permission(52, 'BYPASS_SLOWMODE', [T, V, S], 'Write without waiting for slowmode.'),
];

/**
 * Other names in use, by canonical name: former names in Discord's documentation, labels in the client, and what
 * libraries and bot builders call a permission where that is not the canonical name in another spelling. Case,
 * blanks, dashes and punctuation do not count.
 */
export const PERMISSION_ALIASES: Readonly<Record<string, readonly string[]>> = {
  CREATE_INSTANT_INVITE: ['create invite', 'create invites', 'instant invite'],
  KICK_MEMBERS: ['kick', 'kick member', 'kick approve and reject members'],
  BAN_MEMBERS: ['ban', 'ban member'],
  ADMINISTRATOR: ['admin'],
  MANAGE_CHANNELS: ['manage channel'],
  MANAGE_GUILD: ['manage server'],
  ADD_REACTIONS: ['add reaction', 'message add reaction'],
  VIEW_AUDIT_LOG: ['view audit logs', 'audit log'],
  PRIORITY_SPEAKER: ['use priority speaker'],
  STREAM: ['video', 'go live'],
  VIEW_CHANNEL: ['view channels', 'read messages', 'view chats'],
  SEND_MESSAGES: ['send message', 'message send', 'send messages and create posts', 'create posts'],
  SEND_TTS_MESSAGES: ['tts', 'send text-to-speech messages', 'message tts'],
  MANAGE_MESSAGES: ['manage message', 'message manage'],
  EMBED_LINKS: ['embed link', 'message embed links'],
  ATTACH_FILES: ['attach file', 'message attach files'],
  READ_MESSAGE_HISTORY: ['message history', 'view message history'],
  MENTION_EVERYONE: ['message mention everyone', 'mention everyone here and all roles', 'mention @everyone'],
  USE_EXTERNAL_EMOJIS: ['use external emoji', 'external emojis', 'external emoji', 'message ext emoji'],
  VIEW_GUILD_INSIGHTS: ['view server insights', 'server insights', 'guild insights', 'view guild analytics'],
  CONNECT: ['voice connect'],
  SPEAK: ['voice speak'],
  MUTE_MEMBERS: ['mute', 'voice mute others'],
  DEAFEN_MEMBERS: ['deafen', 'voice deaf others'],
  MOVE_MEMBERS: ['move', 'voice move others'],
  USE_VAD: ['use voice activity', 'use voice activation', 'use voice activity detection', 'voice use vad'],
  CHANGE_NICKNAME: ['change nicknames', 'nickname change'],
  MANAGE_NICKNAMES: ['manage nickname', 'nickname manage'],
  MANAGE_ROLES: ['manage role', 'manage permissions', 'manage roles or permissions'],
  MANAGE_WEBHOOKS: ['manage webhook'],
  MANAGE_GUILD_EXPRESSIONS: [
    'manage emojis and stickers',
    'manage emojis',
    'manage emoji',
    'manage emotes',
    'manage stickers',
    'manage expressions',
  ],
  USE_APPLICATION_COMMANDS: ['use slash commands', 'slash commands', 'use commands'],
  REQUEST_TO_SPEAK: ['request speak'],
  MANAGE_EVENTS: ['manage event'],
  MANAGE_THREADS: ['manage thread', 'manage threads and posts'],
  CREATE_PUBLIC_THREADS: ['use public threads', 'public threads', 'use threads', 'create threads'],
  CREATE_PRIVATE_THREADS: ['use private threads', 'private threads'],
  USE_EXTERNAL_STICKERS: ['external stickers', 'message ext sticker'],
  SEND_MESSAGES_IN_THREADS: [
    'message send in threads',
    'send messages in threads and posts',
    'send thread messages',
    'send messages in posts',
  ],
  USE_EMBEDDED_ACTIVITIES: ['start embedded activities', 'use activities', 'embedded activities'],
  MODERATE_MEMBERS: ['timeout members', 'time out members', 'moderate member', 'timeout'],
  VIEW_CREATOR_MONETIZATION_ANALYTICS: [
    'view role subscription insights',
    'view server subscription insights',
  ],
  USE_SOUNDBOARD: ['soundboard'],
  CREATE_GUILD_EXPRESSIONS: ['create expressions'],
  CREATE_EVENTS: ['create event', 'create scheduled events'],
  USE_EXTERNAL_SOUNDS: ['external sounds'],
  SEND_VOICE_MESSAGES: ['voice messages', 'message attach voice message'],
  SET_VOICE_CHANNEL_STATUS: ['set voice status', 'voice set status'],
  SEND_POLLS: ['create polls', 'send poll', 'message send polls'],
  USE_EXTERNAL_APPS: ['external apps', 'use external applications'],
  PIN_MESSAGES: ['pin message'],
  BYPASS_SLOWMODE: ['bypass slow mode'],
};
