import type { NamedFacts } from './permission-facts.ts';

/** The answer about one permission. */
export interface Judgement {
  readonly allowed: boolean;
  readonly kind: string;
  readonly roleIds: readonly string[];
}

// Permissions without a channel type in the table of
// https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags
const OF_THE_SERVER = new Set([
  'KICK_MEMBERS',
  'BAN_MEMBERS',
  'ADMINISTRATOR',
  'MANAGE_GUILD',
  'VIEW_AUDIT_LOG',
  'VIEW_GUILD_INSIGHTS',
  'CHANGE_NICKNAME',
  'MANAGE_NICKNAMES',
  'MANAGE_GUILD_EXPRESSIONS',
  'MODERATE_MEMBERS',
  'VIEW_CREATOR_MONETIZATION_ANALYTICS',
  'CREATE_GUILD_EXPRESSIONS',
]);
// #implicit-permissions
const WITH_MESSAGES = new Set(['MENTION_EVERYONE', 'SEND_TTS_MESSAGES', 'ATTACH_FILES', 'EMBED_LINKS']);
// The first by the same chapter, reading by resources/message#get-channel-messages, moving by the table of permissions
// and resources/guild#modify-guild-member. The others are only done by members who are connected.
const INSIDE_VOICE = new Set([
  'MANAGE_CHANNELS',
  'READ_MESSAGE_HISTORY',
  'MOVE_MEMBERS',
  'PRIORITY_SPEAKER',
  'STREAM',
  'SPEAK',
  'USE_VAD',
  'REQUEST_TO_SPEAK',
  'USE_EMBEDDED_ACTIVITIES',
  'USE_SOUNDBOARD',
  'USE_EXTERNAL_SOUNDS',
]);

/**
 * Judges one permission by going through Discord's documents rule by rule, without bit fields. Slow and plain: what
 * the service computes is held against it.
 */
export function judge(facts: NamedFacts, name: string): Judgement {
  const { channel, guildId, isTimedOut, ownerId, roleIds, roles, userId } = facts;
  if (userId === ownerId) return { allowed: true, kind: 'owner', roleIds: [] };
  const admins = [guildId, ...roleIds].filter((id) => roles.get(id)?.has('ADMINISTRATOR'));
  if (admins.length > 0) return { allowed: true, kind: 'administrator', roleIds: admins };

  let judgement = beforeThreads(facts, name);
  const isModerator = () => beforeThreads(facts, 'MANAGE_THREADS').allowed;
  const deny = (kind: string) => {
    judgement = { allowed: false, kind, roleIds: [] };
  };
  const thread = channel?.thread ?? null;
  if (thread !== null) {
    // threads#permissions: no effect in threads; private ones are for those who were invited, and moderators.
    if (name === 'SEND_MESSAGES') deny('thread');
    if (name === 'VIEW_CHANNEL' && thread.isPrivate && !thread.hasMember && !isModerator()) deny('thread');
    // threads#locked-threads
    if (name === 'SEND_MESSAGES_IN_THREADS' && thread.isLocked && !isModerator()) deny('thread');
  }
  // #permissions-for-timed-out-members
  if (isTimedOut && name !== 'VIEW_CHANNEL' && name !== 'READ_MESSAGE_HISTORY') deny('timeout');
  // #implicit-permissions
  if (channel !== null && name !== 'VIEW_CHANNEL') {
    const lacks = (needed: string) => !judge(facts, needed).allowed;
    const sending = thread === null ? 'SEND_MESSAGES' : 'SEND_MESSAGES_IN_THREADS';
    if (!OF_THE_SERVER.has(name) && lacks('VIEW_CHANNEL')) deny('implied');
    else if (WITH_MESSAGES.has(name) && lacks(sending)) deny('implied');
    else if (channel.kind === 'voice' && INSIDE_VOICE.has(name) && lacks('CONNECT')) deny('implied');
    // resources/message#create-reaction
    else if (name === 'ADD_REACTIONS' && lacks('READ_MESSAGE_HISTORY')) deny('implied');
  }
  return judgement;
}

/** #permission-overwrites, steps 1 to 8. */
function beforeThreads({ channel, guildId, roleIds, roles, userId }: NamedFacts, name: string): Judgement {
  const granting = [guildId, ...roleIds].filter((id) => roles.get(id)?.has(name));
  let judgement: Judgement = {
    allowed: granting.length > 0,
    kind: granting.length > 0 ? 'role' : 'not_granted',
    roleIds: granting,
  };
  const overwrites = channel?.overwrites ?? [];
  const ofRoles = roleIds.flatMap((id) => overwrites.filter((overwrite) => overwrite.id === id));
  for (const [kind, group] of [
    ['everyone_overwrite', overwrites.filter(({ id }) => id === guildId)],
    ['role_overwrite', ofRoles],
    ['member_overwrite', overwrites.filter(({ id }) => id === userId)],
  ] as const) {
    const denying = group.filter((overwrite) => overwrite.deny.has(name)).map(({ id }) => id);
    const allowing = group.filter((overwrite) => overwrite.allow.has(name)).map(({ id }) => id);
    const by = kind === 'member_overwrite' ? () => [] : (ids: string[]) => ids;
    if (denying.length > 0) judgement = { allowed: false, kind, roleIds: by(denying) };
    if (allowing.length > 0) judgement = { allowed: true, kind, roleIds: by(allowing) };
  }
  return judgement;
}
