import { GatewayDispatchEvents, GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import type { GatewayGuildMembersChunkDispatchData } from 'discord-api-types/v10';
import { findMembers } from './found-members.ts';
import type { MemberQuery } from './found-members.ts';
import type { GatewaySession } from './gateway-session.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { SimulatedGuild } from './guild-model.ts';
import type { MemberRecord } from './member-store.ts';
import type { Progress } from './progress.ts';
import { isObject, stringsOf, textOf } from './read-json.ts';

/** A request for guild members (opcode 8) as it came in. */
export interface MemberRequest extends MemberQuery {
  readonly sessionId: string;
  readonly botId: string;
  readonly guildId: string;
  readonly nonce: string | null;
  readonly at: number;
  /** `refused`: without the intent, or of a guild where the bot is not, nothing comes back. */
  readonly outcome: 'chunks' | 'held' | 'silence' | 'rate limited' | 'refused';
}

/** The answer to a request, in the hands of the test. */
export interface HeldChunks {
  readonly request: MemberRequest;
  /** Chunks of the whole answer. They show the members as they were when the request came. */
  readonly count: number;
  /** Sends one, even if it was sent before. With another nonce it belongs to somebody else's request. */
  send(index: number, change?: { nonce?: string }): void;
  /** Sends those not sent yet, in order. */
  release(): void;
}

type Fault =
  | { readonly kind: 'silence' }
  | { readonly kind: 'rate limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'held'; readonly resolve: (chunks: HeldChunks) => void };

interface World {
  readonly progress: Progress;
  findGuild(id: string): SimulatedGuild | null;
}

/** Answers requests for guild members, wrongly if a test asks for that. */
export class MemberRequests {
  readonly received: MemberRequest[] = [];
  readonly #settings: GatewaySettings;
  readonly #world: World;
  readonly #faults: { guildId: string | null; fault: Fault }[] = [];
  /** By bot and guild: when all its members may be asked for again. */
  readonly #freeAt = new Map<string, number>();

  constructor(settings: GatewaySettings, world: World) {
    this.#settings = settings;
    this.#world = world;
  }

  /** The next request (for this guild) is never answered. */
  silenceNext(guildId: string | null = null): void {
    this.#faults.push({ guildId, fault: { kind: 'silence' } });
  }

  /** The next request (for this guild) is answered with RATE_LIMITED. */
  rateLimitNext(retryAfterSeconds: number, guildId: string | null = null): void {
    this.#faults.push({ guildId, fault: { kind: 'rate limited', retryAfterSeconds } });
  }

  /** Resolves when the next request (for this guild) comes; nothing is sent but what the test sends. */
  holdNext(guildId: string | null = null): Promise<HeldChunks> {
    const { promise, resolve } = Promise.withResolvers<HeldChunks>();
    this.#faults.push({ guildId, fault: { kind: 'held', resolve } });
    return promise;
  }

  receive(session: GatewaySession, data: unknown): void {
    if (!isObject(data)) return;
    // guild_id may be a list of one: https://docs.discord.com/developers/events/gateway-events#request-guild-members
    for (const guildId of stringsOf(data['guild_id'])) {
      const guild = this.#world.findGuild(guildId);
      const asked = {
        sessionId: session.id,
        botId: session.bot.id,
        guildId,
        userIds: data['user_ids'] === undefined ? null : stringsOf(data['user_ids']).slice(0, 100),
        query: textOf(data['query']),
        limit: Number(data['limit'] ?? 0),
        nonce: readNonce(data['nonce']),
        at: Date.now(),
      };
      if (!guild?.bots.has(session.bot) || !isAllowed(asked, session)) {
        this.#record({ ...asked, outcome: 'refused' });
        continue;
      }
      const isAll = asked.userIds === null && asked.query === '' && asked.limit === 0;
      const fault = this.#takeFault(guildId) ?? (isAll ? this.#rateLimit(session, guildId) : null);
      const request = this.#record({ ...asked, outcome: fault?.kind ?? 'chunks' });
      if (fault?.kind === 'silence') continue;
      if (fault?.kind === 'rate limited') this.#sendRateLimited(session, request, fault.retryAfterSeconds);
      else if (fault) fault.resolve(this.#hold(session, guild, request));
      else this.#answer(session, guild, request);
    }
  }

  #record(request: MemberRequest): MemberRequest {
    this.received.push(request);
    this.#world.progress.notify();
    return request;
  }

  #takeFault(guildId: string): Fault | null {
    const index = this.#faults.findIndex(
      (planned) => planned.guildId === null || planned.guildId === guildId,
    );
    return index === -1 ? null : (this.#faults.splice(index, 1)[0]?.fault ?? null);
  }

  #rateLimit(session: GatewaySession, guildId: string): Fault | null {
    const key = `${session.bot.id}:${guildId}`;
    const now = Date.now();
    const freeAt = this.#freeAt.get(key) ?? 0;
    if (now < freeAt) return { kind: 'rate limited', retryAfterSeconds: (freeAt - now) / 1000 };
    if (this.#settings.memberRequestWindowMs > 0)
      this.#freeAt.set(key, now + this.#settings.memberRequestWindowMs);
    return null;
  }

  #sendRateLimited(session: GatewaySession, request: MemberRequest, retryAfterSeconds: number): void {
    session.dispatch(GatewayDispatchEvents.RateLimited, {
      opcode: GatewayOpcodes.RequestGuildMembers,
      retry_after: retryAfterSeconds,
      meta: { guild_id: request.guildId, ...(request.nonce === null ? {} : { nonce: request.nonce }) },
    });
  }

  #answer(session: GatewaySession, guild: SimulatedGuild, request: MemberRequest): void {
    const found = findMembers(guild, request);
    let sent = 0;
    const count = this.#chunkCount(found.count);
    // One chunk in each iteration of the event loop. 250 in one iteration would stop everything else for seconds.
    const sendNext = (): void => {
      const members = found.take(this.#settings.chunkSize);
      session.dispatch(
        GatewayDispatchEvents.GuildMembersChunk,
        this.#toChunk(guild, request, members, sent, count, sent === 0 ? found.notFound : []),
      );
      sent += 1;
      if (sent < count) setImmediate(sendNext);
    };
    sendNext();
  }

  #hold(session: GatewaySession, guild: SimulatedGuild, request: MemberRequest): HeldChunks {
    const found = findMembers(guild, request);
    const count = this.#chunkCount(found.count);
    const chunks = Array.from({ length: count }, (_, index) =>
      this.#toChunk(
        guild,
        request,
        found.take(this.#settings.chunkSize),
        index,
        count,
        index === 0 ? found.notFound : [],
      ),
    );
    const unsent = new Set(chunks.keys());
    const send = (index: number, change: { nonce?: string } = {}): void => {
      const chunk = chunks[index];
      if (!chunk) throw new Error(`There is no chunk ${index}, only ${count}.`);
      if (change.nonce === undefined) unsent.delete(index);
      session.dispatch(GatewayDispatchEvents.GuildMembersChunk, { ...chunk, ...change });
    };
    return {
      request,
      count,
      send,
      release: () => {
        for (const index of unsent) send(index);
      },
    };
  }

  #chunkCount(members: number): number {
    return Math.max(1, Math.ceil(members / this.#settings.chunkSize));
  }

  #toChunk(
    guild: SimulatedGuild,
    request: MemberRequest,
    members: readonly MemberRecord[],
    index: number,
    count: number,
    notFound: readonly string[],
  ): GatewayGuildMembersChunkDispatchData {
    return {
      guild_id: guild.id,
      members: members.map((member) => guild.toMember(member)),
      chunk_index: index,
      chunk_count: count,
      ...(notFound.length > 0 ? { not_found: [...notFound] } : {}),
      ...(request.nonce === null ? {} : { nonce: request.nonce }),
    };
  }
}

/** A nonce of more than 32 bytes is ignored. */
function readNonce(nonce: unknown): string | null {
  return typeof nonce === 'string' && Buffer.byteLength(nonce) <= 32 ? nonce : null;
}

/** The whole list needs the intent; by ids and by the first letters of a name some are given without. */
function isAllowed(
  { userIds, limit }: Pick<MemberRequest, 'userIds' | 'limit'>,
  session: GatewaySession,
): boolean {
  const hasIntent = (session.intents & GatewayIntentBits.GuildMembers) !== 0;
  return hasIntent || userIds !== null || (limit > 0 && limit <= 100);
}
