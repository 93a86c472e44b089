import { GatewayDispatchEvents, Routes, type GatewayRequestGuildMembers } from 'discord-api-types/v10';

import { ShardManager } from '../../../src/discord/connection/shard-manager.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { ProcessPauseDetector } from '../../../src/members/gateway/process-pause-detector.ts';
import type { GatewayMembersOptions } from '../../../src/members/gateway/gateway-members-options.ts';
import { GatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import { parseRoleCounts, type RoleCounts } from '../../../src/members/discord-answers.ts';
import { ShardStates } from '../../../src/members/gateway/shard-states.ts';
import {
  membersQuestion,
  membersQuery,
  type MembersQuestion,
  type RoleMembersResult,
} from '../../../src/members/members-query.ts';
import type { Problem } from '../../../src/kernel/problem.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { makeRest } from '../../simulator/test-client.ts';
import { anyCaller } from '../../fixtures/any-caller.ts';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface FeedOptions extends Partial<
  Omit<GatewayMembersOptions, 'requestMembers' | 'log' | 'timers' | 'shardStates'>
> {
  /** True to compare the lists with the REST API; default false. */
  readonly selfCheck?: boolean;
}

/** A simulator, our connection to it, and the member lists that it feeds. The lists' clock is turned by hand. */
export class Feed {
  readonly discord: Simulator;
  readonly members: GatewayMembers;
  readonly timers = new ManualTimers();
  /** Its clock is the lists', which no heartbeat follows, so silence means nothing. */
  readonly shardStates = new ShardStates({
    processPauses: new ProcessPauseDetector({ thresholdMs: Infinity }),
    timers: this.timers,
    silenceMarginMs: Infinity,
  });
  readonly lines: LogLine[] = [];
  readonly connection: ShardManager;
  /** Requests that the connection was asked to send, in order. */
  readonly sent: GatewayRequestGuildMembers['d'][] = [];
  readonly #rest;
  readonly #waiting = new Set<() => void>();
  #markers = 0;
  #lastMarker = '';

  constructor(discord: Simulator, { selfCheck = false, ...options }: FeedOptions) {
    this.discord = discord;
    const log = createLog('debug', {
      destination: { write: (line) => void this.lines.push(JSON.parse(line) as LogLine) },
    });
    this.#rest = makeRest(discord);
    this.members = new GatewayMembers({
      ...options,
      fetchRoleCounts: selfCheck ? (guildId, signal) => this.#fetchRoleCounts(guildId, signal) : null,
      timers: this.timers,
      shardStates: this.shardStates,
      log,
      requestMembers: (shardId, payload) => {
        this.sent.push(payload.d);
        this.connection.send(shardId, payload);
      },
    });
    this.connection = new ShardManager({
      token: discord.bot().token,
      userAgent: 'test',
      shards: 'auto',
      shardCount: 'auto',
      log,
      shardStates: this.shardStates,
      processPauses: new ProcessPauseDetector({ thresholdMs: Infinity }),
      fetchGateway: (signal) => this.#rest.get(Routes.gatewayBot(), { signal }),
      retryMs: 5,
      retryMaxMs: 20,
      refusedMs: 20,
      refusedMaxMs: 20,
      identifyWindowMs: 0,
      onDispatch: (shardId, packet) => {
        this.members.handleDispatch(shardId, packet);
        if (packet.t === GatewayDispatchEvents.InviteDelete) this.#lastMarker = packet.d.code;
        this.#notify();
      },
      onShardDown: () => this.#notify(),
      onMembersIntentOff: () => this.members.setMembersIntent(false),
      onRefused: () => this.members.drop(),
    });
  }

  async login(): Promise<this> {
    await this.connection.open();
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

  /** Resolves when the list of a guild is complete; of the first one when left out. */
  untilComplete(guildId = this.discord.guild().id): Promise<void> {
    return this.until(() => this.members.completeIndex(guildId) !== null);
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

  /** Resolves when this many requests for members have been sent in all. */
  requests(count: number): Promise<void> {
    return this.discord.until(() => this.discord.gateway.memberRequests.received.length >= count);
  }

  find(roleId: string, question: Partial<MembersQuestion> = {}): Promise<RoleMembersResult> {
    return this.members.ask(
      membersQuery,
      membersQuestion({ guildId: this.discord.guild().id, all: [roleId], ...question }),
      anyCaller,
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
    await this.connection.close();
    await this.discord.close();
  }

  async #fetchRoleCounts(guildId: string, signal: AbortSignal): Promise<RoleCounts> {
    return parseRoleCounts(await this.#rest.get(`/guilds/${guildId}/roles/member-counts`, { signal }));
  }

  #notify(): void {
    for (const look of this.#waiting) look();
  }
}

/** Starts the simulator and connects to it. */
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
