/**
 * Phrases of people who mean a permission but do not know its name. They are only suggested, never accepted, because
 * each states a wish that several permissions may grant.
 */
export const MEANT: Readonly<Record<string, readonly string[]>> = {
  CREATE_INSTANT_INVITE: ['invite members', 'invite people'],
  MANAGE_CHANNELS: ['create channels', 'edit channels', 'delete channels', 'modify channels'],
  MANAGE_GUILD: [
    'edit server',
    'change server',
    'modify server',
    'manage server settings',
    'change server settings',
  ],
  ADD_REACTIONS: ['react to messages', 'send reactions', 'use reactions', 'create reactions'],
  STREAM: [
    'share screen',
    'screen share',
    'use video',
    'video stream',
    'share video',
    'use camera',
    'voice video',
  ],
  VIEW_CHANNEL: ['access channels', 'open channels'],
  MANAGE_MESSAGES: [
    'delete messages',
    'remove messages',
    'clear messages',
    'purge messages',
    'bulk delete messages',
  ],
  EMBED_LINKS: ['send embeds', 'use embeds', 'embed messages'],
  ATTACH_FILES: ['send files', 'send images'],
  READ_MESSAGE_HISTORY: ['view history', 'see old messages', 'read channel history'],
  MENTION_EVERYONE: ['mention all', 'mention here', 'mention all roles', 'mention roles'],
  CONNECT: ['join voice', 'join voice channels', 'connect to voice channels', 'enter voice'],
  SPEAK: ['talk', 'talk in voice', 'speak in voice channels'],
  MUTE_MEMBERS: ['server mute'],
  DEAFEN_MEMBERS: ['server deafen'],
  MOVE_MEMBERS: ['voice move', 'disconnect members', 'voice disconnect', 'voice kick'],
  USE_VAD: ['voice activity'],
  CHANGE_NICKNAME: ['change own nickname', 'edit own nickname'],
  MANAGE_NICKNAMES: [
    'edit nicknames',
    'change other nicknames',
    'manage other nicknames',
    'change member nicknames',
  ],
  MANAGE_ROLES: [
    'create roles',
    'edit roles',
    'delete roles',
    'give roles',
    'assign roles',
    'add roles',
    'remove roles',
  ],
  MANAGE_WEBHOOKS: ['create webhooks', 'edit webhooks', 'delete webhooks'],
  MANAGE_GUILD_EXPRESSIONS: [
    'delete emojis',
    'edit emojis',
    'remove emojis',
    'delete stickers',
    'manage sounds',
  ],
  CREATE_GUILD_EXPRESSIONS: [
    'create emojis',
    'add emojis',
    'create stickers',
    'add stickers',
    'upload emojis',
  ],
  USE_APPLICATION_COMMANDS: ['run commands', 'send commands', 'use bot commands'],
  MANAGE_EVENTS: ['edit events', 'delete events', 'manage scheduled events'],
  MANAGE_THREADS: ['delete threads', 'archive threads', 'close threads', 'lock threads'],
  SEND_MESSAGES_IN_THREADS: ['talk in threads', 'reply in threads', 'send in threads'],
  USE_EMBEDDED_ACTIVITIES: ['launch activities', 'play activities'],
  MODERATE_MEMBERS: ['timeout users', 'give timeouts'],
  // A phrase with two meanings is suggested for neither.
  USE_SOUNDBOARD: ['use sounds', 'play sounds'],
  USE_EXTERNAL_SOUNDS: ['use sounds', 'play sounds'],
  BYPASS_SLOWMODE: ['ignore slowmode', 'skip slowmode'],
};

/** Words with one meaning among permissions. */
export const SAME_WORDS: Readonly<Record<string, string>> = {
  // The permission to do something also allows undoing it.
  unban: 'ban',
  unmute: 'mute',
  undeafen: 'deafen',
  unpin: 'pin',
  server: 'guild',
  user: 'member',
  people: 'member',
  person: 'member',
  emote: 'emoji',
  nick: 'nickname',
  name: 'nickname',
  see: 'view',
  read: 'view',
  write: 'send',
  upload: 'attach',
  image: 'file',
  picture: 'file',
  photo: 'file',
  attachment: 'file',
  ping: 'mention',
  tag: 'mention',
  msg: 'message',
  cmd: 'command',
  vc: 'voice',
  timeout: 'moderate',
  analytic: 'insight',
  statistic: 'insight',
};

/** Words that do not help to tell permissions apart. */
export const FILLERS: ReadonlySet<string> = new Set(
  'bit can may allow to in on of for the a an and or with by my'.split(' '),
);

/** Words for other features of bots, each one letter away from a word of a permission. They are not slips. */
export const OTHER_FEATURE_WORDS: ReadonlySet<string> = new Set([
  'rule',
  'roll',
  'guide',
  'note',
  'vote',
  'pick',
]);
