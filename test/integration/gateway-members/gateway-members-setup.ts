import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayRequestGuildMembers,
} from 'discord-api-types/v10';
import { Client, Events, GatewayIntentBits, Options } from 'discord.js';

import { createLog } from '../../../src/telemetry/log.ts';
import type { GatewayMembersOptions } from '../../../src/members/gateway/gateway-members-options.ts';
import { createGatewayMembers, type GatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import type { RoleCounts } from '../../../src/members/gateway/self-check.ts';
import type { RoleListing } from '../../../src/members/member-directory.ts';
import { askMembers, type MembersQuestion } from '../../../src/members/role-question.ts';
import type { Problem } from '../../../src/problem.ts';
import { HandTimers } from '../../unit/gateway/member-hand-timers.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface FeedOptions extends Partial<
  Omit<GatewayMembersOptions, 'requestMembers' | 'log' | 'timers'>
> {
  /** Whether the client asks for the Server Members intent; default true. */
  readonly membersIntent?: boolean;
  /** Whether the lists are compared with the REST API; default false. */
  readonly selfCheck?: boolean;
  /**
   * Hands requests to the simulator without the socket: discord.js lets through some 115 sends a minute, of a clock
   * that a test cannot turn. Default false.
   */
  readonly requestsPastSocket?: boolean;
}

/** A simulator, a real discord.js client on it, and the member lists fed with its raw dispatches. */
export class Feed {
  readonly discord: Simulator;
  readonly members: GatewayMembers;
  readonly timers = new HandTimers();
  readonly lines: LogLine[] = [];
  readonly client: Client;
  /** What the client was asked to send, in order. */
  readonly sent: GatewayRequestGuildMembers['d'][] = [];
  readonly #waiting = new Set<() => void>();
  readonly #intent: boolean;
  #markers = 0;
  #lastMarker = '';

  constructor(
    discord: Simulator,
    { membersIntent = true, selfCheck = false, requestsPastSocket = false, ...options }: FeedOptions,
  ) {
    this.discord = discord;
    this.#intent = membersIntent;
    const none = { maxSize: 0 };
    this.client = new Client({
      intents: membersIntent
        ? [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers]
        : [GatewayIntentBits.Guilds],
      makeCache: Options.cacheWithLimits({ GuildMemberManager: none, UserManager: none }),
      rest: { api: discord.apiUrl, retries: 0 },
      ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
    });
    this.members = createGatewayMembers({
      ...options,
      fetchRoleCounts: selfCheck ? (guildId, signal) => this.#fetchRoleCounts(guildId, signal) : null,
      timers: this.timers,
      log: createLog('debug', {
        destination: { write: (line) => void this.lines.push(JSON.parse(line) as LogLine) },
      }),
      requestMembers: (shardId, payload) => {
        const shard = this.client.ws.shards.get(shardId);
        if (shard === undefined) throw new Error('The shard is not connected.');
        this.sent.push(payload.d);
        const { session } = discord.gateway.shard(shardId);
        if (requestsPastSocket && session) discord.gateway.memberRequests.receive(session, payload.d);
        else shard.send(payload);
      },
    });
    this.client.on(Events.Raw, (packet: GatewayDispatchPayload, shardId: number) => {
      this.members.handleDispatch(shardId, packet);
      if (packet.t === GatewayDispatchEvents.InviteDelete) this.#lastMarker = packet.d.code;
      this.#notify();
    });
    this.client.on(Events.ShardReconnecting, (shardId) => {
      this.members.shardDisconnected(shardId);
      this.#notify();
    });
    this.client.on(Events.ShardDisconnect, () => this.#notify());
    this.client.on(Events.Error, () => this.#notify());
  }

  async login(): Promise<this> {
    if (!this.#intent) this.members.setMembersIntent(false);
    await this.client.login(this.discord.bot().token);
    return this;
  }

  /** Resolves once the condition holds. It is looked at again after every dispatch. */
  until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isDone()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Resolves when the list of a guild is whole; of the first one when left out. */
  whole(guildId = this.discord.guild().id): Promise<void> {
    return this.until(() => this.members.isComplete(guildId));
  }

  /** Resolves when everything that the simulator has sent so far has been taken. */
  async caughtUp(guildId = this.discord.guild().id): Promise<void> {
    this.#markers += 1;
    const code = `marker${this.#markers}`;
    this.discord.dispatch(this.discord.guild(guildId), GatewayDispatchEvents.InviteDelete, {
      channel_id: '1',
      guild_id: '1',
      code,
    });
    await this.until(() => this.#lastMarker === code);
  }

  /** Resolves when so many requests for members have been sent in all. */
  requests(count: number): Promise<void> {
    return this.discord.until(() => this.discord.gateway.memberRequests.received.length >= count);
  }

  find(roleId: string, question: Partial<MembersQuestion> = {}): Promise<RoleListing> {
    return this.members.find(
      askMembers({ guildId: this.discord.guild().id, all: [roleId], ...question }),
      new AbortController().signal,
    );
  }

  async idsOf(roleId: string, guildId = this.discord.guild().id): Promise<unknown> {
    return (await this.find(roleId, { guildId })).members.toJSON();
  }

  /** The problem instead of a list. */
  async problemOf(roleId = this.discord.guild().id, guildId = this.discord.guild().id): Promise<Problem> {
    return this.find(roleId, { guildId }).then(
      () => Promise.reject(new Error('There was a list.')),
      (problem: Problem) => problem,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.members.close();
    await this.client.destroy();
    await this.discord.close();
  }

  async #fetchRoleCounts(guildId: string, signal: AbortSignal): Promise<RoleCounts> {
    return (await this.client.rest.get(`/guilds/${guildId}/roles/member-counts`, { signal })) as RoleCounts;
  }

  #notify(): void {
    for (const look of this.#waiting) look();
  }
}

/** Starts the simulator and logs the client in. */
export async function startFeed(simulator: SimulatorOptions, options: FeedOptions = {}): Promise<Feed> {
  return new Feed(await startSimulator(simulator), options).login();
}

export const BLUE = '901000000000000000';
export const RED = '902000000000000000';

/** A guild of generated members: all hold BLUE but each third, who holds RED. */
export function crowd(count: number) {
  return {
    roles: [
      { id: BLUE, name: 'Blue' },
      { id: RED, name: 'Red' },
    ],
    members: { count, rolesOf: (index: number) => (index % 3 === 0 ? [RED] : [BLUE]) },
  };
}
