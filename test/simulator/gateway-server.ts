import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { GatewayCloseCodes, GatewayDispatchEvents, GatewayOpcodes } from 'discord-api-types/v10';
import type { GatewayReceivePayload, GatewayReadyDispatchData } from 'discord-api-types/v10';
import { WebSocketServer } from 'ws';
import type { SimulatedBot } from './bot-model.ts';
import type { DispatchData } from './dispatch.ts';
import { GatewayConnection } from './gateway-connection.ts';
import { readIdentify, refuseIdentify } from './gateway-identify.ts';
import { GatewaySession } from './gateway-session.ts';
import { makeGatewaySettings } from './gateway-settings.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { SimulatedGuild } from './guild-model.ts';
import { MemberRequests } from './member-requests.ts';
import type { Progress } from './progress.ts';
import { isObject } from './read-json.ts';

export interface IdentifyRecord {
  readonly botId: string;
  readonly shard: readonly [id: number, count: number];
  readonly intents: number;
  /** `shard id % maxConcurrency` */
  readonly bucket: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** `accepted`, or what was answered instead. */
  readonly outcome: 'accepted' | 'invalid session' | `closed ${number}`;
}

export interface ResumeRecord {
  readonly sessionId: string;
  readonly sequence: number;
  readonly outcome: 'accepted' | 'invalid session' | `closed ${number}`;
}

/** The parts of the simulator that the gateway needs. */
export interface GatewayWorld {
  readonly progress: Progress;
  readonly url: () => string;
  findBot(token: string): SimulatedBot | null;
  findGuild(id: string): SimulatedGuild | null;
  guildsOf(bot: SimulatedBot): SimulatedGuild[];
}

/** The WebSocket side of Discord. */
export class GatewayServer {
  readonly settings: GatewaySettings;
  /** Every connection that was ever made, oldest first. */
  readonly connections: GatewayConnection[] = [];
  readonly sessions = new Map<string, GatewaySession>();
  readonly identifies: IdentifyRecord[] = [];
  readonly resumes: ResumeRecord[] = [];
  readonly memberRequests: MemberRequests;
  readonly #world: GatewayWorld;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #bucketFreeAt = new Map<string, number>();
  readonly #plannedCloses: number[] = [];
  readonly #plannedRefusals: number[] = [];
  /** Attempts to connect, those that were refused included. */
  handshakes = 0;

  constructor(world: GatewayWorld, settings: Partial<GatewaySettings>) {
    this.#world = world;
    this.settings = makeGatewaySettings(settings);
    this.memberRequests = new MemberRequests(this.settings, world);
  }

  listenOn(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      const refusal = this.#plannedRefusals.shift();
      this.handshakes += 1;
      if (refusal !== undefined) {
        socket.end(`HTTP/1.1 ${refusal} Simulated\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        this.#world.progress.notify();
        return;
      }
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        const { searchParams } = new URL(request.url ?? '/', 'ws://localhost');
        const connection = new GatewayConnection(webSocket, {
          settings: this.settings,
          identify: (from, data) => this.#identify(from, data),
          resume: (from, data) => this.#resume(from, data),
          requestMembers: (session, data) => this.memberRequests.receive(session, data),
          endSession: (session) => this.sessions.delete(session.id),
          changed: () => this.#endClosedSessions(),
        });
        this.connections.push(connection);
        if (!['9', '10'].includes(searchParams.get('v') ?? '10')) {
          return connection.close(GatewayCloseCodes.InvalidAPIVersion, 'Invalid API version.');
        }
        if (this.settings.needsUserAgent && request.headers['user-agent'] === undefined) {
          return connection.close(GatewayCloseCodes.UnknownError, 'A User-Agent is required.');
        }
        connection.sendPayload({
          op: GatewayOpcodes.Hello,
          d: { heartbeat_interval: this.settings.heartbeatIntervalMs },
        } as GatewayReceivePayload);
        this.#world.progress.notify();
      });
    });
  }

  /** Open connections that have a session. */
  get live(): GatewayConnection[] {
    return this.connections.filter((connection) => connection.isOpen && connection.session !== null);
  }

  /** The open connection of a shard. Throws when there is none, or several and no bot is named. */
  shard(shardId: number, bot?: SimulatedBot): GatewayConnection {
    const found = this.live.filter(
      (connection) => connection.shardId === shardId && (!bot || connection.session?.bot === bot),
    );
    const [connection] = found;
    if (!connection || found.length > 1) {
      throw new Error(`${found.length} connections hold shard ${shardId}; exactly one was expected.`);
    }
    return connection;
  }

  /** Closes the next connection that identifies with this code; called n times, the next n. */
  closeNextIdentify(code: number): void {
    this.#plannedCloses.push(code);
  }

  /** Answers the next handshakes with this status, as Discord's edge does when it is in trouble: 520, 503 ... */
  refuseHandshakes(status: number, times = 1): void {
    for (let time = 0; time < times; time += 1) this.#plannedRefusals.push(status);
  }

  /** Refuses no handshakes any more. */
  acceptHandshakes(): void {
    this.#plannedRefusals.length = 0;
  }

  /** Forgets the sessions that nobody is connected to: their RESUME will be answered with an invalid session. */
  forgetSessions(): void {
    for (const session of this.sessions.values()) if (!session.socket) this.sessions.delete(session.id);
  }

  /** Sends a dispatch to each session of these bots that holds the guild. Returns how many there are. */
  dispatch<Event extends GatewayDispatchEvents>(
    bots: ReadonlySet<SimulatedBot>,
    guildId: string | null,
    event: Event,
    data: DispatchData<Event>,
  ): number {
    const text = JSON.stringify(data);
    let reached = 0;
    for (const session of this.sessions.values()) {
      if (!bots.has(session.bot)) continue;
      // What belongs to no guild goes to the first shard.
      if (guildId === null ? session.shard[0] !== 0 : !session.holds(guildId)) continue;
      session.dispatchJson(event, text);
      reached += 1;
    }
    return reached;
  }

  sendGuildCreate(guild: SimulatedGuild, bot?: SimulatedBot): void {
    for (const session of this.sessions.values()) {
      if (!guild.bots.has(session.bot) || (bot && bot !== session.bot) || !session.holds(guild.id)) continue;
      const data = guild.toCreate(session.bot, session.intents, session.largeThreshold);
      session.dispatch(GatewayDispatchEvents.GuildCreate, data);
    }
  }

  close(): void {
    for (const connection of this.connections) connection.drop();
    this.#server.close();
  }

  #identify(connection: GatewayConnection, data: unknown): void {
    const identify = readIdentify(data);
    const bot = identify && this.#world.findBot(identify.token);
    const code = this.#plannedCloses.shift() ?? refuseIdentify(identify, bot);
    const shard = identify?.shard ?? [0, 1];
    const bucket = shard[0] % this.settings.maxConcurrency;
    const isEarly = code === null && bot && (!this.#takeBucket(bot, bucket) || this.#isRefused(shard[0]));
    const allowed = isEarly ? 'invalid session' : 'accepted';
    this.identifies.push({
      botId: bot?.id ?? '',
      shard,
      intents: identify?.intents ?? 0,
      bucket,
      at: Date.now(),
      outcome: code === null ? allowed : `closed ${code}`,
    });
    if (code !== null) return connection.close(code);
    if (!identify || !bot) return;
    this.settings.identifiesLeft -= 1;
    if (isEarly) return connection.invalidateSession(false);
    const session = new GatewaySession(randomBytes(16).toString('hex'), bot, identify);
    this.sessions.set(session.id, session);
    connection.session = session;
    session.socket = connection;
    this.#sendReady(session);
  }

  #isRefused(shardId: number): boolean {
    return this.settings.refuseIdentifies || this.settings.refusedShard === shardId;
  }

  #takeBucket(bot: SimulatedBot, bucket: number): boolean {
    const key = `${bot.id}:${bucket}`;
    const now = Date.now();
    if (now < (this.#bucketFreeAt.get(key) ?? 0)) return false;
    this.#bucketFreeAt.set(key, now + this.settings.identifyWindowMs);
    return true;
  }

  #sendReady(session: GatewaySession): void {
    const { bot } = session;
    const guilds = this.#world.guildsOf(bot).filter((guild) => session.holds(guild.id));
    session.dispatch(GatewayDispatchEvents.Ready, {
      v: 10,
      user: { ...bot.user, bot: true },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.settings.resumeUrl ?? this.#world.url(),
      shard: [...session.shard],
      application: { id: bot.id, flags: bot.flags },
    } as GatewayReadyDispatchData);
    for (const guild of guilds) {
      if (guild.isUnavailable) continue;
      const data = guild.toCreate(bot, session.intents, session.largeThreshold);
      session.dispatch(GatewayDispatchEvents.GuildCreate, data);
    }
  }

  #resume(connection: GatewayConnection, data: unknown): void {
    const sessionId = isObject(data) ? String(data['session_id']) : '';
    const sequence = isObject(data) && typeof data['seq'] === 'number' ? data['seq'] : NaN;
    const token = isObject(data) ? String(data['token']) : '';
    const bot = this.#world.findBot(token);
    const session = this.sessions.get(sessionId);
    const isOwn = session?.bot === bot && !this.settings.refuseResumes;
    const missed = session && isOwn ? session.missedSince(sequence) : null;
    const isAhead = session && (!Number.isInteger(sequence) || sequence > session.sequence);
    const wrong = isAhead ? GatewayCloseCodes.InvalidSeq : null;
    const code = bot ? wrong : GatewayCloseCodes.AuthenticationFailed;
    const allowed = missed ? 'accepted' : 'invalid session';
    this.resumes.push({ sessionId, sequence, outcome: code === null ? allowed : `closed ${code}` });
    if (code !== null) return connection.close(code);
    if (!session || !missed) return connection.invalidateSession(false);
    // A connection that its client has given up without a close would get what belongs to this one.
    for (const old of this.live) if (old.session === session) old.drop();
    connection.session = session;
    session.socket = connection;
    for (const text of missed) connection.send(text);
    session.dispatchJson(GatewayDispatchEvents.Resumed, '{}');
  }

  /** A client that closes with 1000 or 1001, or whose session was ended, cannot resume. */
  #endClosedSessions(): void {
    for (const { closeCode, session } of this.connections) {
      if (closeCode !== null && session && !session.socket && SESSION_ENDS.has(closeCode)) {
        this.sessions.delete(session.id);
      }
    }
    this.#world.progress.notify();
  }
}

const SESSION_ENDS: ReadonlySet<number> = new Set([
  1000,
  1001,
  GatewayCloseCodes.AuthenticationFailed,
  GatewayCloseCodes.InvalidSeq,
  GatewayCloseCodes.SessionTimedOut,
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
]);
