import type { ChannelInfo, PermissionInputs } from '../../members/permission-inputs.ts';
import { PERMISSIONS } from '../permissions/permission-table.ts';

type Overwrite = ChannelInfo['overwrites'][number];

/** All facts that decide about a member's permissions. Without a channel, these are for the server as a whole. */
export interface PermissionFacts extends Omit<PermissionInputs, 'timedOutUntil' | 'target'> {
  readonly guildId: string;
  readonly userId: string;
  readonly isTimedOut: boolean;
}

/** Rules in the order in which Discord applies them. */
export const RULES = [
  'owner',
  'administrator',
  'role',
  'everyone_overwrite',
  'role_overwrite',
  'member_overwrite',
  'thread',
  'timeout',
  'implied',
] as const;

export type Rule = (typeof RULES)[number];

/** The last rule that grants or denies a permission. */
export interface Decision {
  readonly kind: Rule | 'not_granted';
  /** The roles by which it decides. @everyone has the id of the guild. */
  readonly roleIds: readonly string[];
  readonly isAllowed: boolean;
  /** True when the rules before it had granted the permission. */
  readonly allowedByEarlierRules: boolean;
}

export interface EffectivePermissions {
  readonly bits: bigint;
  /** @param bit a single one */
  decide(bit: bigint): Decision;
}

const VALUES = new Map(PERMISSIONS.map(({ name, value }) => [name, value]));

/** The bit of a permission by its canonical name. For any other name it is 0, which nobody has. */
export function bitOf(name: string): bigint {
  return VALUES.get(name) ?? 0n;
}

const bits = (...names: readonly string[]) => names.reduce((sum, name) => sum | bitOf(name), 0n);

const ALL = bits(...VALUES.keys());
const ADMINISTRATOR = bitOf('ADMINISTRATOR');
const VIEW_CHANNEL = bitOf('VIEW_CHANNEL');
const SEND_MESSAGES = bitOf('SEND_MESSAGES');
const SEND_MESSAGES_IN_THREADS = bitOf('SEND_MESSAGES_IN_THREADS');
const MANAGE_THREADS = bitOf('MANAGE_THREADS');

/** https://docs.discord.com/developers/topics/permissions#permissions-for-timed-out-members */
const LEFT_BY_TIMEOUT = bits('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY');
/** All permissions for channels: https://docs.discord.com/developers/topics/permissions#implicit-permissions */
const NEEDS_VIEW_CHANNEL =
  bits(...PERMISSIONS.filter(({ channelTypes }) => channelTypes.length > 0).map(({ name }) => name)) &
  ~VIEW_CHANNEL;
/** From the same chapter. */
const NEEDS_SENDING = bits('MENTION_EVERYONE', 'SEND_TTS_MESSAGES', 'ATTACH_FILES', 'EMBED_LINKS');
/**
 * The same chapter names the first. Messages in a voice channel need it according to
 * https://docs.discord.com/developers/resources/message#get-channel-messages, and moving members according to
 * https://docs.discord.com/developers/resources/guild#modify-guild-member. The others are only used while connected, as
 * the table of permissions says. Discord's documents do not mention MANAGE_ROLES here.
 */
const NEEDS_CONNECT = bits(
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
);

/** https://docs.discord.com/developers/resources/message#create-reaction */
const NEEDS_HISTORY = bitOf('ADD_REACTIONS');

/** A rule that was applied: the permissions that it is about, and those that the member has after it. */
interface Step {
  readonly kind: Rule;
  readonly speaks: bigint;
  readonly after: bigint;
  /** The roles that decide about one permission. */
  readonly roleIds: (bit: bigint) => readonly string[];
}

const noRoles = (): readonly string[] => [];

/**
 * Computes a member's real permissions in a channel, or in the server as a whole, and the rule that decides each of
 * them. A permission that Discord's documents do not mention stays as the earlier rules left it.
 */
export function computePermissions(facts: PermissionFacts): EffectivePermissions {
  const steps = applyRules(facts);
  const last = steps.at(-1)?.after ?? 0n;
  return {
    bits: last,
    decide(bit) {
      const isAllowed = (last & bit) !== 0n;
      const place = steps.findLastIndex(({ speaks }) => (speaks & bit) !== 0n);
      const step = steps[place];
      if (step === undefined)
        return { kind: 'not_granted', roleIds: [], isAllowed, allowedByEarlierRules: false };
      const before = steps[place - 1]?.after ?? 0n;
      return {
        kind: step.kind,
        roleIds: step.roleIds(bit),
        isAllowed,
        allowedByEarlierRules: (before & bit) !== 0n,
      };
    },
  };
}

/** Returns the missing permission on which another one depends, or null. */
export function missingFor(name: string, held: bigint, where: Where): string | null {
  const bit = bitOf(name);
  const missing = needsIn(where).find(
    ({ base, dependents }) => (dependents & bit) !== 0n && (held & base) === 0n,
  );
  return missing?.name ?? null;
}

function applyRules(facts: PermissionFacts): readonly Step[] {
  const { channel, guildId, ownerId, roles, userId } = facts;
  const own = [guildId, ...facts.roleIds.filter((id) => id !== guildId)];
  // https://docs.discord.com/developers/topics/permissions#permission-overwrites, as for all steps up to the member's.
  if (userId === ownerId) return [{ kind: 'owner', speaks: ~0n, after: ALL, roleIds: noRoles }];
  const bitsOf = (id: string) => roles.get(id)?.permissions ?? 0n;
  const holding = (bit: bigint) => own.filter((id) => (bitsOf(id) & bit) !== 0n);
  let after = own.reduce((sum, id) => sum | bitsOf(id), 0n);
  if ((after & ADMINISTRATOR) !== 0n) {
    return [{ kind: 'administrator', speaks: ~0n, after: ALL, roleIds: () => holding(ADMINISTRATOR) }];
  }
  const steps: Step[] = [{ kind: 'role', speaks: after, after, roleIds: holding }];
  const apply = (kind: Rule, deny: bigint, allow: bigint, roleIds: Step['roleIds'] = noRoles) => {
    const speaks = deny | allow;
    if (speaks === 0n) return;
    after = (after & ~deny) | allow;
    steps.push({ kind, speaks, after, roleIds });
  };

  if (channel !== null) applyOverwrites(channel.overwrites, facts, apply);
  const thread = channel?.thread ?? null;
  if (thread !== null) apply('thread', deniedInThread(thread, after), 0n);
  if (facts.isTimedOut) apply('timeout', ~LEFT_BY_TIMEOUT, 0n);
  if (channel !== null) {
    let denied = 0n;
    for (const { base, dependents } of needsIn({ isVoice: channel.isVoice, isThread: thread !== null })) {
      if ((after & ~denied & base) === 0n) denied |= dependents;
    }
    apply('implied', denied, 0n);
  }
  return steps;
}

type Apply = (kind: Rule, deny: bigint, allow: bigint, roleIds?: Step['roleIds']) => void;

/** Channels do not inherit overwrites from categories: a channel that is synced with one has copies of them. */
function applyOverwrites(
  overwrites: readonly Overwrite[],
  { guildId, roleIds, userId }: PermissionFacts,
  apply: Apply,
): void {
  const own = new Set(roleIds);
  const ofRoles: Overwrite[] = [];
  let everyone: Overwrite | null = null;
  let member: Overwrite | null = null;
  let allow = 0n;
  let deny = 0n;
  for (const overwrite of overwrites) {
    const { id } = overwrite;
    if (id === guildId) everyone = overwrite;
    else if (id === userId) member = overwrite;
    else if (own.has(id)) {
      ofRoles.push(overwrite);
      allow |= overwrite.allow;
      deny |= overwrite.deny;
    }
  }
  if (everyone !== null) apply('everyone_overwrite', everyone.deny, everyone.allow, () => [guildId]);
  apply('role_overwrite', deny, allow, (bit) => {
    const allowing = ofRoles.filter((overwrite) => (overwrite.allow & bit) !== 0n);
    const deciding =
      allowing.length > 0 ? allowing : ofRoles.filter((overwrite) => (overwrite.deny & bit) !== 0n);
    return deciding.map(({ id }) => id);
  });
  if (member !== null) apply('member_overwrite', member.deny, member.allow);
}

/** https://docs.discord.com/developers/topics/threads#permissions and #locked-threads */
function deniedInThread(
  { hasMember, isLocked, isPrivate }: NonNullable<ChannelInfo['thread']>,
  held: bigint,
): bigint {
  const isModerator = (held & MANAGE_THREADS) !== 0n;
  return (
    SEND_MESSAGES |
    (isLocked && !isModerator ? SEND_MESSAGES_IN_THREADS : 0n) |
    (isPrivate && !hasMember && !isModerator ? VIEW_CHANNEL : 0n)
  );
}

interface Where {
  readonly isThread: boolean;
  readonly isVoice: boolean;
}

/** A permission that others depend on. */
interface Need {
  readonly name: string;
  readonly base: bigint;
  readonly dependents: bigint;
}

const needOf = (name: string, dependents: bigint): Need => ({ name, base: bitOf(name), dependents });
const NEED_VIEW = needOf('VIEW_CHANNEL', NEEDS_VIEW_CHANNEL);
const NEED_SENDING = needOf('SEND_MESSAGES', NEEDS_SENDING);
const NEED_SENDING_IN_THREADS = needOf('SEND_MESSAGES_IN_THREADS', NEEDS_SENDING);
const NEED_CONNECT = needOf('CONNECT', NEEDS_CONNECT);
const NEED_HISTORY = needOf('READ_MESSAGE_HISTORY', NEEDS_HISTORY);

/** Each need is listed before those that depend on it. */
function needsIn({ isThread, isVoice }: Where): readonly Need[] {
  const sending = isThread ? NEED_SENDING_IN_THREADS : NEED_SENDING;
  return [NEED_VIEW, sending, ...(isVoice ? [NEED_CONNECT] : []), NEED_HISTORY];
}
