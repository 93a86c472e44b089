import { GatewayDispatchEvents, GuildMFALevel, PermissionFlagsBits } from 'discord-api-types/v10';
import type {
  APIGuild,
  APIGuildMember,
  APIOverwrite,
  APIRole,
  ChannelType,
  GatewayGuildCreateDispatchData,
} from 'discord-api-types/v10';
import type { SimulatedBot } from './bot-model.ts';
import type { DispatchData } from './dispatch.ts';
import { DEFAULT_PERMISSIONS, makeGuild, makeRole, makeTextChannel } from './guild-payloads.ts';
import { MemberStore, toMember, toUser } from './member-store.ts';
import type { GeneratedMembers, MemberRecord } from './member-store.ts';
import { pickMembers } from './members-in-create.ts';
import type { MembersInCreate } from './members-in-create.ts';
import type { SnowflakeSource } from './snowflakes.ts';

/** A member as a test names it; what is left out is made up. */
export interface MemberSeed {
  readonly id?: string;
  readonly username?: string;
  readonly roles?: readonly string[];
  readonly nick?: string | null;
  readonly bot?: boolean;
  /** Until when the member is timed out, in ISO 8601. */
  readonly timedOutUntil?: string | null;
}

/** A channel that bots can read by its id. */
export interface ChannelSeed {
  readonly id: string;
  /** Text when left out. */
  readonly type?: ChannelType;
  readonly parentId?: string;
  readonly overwrites?: readonly APIOverwrite[];
  /** Only for a thread. */
  readonly isLocked?: boolean;
  /** Only for a private thread. */
  readonly members?: readonly string[];
  /** No bot may see it. */
  readonly isHidden?: boolean;
}

export type RoleSeed = Partial<APIRole>;

export interface GuildOptions {
  readonly id?: string;
  readonly name?: string;
  /** A member; the one with the lowest id when left out. The owner may do everything and is always a member. */
  readonly ownerId?: string;
  /** Besides @everyone, which has the id of the guild and can be named here to set its permissions. */
  readonly roles?: readonly RoleSeed[];
  /** A list, or a range of generated ones. The bots that are in the guild are members too and come on top. */
  readonly members?: readonly MemberSeed[] | GeneratedMembers;
  readonly membersInCreate?: MembersInCreate;
  readonly channels?: readonly ChannelSeed[];
  /** Moderators need two-factor authentication. */
  readonly requiresTwoFactor?: boolean;
  /** In an outage from the start: listed in READY and not sent until `endOutage`. */
  readonly unavailable?: boolean;
}

/** The parts of the simulator that a guild needs. */
export interface GuildHost {
  readonly ids: SnowflakeSource;
  /** Ids of their own, so that guilds made one after the other are on different shards. */
  readonly guildIds: SnowflakeSource;
  readonly isSpacebar: boolean;
  announce<Event extends GatewayDispatchEvents>(
    guild: SimulatedGuild,
    event: Event,
    data: DispatchData<Event>,
    /** Only for this bot; for all bots of the guild when left out. */
    bot?: SimulatedBot,
  ): void;
  sendGuildCreate(guild: SimulatedGuild, bot?: SimulatedBot): void;
}

/** A guild. Methods change it and send dispatches; `members` changes it without any. */
export class SimulatedGuild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly channelId: string;
  readonly roles = new Map<string, APIRole>();
  readonly channels = new Map<string, ChannelSeed>();
  readonly members: MemberStore;
  readonly bots = new Set<SimulatedBot>();
  membersInCreate: MembersInCreate;
  readonly #requiresTwoFactor: boolean;
  #unavailable: boolean;
  readonly #host: GuildHost;

  constructor(options: GuildOptions, bots: readonly SimulatedBot[], host: GuildHost) {
    const { ids, guildIds } = host;
    this.#host = host;
    this.id = options.id ?? guildIds.next();
    this.name = options.name ?? `Guild ${this.id}`;
    this.channelId = ids.next();
    this.membersInCreate = options.membersInCreate ?? 'discord';
    this.#requiresTwoFactor = options.requiresTwoFactor ?? false;
    this.#unavailable = options.unavailable ?? false;
    this.#putRole({ id: this.id, name: '@everyone', position: 0, permissions: DEFAULT_PERMISSIONS });
    for (const role of options.roles ?? []) this.#putRole(role);
    for (const channel of options.channels ?? []) this.channels.set(channel.id, channel);
    const { members = [] } = options;
    this.members = new MemberStore('count' in members ? members : { count: 0 });
    if (!('count' in members)) for (const member of members) this.members.set(this.#toRecord(member));
    this.ownerId = options.ownerId ?? this.members.page('0', 1)[0]?.id ?? ids.next();
    if (!this.members.get(this.ownerId))
      this.members.set(this.#toRecord({ id: this.ownerId, username: 'owner' }));
    for (const bot of bots) this.#enter(bot);
  }

  get memberCount(): number {
    return this.members.size;
  }

  get isUnavailable(): boolean {
    return this.#unavailable;
  }

  addMember(seed: MemberSeed = {}): MemberRecord {
    const record = this.#toRecord(seed);
    this.members.set(record);
    const data = { ...this.toMember(record), guild_id: this.id };
    this.#host.announce(this, GatewayDispatchEvents.GuildMemberAdd, data);
    return record;
  }

  /** Changes what is named and leaves the rest. */
  updateMember(id: string, change: Omit<MemberSeed, 'id'>): MemberRecord {
    const record = { ...this.#requireMember(id), ...change };
    this.members.set(record);
    const member = this.toMember(record);
    this.#host.announce(this, GatewayDispatchEvents.GuildMemberUpdate, {
      ...member,
      user: toUser(record),
      avatar: null,
      banner: null,
      guild_id: this.id,
    });
    return record;
  }

  removeMember(id: string): void {
    const record = this.#requireMember(id);
    this.members.delete(id);
    const data = { guild_id: this.id, user: toUser(record) };
    this.#host.announce(this, GatewayDispatchEvents.GuildMemberRemove, data);
  }

  createRole(seed: RoleSeed = {}): APIRole {
    const role = this.#putRole(seed);
    this.#host.announce(this, GatewayDispatchEvents.GuildRoleCreate, { guild_id: this.id, role });
    return role;
  }

  updateRole(id: string, change: Omit<RoleSeed, 'id'>): APIRole {
    const role = { ...this.#requireRole(id), ...change };
    this.roles.set(id, role);
    this.#host.announce(this, GatewayDispatchEvents.GuildRoleUpdate, { guild_id: this.id, role });
    return role;
  }

  /** As on Discord the members lose the role without a dispatch for each. */
  deleteRole(id: string): void {
    this.#requireRole(id);
    this.roles.delete(id);
    this.members.dropRole(id);
    this.#host.announce(this, GatewayDispatchEvents.GuildRoleDelete, { guild_id: this.id, role_id: id });
  }

  /** The bot is invited: GUILD_CREATE for it, GUILD_MEMBER_ADD for the others. */
  addBot(bot: SimulatedBot): void {
    const others = [...this.bots];
    const data = { ...this.toMember(this.#enter(bot)), guild_id: this.id };
    this.#host.sendGuildCreate(this, bot);
    for (const other of others) {
      this.#host.announce(this, GatewayDispatchEvents.GuildMemberAdd, data, other);
    }
  }

  /** The bot is kicked or the guild deleted: GUILD_DELETE without `unavailable`. */
  removeBot(bot: SimulatedBot): void {
    this.#host.announce(this, GatewayDispatchEvents.GuildDelete, { id: this.id }, bot);
    this.bots.delete(bot);
    this.members.delete(bot.id);
    const data = { guild_id: this.id, user: bot.user };
    this.#host.announce(this, GatewayDispatchEvents.GuildMemberRemove, data);
  }

  /** An outage begins: GUILD_DELETE with `unavailable`, and READY lists the guild without a GUILD_CREATE after it. */
  startOutage(): void {
    this.#unavailable = true;
    this.#host.announce(this, GatewayDispatchEvents.GuildDelete, { id: this.id, unavailable: true });
  }

  /** The outage is over: GUILD_CREATE. */
  endOutage(): void {
    this.#unavailable = false;
    this.#host.sendGuildCreate(this);
  }

  /** The ids of a role's holders, ascending; of all members for @everyone. A right answer says exactly these. */
  holdersOf(roleId: string): string[] {
    if (roleId === this.id) return Array.from(this.members.iterate(), ({ id }) => id);
    return this.members.holdersOf(roleId);
  }

  /** The guild-wide permissions of a member; those of @everyone for other users. */
  permissionsOf(userId: string): bigint {
    const all = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n);
    let permissions = BigInt(this.roles.get(this.id)?.permissions ?? '0');
    for (const id of this.members.get(userId)?.roles ?? []) {
      permissions |= BigInt(this.roles.get(id)?.permissions ?? '0');
    }
    const isAdmin = (permissions & PermissionFlagsBits.Administrator) !== 0n;
    return userId === this.ownerId || isAdmin ? all : permissions;
  }

  toMember(record: MemberRecord): APIGuildMember {
    return toMember(record, this.#host.isSpacebar ? [this.id] : []);
  }

  toGuild(): APIGuild {
    return makeGuild({
      id: this.id,
      name: this.name,
      owner_id: this.ownerId,
      roles: Array.from(this.roles.values()),
      mfa_level: this.#requiresTwoFactor ? GuildMFALevel.Elevated : GuildMFALevel.None,
    });
  }

  toCreate(bot: SimulatedBot, intents: number, largeThreshold: number): GatewayGuildCreateDispatchData {
    const members = pickMembers(this.membersInCreate, this.members, bot.id, { intents, largeThreshold });
    return {
      ...this.toGuild(),
      joined_at: '2024-01-01T00:00:00.000000+00:00',
      large: this.memberCount > largeThreshold,
      ...(this.#host.isSpacebar ? {} : { unavailable: false }),
      member_count: this.memberCount,
      voice_states: [],
      members: members.map((member) => this.toMember(member)),
      channels: [makeTextChannel(this.channelId, this.id, 'general')],
      threads: [],
      presences: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
    };
  }

  #enter(bot: SimulatedBot): MemberRecord {
    this.bots.add(bot);
    const record = this.#toRecord({ id: bot.id, username: bot.name, bot: true });
    this.members.set(record);
    return record;
  }

  #putRole(seed: RoleSeed): APIRole {
    const id = seed.id ?? this.#host.ids.next();
    const role = makeRole({ name: `role ${id}`, ...this.roles.get(id), ...seed, id });
    this.roles.set(id, role);
    return role;
  }

  #toRecord(seed: MemberSeed): MemberRecord {
    const id = seed.id ?? this.#host.ids.next();
    return {
      id,
      username: seed.username ?? `user${id}`,
      roles: seed.roles ?? [],
      nick: seed.nick ?? null,
      bot: seed.bot ?? false,
      ...(seed.timedOutUntil === undefined ? {} : { timedOutUntil: seed.timedOutUntil }),
    };
  }

  #requireMember(id: string): MemberRecord {
    const member = this.members.get(id);
    if (!member) throw new Error(`Guild ${this.id} has no member ${id}.`);
    return member;
  }

  #requireRole(id: string): APIRole {
    const role = this.roles.get(id);
    if (!role) throw new Error(`Guild ${this.id} has no role ${id}.`);
    return role;
  }
}
