import { Problem } from '../../kernel/problem.ts';
import type { ChannelInfo, PermissionQuestion, PermissionInputs, TargetInfo } from '../permission-inputs.ts';
import { BoundedMap } from '../../kernel/bounded-map.ts';
import { parseChannel, parseGuildPermissions, parseMember } from '../discord-answers.ts';
import type { DiscordCalls } from './discord-calls.ts';
import type { Lookup, Path } from './token-access.ts';

/** A few kilobytes each. */
const KEPT_MAX = 1_000;

/** Reads from Discord what decides about a member's permissions. Each answer of Discord is kept for a few seconds. */
export class PermissionInputReader {
  readonly #calls: DiscordCalls;
  readonly #kept: BoundedMap<Promise<unknown>>;

  /** @param keptMs how long an answer is reused, in milliseconds */
  constructor(calls: DiscordCalls, keptMs: number, now: () => number) {
    this.#calls = calls;
    this.#kept = new BoundedMap({ ttlMs: keptMs, entriesMax: KEPT_MAX, now });
  }

  /**
   * @param admit see TokenAccess
   * @throws Problem `unknown_member`, `unknown_channel`, `token_attempts`, `discord_…`
   */
  async read(admit: () => Lookup, question: PermissionQuestion): Promise<PermissionInputs> {
    const { guildId, userId, channelId, targetId } = question;
    try {
      const lookup = admit();
      const get = (path: Path) => this.#once(lookup, path);
      const guild = parseGuildPermissions(await get(`/guilds/${guildId}`));
      const [member, channel, target] = await Promise.all([
        get(`/guilds/${guildId}/members/${userId}`).then(parseMember),
        channelId === null ? null : readChannel(get, { guildId, userId, channelId }),
        targetId === null ? null : readTarget(get, guildId, targetId),
      ]);
      return { ...guild, ...member, channel, target };
    } catch (error) {
      throw toAccessProblem(error);
    }
  }

  /** Within `keptMs`, equal calls share one answer, even a refusal, because Discord counts refusals. */
  async #once(lookup: Lookup, path: Path): Promise<unknown> {
    const key = `${lookup.digest} ${path}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const call = this.#calls.get(lookup, path);
    this.#kept.set(key, call);
    call.catch((error: unknown) => {
      if (!isKeptRefusal(error)) this.#kept.delete(key);
    });
    return call;
  }
}

async function readTarget(
  get: (path: Path) => Promise<unknown>,
  guildId: string,
  targetId: string,
): Promise<TargetInfo> {
  try {
    const { roleIds } = parseMember(await get(`/guilds/${guildId}/members/${targetId}`));
    return { kind: 'member', roleIds };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unknown_member') throw error;
    return { kind: error.key === 'unknown_member/account' ? 'unknown' : 'outside' };
  }
}

/** A thread has its parent's overwrites. Membership of a private thread takes another call. */
async function readChannel(
  get: (path: Path) => Promise<unknown>,
  { guildId, userId, channelId }: { guildId: string; userId: string; channelId: string },
): Promise<ChannelInfo> {
  const channel = parseChannel(await get(`/channels/${channelId}`));
  if (channel.guildId !== guildId) throw new Problem('unknown_channel');
  const { overwrites, isVoice, isThread, isPrivate, isLocked, parentId } = channel;
  if (!isThread || parentId === null) return { overwrites, isVoice, thread: null };
  const [parent, hasMember] = await Promise.all([
    get(`/channels/${parentId}`).then(parseChannel),
    isPrivate ? isThreadMember(get, channelId, userId) : true,
  ]);
  return { overwrites: parent.overwrites, isVoice: false, thread: { isPrivate, isLocked, hasMember } };
}

async function isThreadMember(
  get: (path: Path) => Promise<unknown>,
  threadId: string,
  userId: string,
): Promise<boolean> {
  try {
    await get(`/channels/${threadId}/thread-members/${userId}`);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unknown_member') return false;
    throw error;
  }
}

function isKeptRefusal(error: unknown): boolean {
  return (
    error instanceof Problem &&
    ['unknown_member', 'unknown_channel', 'discord_missing_access'].includes(error.code)
  );
}

/** Here, both codes mean that the bot cannot see the guild or the channel. */
function toAccessProblem(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.code !== 'unknown_guild' && error.code !== 'discord_missing_access') return error;
  return new Problem('discord_missing_access/view', { cause: error });
}
