/**
 * A simulated Discord at the network: a gateway (WebSocket) and the REST API on one port of the loopback. Clients are the real ones: only their API address differs.
 *
 * ```ts
 * const discord = await startSimulator({
 *   bots: [{ name: 'quartermaster', privilegedIntents: ['GuildMembers'] }],
 *   guilds: [
 *     { roles: [{ id: '901', name: 'Blue' }], members: [{ id: '1001', roles: ['901'] }] },
 *     { members: { count: 250_000, rolesOf: (index) => (index % 2 ? ['901'] : []) }, membersInCreate: 'discord' },
 *   ],
 * });
 * const client = new Client({ intents: [...], rest: { api: discord.apiUrl } });
 * await client.login(discord.bot().token);
 *
 * // What is true, and changes that also send dispatches:
 * const guild = discord.guild();                          // the first; discord.guild(id) for another
 * guild.holdersOf('901');                                 // what a right answer says
 * guild.addMember({ roles: ['901'] });  guild.updateMember('1001', { roles: [] });  guild.removeMember('1001');
 * guild.createRole({ name: 'Red' });  guild.deleteRole('901');
 * guild.startOutage();  guild.endOutage();  guild.removeBot(discord.bot());  discord.addGuild({ ... });
 * guild.members.set(...);                                 // changes it without a dispatch
 * discord.dispatch(guild, GatewayDispatchEvents.X, { ... }); // any dispatch, right or wrong
 *
 * // The gateway and its faults:
 * discord.gateway.shard(0).drop();                        // also close(4009), reconnect(), invalidateSession(true)
 * discord.gateway.shard(0).freeze();                      // half open
 * discord.gateway.closeNextIdentify(4014);  discord.gateway.refuseHandshakes(520, 3);
 * discord.gateway.settings.ignoreHeartbeats = true;
 * const chunks = await discord.gateway.memberRequests.holdNext(guild.id);  // before the request, awaited after it
 * chunks.send(1);  chunks.send(0, { nonce: 'foreign' });  chunks.release();
 * discord.gateway.memberRequests.silenceNext();  discord.gateway.memberRequests.rateLimitNext(0.05);
 * discord.gateway.identifies;  discord.gateway.resumes;  discord.gateway.memberRequests.received;
 *
 * // REST, its faults and limits:
 * discord.rest.callsTo('GET /guilds/:guild/members');     // and discord.rest.calls
 * discord.rest.faults.fail('GET /guilds/:guild', 503, { times: 2 });       // also rateLimit, garble, drop
 * const gate = discord.rest.faults.hold('GET /guilds/:guild/roles');
 * await gate.reached;  gate.release();
 * discord.rest.limits.set('GET /guilds/:guild/members', { count: 10, windowMs: 100 });
 *
 * // Webhooks, which are called with a token in the address:
 * const webhook = discord.addWebhook();                   // of the first guild; { guildId, channelType, threads }
 * webhook.url;  webhook.texts;  webhook.messages;  webhook.delete();
 * discord.rest.faults.loseAnswer('POST /webhooks/:application/:token');
 *
 * // What users do:
 * const asked = discord.interact.slash('settings key create', { name: 'shop' }, { guildId: guild.id, userId: '1001' });
 * const reply = await asked.reply();                      // once there is something to see, also after a defer
 * reply.text;  reply.isEphemeral;  reply.files[0]?.bytes;  asked.followUps;  asked.refusals;
 * const next = await asked.click('Rotate');               // by label or custom id; also select(...), submit({ ... })
 * discord.interact.autocomplete('permissions encode', { permission: 'man' }, 'permission').choices();
 * discord.interact.messageCommand('Split text', { content: '...' }, { guildId: null });
 * discord.interact.slash('base64', { image: { file: { name: 'a.png', bytes } } });
 * asked.duplicate();  asked.expire();
 *
 * await discord.until(() => discord.gateway.live.length === 2);            // waits for an event, never for time
 * await discord.close();
 * ```
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIUser, GatewayDispatchEvents } from 'discord-api-types/v10';
import { SimulatedBot } from './bot-model.ts';
import type { BotOptions } from './bot-model.ts';
import { Cdn } from './cdn.ts';
import type { DispatchData } from './dispatch.ts';
import { GatewayServer } from './gateway-server.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import { SimulatedGuild } from './guild-model.ts';
import type { GuildHost, GuildOptions } from './guild-model.ts';
import { Interactions } from './interactions.ts';
import { toUser } from './member-store.ts';
import { Progress } from './progress.ts';
import { RestServer } from './rest-server.ts';
import { applicationRoutes } from './routes/application-routes.ts';
import { commandRoutes } from './routes/command-routes.ts';
import { interactionRoutes } from './routes/interaction-routes.ts';
import { channelRoutes } from './routes/channel-routes.ts';
import { guildChangeRoutes } from './routes/guild-change-routes.ts';
import { guildRoutes } from './routes/guild-routes.ts';
import { SnowflakeSource } from './snowflakes.ts';
import { SimulatedWebhook } from './webhooks.ts';
import type { WebhookOptions } from './webhooks.ts';

export interface SimulatorOptions {
  /** One bot with the Server Members intent when left out. */
  readonly bots?: readonly BotOptions[];
  readonly guilds?: readonly GuildOptions[];
  readonly gateway?: Partial<GatewaySettings>;
  /**
   * Behaves like Spacebar, another server for Discord clients: GUILD_CREATE without `unavailable`, the id of the guild
   * among the roles of each member, no RESUME.
   */
  readonly spacebar?: boolean;
  /** 0, any free one, when left out. */
  readonly port?: number;
}

/** Starts a simulator on the loopback. It is ready when the promise resolves. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new Simulator(options);
  await simulator.listen(options.port ?? 0);
  return simulator;
}

export class Simulator {
  readonly bots: readonly SimulatedBot[];
  readonly gateway: GatewayServer;
  readonly rest: RestServer;
  readonly cdn: Cdn;
  /** Does what users do: commands, clicks, modals. */
  readonly interact: Interactions;
  readonly #progress = new Progress();
  readonly #ids = new SnowflakeSource(1_100_000_000_000_000_000n);
  readonly #guilds = new Map<string, SimulatedGuild>();
  readonly #webhooks = new Map<string, SimulatedWebhook>();
  readonly #guildHost: GuildHost;
  // Idle connections stay open: one that closed just as a client used it again would fail at random.
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const path = request.url ?? '/';
    if (path.startsWith('/attachments/')) return this.cdn.serve(path, response);
    // Anything but a refusal of Discord is a fault of the simulator. It must show, as an unhandled rejection.
    void this.rest.serve(request, response);
  });
  #origin = '';

  constructor(options: SimulatorOptions) {
    this.bots = (options.bots ?? [{}]).map((bot) => new SimulatedBot(bot.id ?? this.#ids.next(), bot));
    const isSpacebar = options.spacebar ?? false;
    const world = {
      progress: this.#progress,
      url: () => this.#origin.replace('http', 'ws'),
      findBot: (token: string) => this.bots.find((bot) => bot.token === token) ?? null,
      findGuild: (id: string) => this.#guilds.get(id) ?? null,
      findUser: (id: string) => this.findUser(id),
      guildsOf: (bot: SimulatedBot) => this.guilds.filter((guild) => guild.bots.has(bot)),
    };
    this.cdn = new Cdn(this.#ids, () => this.#origin);
    this.gateway = new GatewayServer(world, {
      refuseResumes: isSpacebar,
      ...options.gateway,
    });
    this.gateway.listenOn(this.#server);
    const { settings } = this.gateway;
    this.interact = new Interactions({
      cdn: this.cdn,
      ids: this.#ids,
      progress: this.#progress,
      gateway: this.gateway,
      bots: this.bots,
      listGuilds: () => this.guilds,
      findUser: world.findUser,
    });
    this.rest = new RestServer(world, {
      ...applicationRoutes({ ...world, settings }),
      ...channelRoutes(() => this.#guilds.values(), this.#ids),
      ...guildRoutes(world),
      ...guildChangeRoutes(world, this.#ids),
      ...commandRoutes(this.#ids),
      ...interactionRoutes(this.interact, this.#webhooks),
    });
    this.#guildHost = {
      ids: this.#ids,
      guildIds: new SnowflakeSource(1_000_000_000_000_000_000n),
      isSpacebar,
      announce: (guild, event, data, bot) => {
        this.gateway.dispatch(bot ? new Set([bot]) : guild.bots, guild.id, event, data);
      },
      sendGuildCreate: (guild, bot) => this.gateway.sendGuildCreate(guild, bot),
    };
    const botOptions = options.bots ?? [{}];
    for (const guild of options.guilds ?? []) {
      const members = this.bots.filter((_, index) => {
        const named = botOptions[index]?.guilds;
        return !named || (guild.id !== undefined && named.includes(guild.id));
      });
      this.#putGuild(guild, members);
    }
  }

  /** The API address for clients, without a version: discord.js' `rest.api`. */
  get apiUrl(): string {
    return `${this.#origin}/api`;
  }

  get guilds(): SimulatedGuild[] {
    return Array.from(this.#guilds.values());
  }

  /** By id or name; the first one when left out. */
  bot(idOrName?: string): SimulatedBot {
    const bot = this.bots.find(
      ({ id, name }) => idOrName === undefined || id === idOrName || name === idOrName,
    );
    if (!bot) throw new Error(`There is no bot ${idOrName ?? ''}.`);
    return bot;
  }

  /** By id; the first one when left out. */
  guild(id?: string): SimulatedGuild {
    const guild = id === undefined ? this.guilds[0] : this.#guilds.get(id);
    if (!guild) throw new Error(`There is no guild ${id ?? ''}.`);
    return guild;
  }

  findUser(id: string): APIUser | null {
    const bot = this.bots.find((each) => each.id === id);
    if (bot) return bot.user;
    for (const guild of this.#guilds.values()) {
      const member = guild.members.get(id);
      if (member) return toUser(member);
    }
    return null;
  }

  /** Makes a guild while clients are connected; its bots (all when left out) get GUILD_CREATE. */
  addGuild(options: GuildOptions = {}, bots: readonly SimulatedBot[] = this.bots): SimulatedGuild {
    const guild = this.#putGuild(options, bots);
    if (!guild.isUnavailable) this.gateway.sendGuildCreate(guild);
    return guild;
  }

  /** Makes a webhook; of the first guild when left out. */
  addWebhook(options: Partial<WebhookOptions> = {}): SimulatedWebhook {
    const world = { ids: this.#ids, cdn: this.cdn, progress: this.#progress, apiUrl: `${this.apiUrl}/v10` };
    const guildId = options.guildId === undefined ? this.guild().id : options.guildId;
    const webhook = new SimulatedWebhook({ ...options, guildId }, world);
    this.#webhooks.set(webhook.id, webhook);
    return webhook;
  }

  /** Sends any dispatch to the sessions that hold the guild; with null, to the first shard of each bot. */
  dispatch<Event extends GatewayDispatchEvents>(
    guild: SimulatedGuild | null,
    event: Event,
    data: DispatchData<Event>,
  ): void {
    this.gateway.dispatch(guild?.bots ?? new Set(this.bots), guild?.id ?? null, event, data);
  }

  /** An id that is not taken. */
  nextId(): string {
    return this.#ids.next();
  }

  /** Resolves when the condition holds. It is looked at again after everything that happens in the simulator. */
  until(isDone: () => boolean): Promise<void> {
    return this.#progress.until(isDone);
  }

  async listen(port: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(port, '127.0.0.1', resolve);
    await promise;
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections. */
  async close(): Promise<void> {
    this.#progress.close();
    this.gateway.close();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #putGuild(options: GuildOptions, bots: readonly SimulatedBot[]): SimulatedGuild {
    const guild = new SimulatedGuild(options, bots, this.#guildHost);
    this.#guilds.set(guild.id, guild);
    return guild;
  }
}
