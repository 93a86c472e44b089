import {
  Events,
  GatewayDispatchEvents,
  Routes,
  type Client,
  type ClientApplication,
  type GatewayDispatchPayload,
} from 'discord.js';

import { BoundedMap } from '../kernel/bounded-map.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayMembers } from '../members/gateway/gateway-members.ts';
import type { GatewayMembersOptions } from '../members/gateway/gateway-members-options.ts';
import { parseRoleCounts } from '../members/discord-answers.ts';
import type { OperationServices, Operation } from '../operations/operation.ts';
import type { Limits } from '../rate-limit/limiter.ts';
import { createClient, inviteLink, type ClientSettings } from './client/create-client.ts';
import { CommandRegistry } from './commands/command-registry.ts';
import { COMMANDS, COMPONENT_ACTIONS } from './commands/index.ts';
import { isThread } from './commands/permitted.ts';
import { GuildList, type GuildMembershipListener } from './connection/guild-list.ts';
import {
  Interactions,
  type InteractionLimits,
  type InteractionsOptions,
} from './interactions/interactions.ts';
import { OwnShardingStrategy } from './client/own-sharding-strategy.ts';
import { ShardManager, type ConnectionSettings, type ConnectionState } from './connection/shard-manager.ts';
import type { KeyServices } from './commands/command.ts';

/** Lines that `/parse` has shown and whose button still works, at most 4,000 characters each. */
const PARSED_LINES_MAX = 200;
/** As long as an interaction's token is valid. */
const PARSED_LINES_MS = 15 * 60_000;

/** discord.js emits an interaction in the iteration of the event loop in which it came, or never. */
const FROM_THREADS_MAX = 100;

/** The two requests that the member lists make to Discord. */
type DiscordRequests = Pick<GatewayMembersOptions, 'requestMembers' | 'fetchRoleCounts'>;

/** Servers' keys, and the limits of users. */
export interface GatewayKeyServices extends KeyServices {
  readonly admission: {
    /** Takes one command of a user. @throws Problem `rate_limited` */
    readonly admitCommand: InteractionsOptions['admit'];
  };
}

export interface GatewayOptions {
  readonly log: Log;
  /** Discord's URL without the version. */
  readonly apiUrl: string;
  readonly connection: ConnectionSettings;
  readonly interactions?: InteractionLimits & Pick<ClientSettings, 'firstAnswerMs'>;
  /** Makes the member lists, which get every dispatch but interactions. The gateway closes them. */
  readonly createMembers: (requests: DiscordRequests) => GatewayMembers;
  readonly operations: readonly Operation[];
  readonly keyServices: GatewayKeyServices;
  /** Called when the bot has joined or left a guild. */
  readonly guildMembership: GuildMembershipListener;
  readonly operationServices: OperationServices;
  readonly limits: Limits;
  /** The URL of the HTTP API, without a slash at the end. */
  readonly publicUrl: () => string;
  readonly onInteraction?: NonNullable<InteractionsOptions['onAnswered']>;
  /** Called when Discord has refused the bot for good, so that other processes may take its shards. */
  readonly onRefused?: () => void;
  /** Called for each answer to the bot itself that Discord counts towards a ban of the IP address. */
  readonly onInvalidRequest?: () => void;
}

export interface GatewayState extends ConnectionState {
  /** Guilds on the shards of this process, including those with an outage. */
  readonly guilds: number;
}

const COMMAND_DATA = COMMANDS.map(({ data }) => data);

/** Connects to Discord, registers the commands and answers interactions. */
export class Gateway {
  /** The member lists of the guilds of this process. */
  readonly members: GatewayMembers;
  /** The client of discord.js, which never gets a guild, channel or member. */
  readonly client: Client;
  readonly #options: GatewayOptions;
  readonly #guilds: GuildList;
  readonly #commandRegistry: CommandRegistry;
  readonly #connection: ShardManager;
  readonly #interactions: Interactions;
  readonly #stop = new AbortController();
  #strategy: OwnShardingStrategy | null = null;
  /** Interactions that came from a thread, by id, because the objects of discord.js do not say so. */
  readonly #fromThreads = new BoundedMap<true>({ entriesMax: FROM_THREADS_MAX });

  constructor(options: GatewayOptions) {
    const { log, apiUrl, onInvalidRequest, connection } = options;
    this.#options = options;
    this.client = createClient({
      log,
      apiUrl,
      onInvalidRequest,
      firstAnswerMs: options.interactions?.firstAnswerMs,
      buildStrategy: (manager) => (this.#strategy = new OwnShardingStrategy(manager, this.#connection)),
    });
    const { rest } = this.client;
    this.client.on(Events.ClientReady, ({ application }) => this.#ready(application));
    this.client.on(Events.InteractionCreate, (interaction) => {
      const inThread = this.#fromThreads.has(interaction.id);
      this.#fromThreads.delete(interaction.id);
      this.#interactions.handle(interaction, inThread);
    });
    this.members = options.createMembers({
      requestMembers: (shardId, payload) => this.#connection.send(shardId, payload),
      fetchRoleCounts: async (guildId, signal) =>
        parseRoleCounts(await rest.get(`${Routes.guildRoles(guildId)}/member-counts`, { signal })),
    });
    this.#commandRegistry = new CommandRegistry({
      log,
      commands: COMMAND_DATA,
      retryMs: connection.gatewayRetryMs ?? 5_000,
      retryMaxMs: connection.gatewayRetryMaxMs ?? 300_000,
    });
    this.#connection = new ShardManager({
      ...connection,
      log,
      fetchGateway: (signal) => rest.get(Routes.gatewayBot(), { signal }),
      onDispatch: (shardId, packet) => this.#dispatch(shardId, packet),
      onShardDown: (shardId) => log.info({ shard: shardId }, 'a shard lost its connection'),
      onMembersIntentOff: () => this.members.setMembersIntent(false),
      onRefused: () => this.#endForGood(),
    });
    this.#guilds = new GuildList(options.guildMembership);
    this.#interactions = this.#createInteractions();
  }

  #createInteractions(): Interactions {
    const { keyServices, operationServices, limits, operations, publicUrl, ...options } = this.#options;
    return new Interactions({
      ...options.interactions,
      log: options.log,
      admit: keyServices.admission.admitCommand,
      onAnswered: options.onInteraction,
      commands: COMMANDS,
      components: COMPONENT_ACTIONS,
      services: {
        keys: keyServices.keys,
        usage: keyServices.usage,
        ...operationServices,
        ...limits,
        operations,
        publicUrl,
        commands: COMMAND_DATA,
        parsedLines: new BoundedMap({ entriesMax: PARSED_LINES_MAX, ttlMs: PARSED_LINES_MS }),
        inviteUrl: () => this.inviteUrl() ?? '',
        mention: (path) => this.#commandRegistry.mention(path),
        isInGuild: (guildId) => this.#guilds.has(guildId),
      },
    });
  }

  /**
   * Starts to connect. Resolves when the first shard is ready, when Discord cannot be reached (connecting then
   * continues in the background, and features without Discord work), or after `startMs`.
   * @throws GatewayEnd with one clear sentence when the token or the shards are wrong
   */
  async open(): Promise<void> {
    await this.client.login(this.#options.connection.token);
  }

  state(): GatewayState {
    return { ...this.#connection.state(), guilds: this.#guilds.size };
  }

  /** The link that adds the bot to a server; null before the first shard is ready. */
  inviteUrl(): string | null {
    const { application } = this.client;
    return application === null ? null : inviteLink(application.id);
  }

  /** Ends running interactions first, then the sessions. Takes at most `timeoutMs` plus 5 s. */
  async close(timeoutMs: number): Promise<void> {
    await this.#interactions.close(timeoutMs);
    this.#stop.abort();
    this.members.close();
    await Promise.all([this.client.destroy(), this.#connection.close()]);
  }

  /** Updates guilds and members first. discord.js gets only the first READY and interactions. */
  #dispatch(shardId: number, packet: GatewayDispatchPayload): void {
    const { log } = this.#options;
    try {
      if (packet.t === GatewayDispatchEvents.InteractionCreate) {
        if (isThread(packet.d.channel?.type)) this.#fromThreads.set(packet.d.id, true);
        this.#strategy?.interaction(packet);
        return;
      }
      this.#guilds.handleDispatch(shardId, packet);
      this.members.handleDispatch(shardId, packet);
      if (packet.t === GatewayDispatchEvents.Ready) {
        log.info({ shard: shardId }, 'a shard is connected');
        this.#strategy?.ready(packet);
      }
    } catch (error) {
      log.error({ err: error, shard: shardId, dispatch: packet.t }, 'a dispatch could not be handled');
    }
  }

  /** Discord would refuse every further connection. */
  #endForGood(): void {
    this.members.drop();
    void this.client.destroy();
    this.#options.onRefused?.();
  }

  #ready(application: ClientApplication): void {
    const invite = inviteLink(application.id);
    this.#options.log.info({ invite }, 'connected to Discord; the link adds the bot to a server');
    void this.#commandRegistry.register(application, this.#stop.signal);
  }
}
