import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  type GatewayReceivePayload,
  type GatewaySendPayload,
} from 'discord-api-types/v10';
import type { GatewayEnd } from '../../../../src/discord/connection/gateway-end.ts';
import { ShardManager } from '../../../../src/discord/connection/shard-manager.ts';
import type { ShardSocket, SocketListener } from '../../../../src/discord/connection/shard-socket.ts';
import { GatewayMembers } from '../../../../src/members/gateway/gateway-members.ts';
import { ProcessPauseDetector } from '../../../../src/members/gateway/process-pause-detector.ts';
import { ShardStates } from '../../../../src/members/gateway/shard-states.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { Link, type Session } from './manual-link.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { Random } from '../../../fixtures/random.ts';
import { settle } from '../../../fixtures/settle.ts';
import { rolePage } from '../../../fixtures/role-page.ts';

export const HEARTBEAT_MS = 41_250;
const ROLE = '901000000000000000';
const BOT_ID = '100000000000000000';
const MEMBERS = 8;

/** The guild of a shard, by the number of shards. */
const guildOf = (shardId: number, shards = 1): string => String(BigInt(shards + shardId) << 22n);
const memberId = (at: number): string => String(10n ** 17n + BigInt(at + 1));

/** A Discord, a network and a clock that move only as the test says, and our connection to them. */
export class ManualDiscord implements AsyncDisposable {
  readonly timers = new ManualTimers();
  readonly processPauses = new ProcessPauseDetector({ timers: this.timers });
  readonly shardStates = new ShardStates({ timers: this.timers, processPauses: this.processPauses });
  readonly members;
  readonly connection: ShardManager;
  readonly links: Link[] = [];
  readonly identifiedAt: number[] = [];
  ended: GatewayEnd | null = null;
  readonly logLines: string[] = [];
  /** The addresses to which sockets were opened, oldest first. */
  readonly opened: string[] = [];
  /** The payloads of heartbeats, oldest first. */
  readonly beats: unknown[] = [];
  /** Times that the address of the gateway was asked for. */
  asked = 0;
  /** The number that Discord recommends. */
  shards: number;
  identifiesLeft = 1_000;
  /** Decides what becomes of a handshake and of an IDENTIFY. */
  handshake: (url: string) => 'open' | 'refused' = () => 'open';
  identify: () => 'accepted' | 'invalid session' | 'silence' | number = () => 'accepted';
  /** Sent by Discord, right or wrong. */
  gatewayUrl: unknown = 'wss://gateway.example';
  resumeUrl: unknown = 'wss://resume.example';
  hello: unknown = { heartbeat_interval: HEARTBEAT_MS };
  ready: (data: object) => unknown = (data) => data;
  /** True while heartbeats are answered. */
  acknowledges = true;
  readonly #sessions = new Map<string, Session>();
  readonly #holders = new Map<number, Set<number>>();
  readonly #changes = new Map<number, number[]>();
  #resetAt = 86_400_000;

  /** @param seed of what our connection leaves to chance */
  constructor(shards = 1, seed = 1) {
    this.shards = shards;
    const log = createLog('info', { destination: { write: (line) => void this.logLines.push(line) } });
    this.members = new GatewayMembers({
      timers: this.timers,
      shardStates: this.shardStates,
      log,
      fetchRoleCounts: null,
      requestMembers: (shardId, payload) => this.connection.send(shardId, payload),
    });
    const random = new Random(seed);
    this.connection = new ShardManager({
      token: 'token',
      userAgent: 'DiscordBot',
      shards: 'auto',
      shardCount: 'auto',
      log,
      timers: this.timers,
      random: () => random.next(),
      shardStates: this.shardStates,
      processPauses: this.processPauses,
      fetchGateway: async () => this.#gateway(),
      openSocket: (url, listener) => this.#open(url, listener),
      onDispatch: (shardId, packet) => this.members.handleDispatch(shardId, packet),
      onShardDown: () => {},
      onMembersIntentOff: () => this.members.setMembersIntent(false),
      onRefused: (end) => {
        this.ended = end;
        this.members.drop();
      },
    });
  }

  /** Connects and has everything delivered. */
  async start(): Promise<this> {
    const opened = this.connection.open();
    opened.catch(() => undefined);
    await this.pass(this.shards * 6_000);
    return this;
  }

  /** Lets time pass in steps. Whatever arrives is delivered at once. */
  async pass(ms: number, stepMs = 1_000): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await settle();
      this.deliver();
      await settle();
      this.timers.advance(Math.min(stepMs, left));
    }
    await settle();
    this.deliver();
    await settle();
  }

  deliver(): void {
    for (const link of this.links) link.deliver();
  }

  /** The link of a shard that is open; null when there is none. */
  link(shardId = 0): Link | null {
    return this.links.findLast((link) => link.isOpen && link.session?.shardId === shardId) ?? null;
  }

  /** A member gets the role, or loses it. */
  toggle(at: number, shardId = 0): void {
    const holders = this.#holdersOf(shardId);
    if (!holders.delete(at % MEMBERS)) holders.add(at % MEMBERS);
    this.#changedAt(shardId).push(this.timers.monotonic());
    this.#dispatch(shardId, GatewayDispatchEvents.GuildMemberUpdate, {
      guild_id: guildOf(shardId, this.shards),
      ...this.#member(at % MEMBERS, shardId),
    });
  }

  /** The members with the role, as the process answers; null when it does not answer. */
  answer(shardId = 0): string | null {
    const index = this.members.completeIndex(guildOf(shardId, this.shards));
    return index === null ? null : JSON.stringify(rolePage(index, ROLE).ids.toJSON());
  }

  /** The members with the role, as Discord has it. */
  holders(shardId = 0): string {
    return JSON.stringify([...this.#holdersOf(shardId)].sort((a, b) => a - b).map(memberId));
  }

  /**
   * The members that had it after the last dispatch that was delivered, and the time of the first change after that.
   */
  lastHeard(shardId = 0): { readonly holders: string | null; readonly missedSince: number } {
    const heard = this.links.findLast((link) => link.session?.shardId === shardId && link.delivered > 0);
    const ofSession = this.links.filter(({ session }) => session !== null && session === heard?.session);
    const last = heard?.session?.log[Math.max(0, ...ofSession.map(({ delivered }) => delivered)) - 1];
    return {
      holders: last?.holders ?? null,
      missedSince: this.#changedAt(shardId)[last?.changes ?? 0] ?? Infinity,
    };
  }

  /** Discord forgets the sessions that nobody is connected to: their RESUME is refused. */
  forgetSessions(): void {
    const alive = new Set(
      this.links.filter((link) => link.isOpen && !link.isFrozen).map((link) => link.session),
    );
    for (const session of this.#sessions.values()) {
      if (!alive.has(session)) this.#sessions.delete(session.id);
    }
  }

  take(link: Link, payload: GatewaySendPayload): void {
    switch (payload.op) {
      case GatewayOpcodes.Heartbeat:
        this.beats.push(payload.d);
        if (!this.acknowledges) return;
        link.push({ op: GatewayOpcodes.HeartbeatAck } as GatewayReceivePayload);
        break;
      case GatewayOpcodes.Identify:
        this.#identify(link, payload.d.shard?.[0] ?? 0);
        break;
      case GatewayOpcodes.Resume:
        this.#resume(link, payload.d.session_id, payload.d.seq);
        break;
      case GatewayOpcodes.RequestGuildMembers:
        this.#answerRequest(link, payload.d.nonce ?? '');
        break;
      default:
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.members.close();
    this.processPauses.close();
    await this.connection.close();
  }

  #gateway() {
    this.asked += 1;
    const now = this.timers.monotonic();
    if (now >= this.#resetAt) {
      this.#resetAt = now + 86_400_000;
      this.identifiesLeft = 1_000;
    }
    return {
      url: this.gatewayUrl,
      shards: this.shards,
      session_start_limit: {
        total: 1_000,
        remaining: this.identifiesLeft,
        reset_after: this.#resetAt - now,
        max_concurrency: 1,
      },
    };
  }

  #open(url: string, listener: SocketListener): ShardSocket {
    this.opened.push(url);
    const link = new Link((link, payload) => this.take(link, payload), listener);
    this.links.push(link);
    if (this.handshake(url) === 'refused') {
      this.timers.after(10, () => link.end(1006));
    } else {
      link.push({
        op: GatewayOpcodes.Hello,
        d: this.hello,
        s: null,
        t: null,
      } as unknown as GatewayReceivePayload);
    }
    return link;
  }

  #identify(link: Link, shardId: number): void {
    this.identifiedAt.push(this.timers.monotonic());
    this.identifiesLeft -= 1;
    const outcome = this.identify();
    if (typeof outcome === 'number') {
      this.timers.after(1, () => link.end(outcome));
      return;
    }
    if (outcome === 'invalid session') {
      link.push({ op: GatewayOpcodes.InvalidSession, d: false } as GatewayReceivePayload);
      return;
    }
    if (outcome === 'silence') return;
    const session: Session = { id: `session ${this.identifiedAt.length}`, shardId, log: [] };
    this.#sessions.set(session.id, session);
    link.session = session;
    const id = guildOf(shardId, this.shards);
    const ready = {
      session_id: session.id,
      resume_gateway_url: this.resumeUrl,
      user: { id: BOT_ID },
      application: { id: BOT_ID },
      shard: [shardId, this.shards],
      guilds: [{ id, unavailable: true }],
    };
    this.#send(session, GatewayDispatchEvents.Ready, this.ready(ready));
    this.#send(session, GatewayDispatchEvents.GuildCreate, {
      id,
      member_count: MEMBERS + 1,
      roles: [{ id }, { id: ROLE }],
      members: [],
    });
  }

  #resume(link: Link, id: string, sequence: number): void {
    const session = this.#sessions.get(id);
    if (session === undefined || sequence > session.log.length) {
      link.push({ op: GatewayOpcodes.InvalidSession, d: false } as GatewayReceivePayload);
      return;
    }
    link.session = session;
    for (const { frame } of session.log.slice(sequence)) link.push(frame);
    this.#send(session, GatewayDispatchEvents.Resumed, {});
  }

  #answerRequest(link: Link, nonce: string): void {
    const { session } = link;
    if (session === null) return;
    const { shardId } = session;
    this.#send(session, GatewayDispatchEvents.GuildMembersChunk, {
      guild_id: guildOf(shardId, this.shards),
      nonce,
      chunk_index: 0,
      chunk_count: 1,
      members: [
        { user: { id: BOT_ID }, roles: [] },
        ...Array.from({ length: MEMBERS }, (_, at) => this.#member(at, shardId)),
      ],
    });
  }

  #dispatch(shardId: number, t: GatewayDispatchEvents, d: unknown): void {
    for (const session of this.#sessions.values()) if (session.shardId === shardId) this.#send(session, t, d);
  }

  #send(session: Session, t: GatewayDispatchEvents, d: unknown): void {
    const s = session.log.length + 1;
    const frame = { op: GatewayOpcodes.Dispatch, s, t, d } as unknown as GatewayReceivePayload;
    session.log.push({
      frame,
      holders: this.holders(session.shardId),
      changes: this.#changedAt(session.shardId).length,
    });
    this.links.findLast((link) => link.session === session)?.push(frame);
  }

  #member(at: number, shardId: number) {
    return { user: { id: memberId(at) }, roles: this.#holdersOf(shardId).has(at) ? [ROLE] : [] };
  }

  #changedAt(shardId: number): number[] {
    let changedAt = this.#changes.get(shardId);
    if (changedAt === undefined) this.#changes.set(shardId, (changedAt = []));
    return changedAt;
  }

  #holdersOf(shardId: number): Set<number> {
    let holders = this.#holders.get(shardId);
    if (holders === undefined) this.#holders.set(shardId, (holders = new Set([0, 1])));
    return holders;
  }
}
