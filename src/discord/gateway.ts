import type { REST } from '@discordjs/rest';
import { GatewayDispatchEvents, Routes, type GatewayDispatchPayload } from 'discord-api-types/v10';

import type { GuildKeys } from '../guild-keys/guild-keys.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayMembers } from '../members/gateway/gateway-members.ts';
import type { GatewayMembersOptions } from '../members/gateway/gateway-members-options.ts';
import type { RoleCounts } from '../members/gateway/self-check.ts';
import { createBotRest, createInteractionRest } from './connection/bot-rest.ts';
import { CommandBook } from './commands/registration/command-book.ts';
import { COMMANDS, COMPONENT_ACTIONS } from './commands/index.ts';
import { GuildList, type GuildPresenceListener } from './connection/guild-list.ts';
import {
  buildSharedThrottler,
  shareThrottler,
  type BuildIdentifyThrottler,
  type TakeIdentifyTurn,
} from './connection/identify-throttler.ts';
import { Interactions, type InteractionsOptions } from './interactions/interactions.ts';
import { inviteLink } from './connection/invite-link.ts';
import { KeptConnection } from './connection/kept-connection.ts';
import type { Services } from './commands/services.ts';

/** What the member lists need of the gateway. */
type GatewayLink = Pick<GatewayMembersOptions, 'requestMembers'> & {
  readonly fetchRoleCounts: NonNullable<GatewayMembersOptions['fetchRoleCounts']>;
};

export interface GatewayOptions {
  readonly token: string;
  /** Address of Discord without the version. */
  readonly apiUrl: string;
  readonly shards: readonly number[] | 'auto';
  readonly shardCount: number | 'auto';
  readonly log: Log;
  /** Makes the member lists, which are fed with every dispatch. The gateway closes them. */
  readonly createMembers: (link: GatewayLink) => GatewayMembers;
  /** Whom to tell that the bot has joined or left a guild. */
  readonly presence: GuildPresenceListener;
  readonly keys: GuildKeys;
  readonly services: Omit<Services, 'keys' | 'members' | 'inviteUrl' | 'mention' | 'isInGuild'>;
  readonly admit: InteractionsOptions['admit'];
  readonly onInteraction?: NonNullable<InteractionsOptions['onAnswered']>;
  /** Asked before each identify, beside the pace of this process. Default: this process is alone. */
  readonly takeIdentifyTurn?: TakeIdentifyTurn;
  /** In place of that pace and turns, for tests. */
  readonly buildIdentifyThrottler?: BuildIdentifyThrottler;
  /** Called for each answer of Discord to the bot itself that counts towards a ban of the address. */
  readonly onInvalidAnswer?: () => void;
  /** See InteractionsOptions. */
  readonly deferAfterMs?: number;
  /** Longest wait of the start for the first shard; after that connecting goes on by itself. Default 10 s. */
  readonly startMs?: number;
  /** Waits between attempts when Discord is away: the first, doubled up to the longest. Default 5 s and 5 min. */
  readonly retryMs?: number;
  readonly retryMaxMs?: number;
}

export interface GatewayState {
  /** All shards of this process are connected. */
  readonly connected: boolean;
  /** Connected ones, and all of this process once Discord has told how many. */
  readonly shardsReady: number;
  readonly shards: number | null;
  /** Guilds on the shards of this process, those with an outage included. */
  readonly guilds: number;
  /** False when the Server Members intent is off in the developer portal, so that there are no member lists. */
  readonly membersIntent: boolean;
  /** What is wrong, in one sentence; null when nothing is. */
  readonly reason: string | null;
}

export interface Gateway {
  state(): GatewayState;
  /** Who is in the guilds of this process. */
  readonly members: GatewayMembers;
  /** Interactions under way end first, then the sessions. Takes at most `timeoutMs` and 5 s. */
  close(timeoutMs: number): Promise<void>;
}

/**
 * Connects to Discord, registers the commands and answers interactions.
 *
 * Resolves when the first shard is in, when Discord cannot be reached (connecting then goes on in the background:
 * whatever needs no Discord works), or after `startMs`.
 * @throws GatewayEnd with one clear sentence when the settings are wrong: the token, the shards
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = new DiscordGateway(options);
  await gateway.open();
  return gateway;
}

class DiscordGateway implements Gateway {
  readonly members: GatewayMembers;
  readonly #rest: REST;
  readonly #options: GatewayOptions;
  readonly #guilds: GuildList;
  readonly #commandBook: CommandBook;
  readonly #connection: KeptConnection;
  readonly #interactions: Interactions;
  readonly #stop = new AbortController();
  #applicationId: string | null = null;
  #registering: Promise<void> = Promise.resolve();

  constructor(options: GatewayOptions) {
    const { log, keys, services, admit, buildIdentifyThrottler, takeIdentifyTurn = async () => {} } = options;
    this.#options = options;
    this.#rest = createBotRest(options);
    this.members = options.createMembers({
      requestMembers: (shardId, payload) => this.#connection.send(shardId, payload),
      fetchRoleCounts: async (guildId, signal) =>
        (await this.#rest.get(`${Routes.guildRoles(guildId)}/member-counts`, { signal })) as RoleCounts,
    });
    this.#commandBook = new CommandBook({
      rest: this.#rest,
      log,
      commands: COMMANDS.map(({ data }) => data),
      retryMs: options.retryMs ?? 5_000,
      retryMaxMs: options.retryMaxMs ?? 300_000,
    });
    this.#connection = new KeptConnection({
      token: options.token,
      apiUrl: options.apiUrl,
      shards: options.shards,
      shardCount: options.shardCount,
      log,
      startMs: options.startMs,
      retryMs: options.retryMs,
      retryMaxMs: options.retryMaxMs,
      // One for all connections: Discord counts the identifies of a bot.
      buildIdentifyThrottler: shareThrottler(
        buildIdentifyThrottler ?? buildSharedThrottler(takeIdentifyTurn),
      ),
      onDispatch: (shardId, packet) => this.#dispatch(shardId, packet),
      onShardDown: (shardId) => {
        log.info({ shard: shardId }, 'a shard lost its connection');
        this.members.shardDisconnected(shardId);
      },
      onMembersIntentOff: () => this.members.setMembersIntent(false),
      onDebug: (message) => log.debug(message),
    });
    this.#guilds = new GuildList(options.presence);
    this.#interactions = new Interactions({
      rest: createInteractionRest(options),
      log,
      admit,
      ...(options.onInteraction === undefined ? {} : { onAnswered: options.onInteraction }),
      ...(options.deferAfterMs === undefined ? {} : { deferAfterMs: options.deferAfterMs }),
      commands: COMMANDS,
      components: COMPONENT_ACTIONS,
      services: {
        ...services,
        keys,
        members: this.members,
        inviteUrl: () => (this.#applicationId === null ? '' : inviteLink(this.#applicationId)),
        mention: (path) => this.#commandBook.mention(path),
        isInGuild: (guildId) => this.#guilds.has(guildId),
      },
    });
  }

  open(): Promise<void> {
    return this.#connection.open();
  }

  state(): GatewayState {
    return { ...this.#connection.state(), guilds: this.#guilds.size };
  }

  async close(timeoutMs: number): Promise<void> {
    await this.#interactions.close(timeoutMs);
    this.#stop.abort();
    this.members.close();
    await Promise.all([this.#connection.close(), this.#registering]);
  }

  #dispatch(shardId: number, packet: GatewayDispatchPayload): void {
    const { log } = this.#options;
    try {
      if (packet.t === GatewayDispatchEvents.InteractionCreate) {
        this.#interactions.handle(packet.d);
        return;
      }
      if (packet.t === GatewayDispatchEvents.Ready) this.#shardReady(shardId, packet.d.application.id);
      this.#guilds.handleDispatch(shardId, packet);
      this.members.handleDispatch(shardId, packet);
    } catch (error) {
      log.error({ err: error, shard: shardId, dispatch: packet.t }, 'a dispatch could not be handled');
    }
  }

  #shardReady(shardId: number, applicationId: string): void {
    const { log } = this.#options;
    log.info({ shard: shardId }, 'a shard is connected');
    if (this.#applicationId === null) {
      this.#applicationId = applicationId;
      log.info(
        { invite: inviteLink(applicationId) },
        'connected to Discord; the link adds the bot to a server',
      );
      this.#registering = this.#commandBook.register(applicationId, this.#stop.signal);
    }
  }
}
