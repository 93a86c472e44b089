import type {
  APIInteractionDataResolved,
  APIInteractionDataResolvedGuildMember,
  APIUser,
} from 'discord-api-types/v10';
import { ChannelType } from 'discord-api-types/v10';
import type { Cdn, FileSeed } from './cdn.ts';
import type { SimulatedGuild } from './guild-model.ts';

interface ResolvedWorld {
  readonly cdn: Cdn;
  findUser(id: string): APIUser | null;
}

/** Collects what the options or values of an interaction point at. */
export class ResolvedBuilder {
  readonly #guild: SimulatedGuild | null;
  readonly #world: ResolvedWorld;
  readonly #resolved: APIInteractionDataResolved = {};

  constructor(guild: SimulatedGuild | null, world: ResolvedWorld) {
    this.#guild = guild;
    this.#world = world;
  }

  /** Undefined when nothing was pointed at. */
  get value(): APIInteractionDataResolved | undefined {
    return Object.keys(this.#resolved).length > 0 ? this.#resolved : undefined;
  }

  addUser(id: string): string {
    const user = this.#world.findUser(id);
    if (!user) throw new Error(`There is no user ${id} to choose.`);
    this.#resolved.users = { ...this.#resolved.users, [id]: user };
    const record = this.#guild?.members.get(id);
    if (this.#guild && record) {
      // A resolved member comes without its user, deaf and mute.
      const { user: _user, deaf: _deaf, mute: _mute, ...member } = this.#guild.toMember(record);
      const resolved: APIInteractionDataResolvedGuildMember = {
        ...member,
        permissions: String(this.#guild.permissionsOf(id)),
      };
      this.#resolved.members = { ...this.#resolved.members, [id]: resolved };
    }
    return id;
  }

  addRole(id: string): string {
    const role = this.#guild?.roles.get(id);
    if (!role) throw new Error(`There is no role ${id} to choose.`);
    this.#resolved.roles = { ...this.#resolved.roles, [id]: role };
    return id;
  }

  addChannel(id: string): string {
    const channel = this.#guild?.channels.get(id);
    if (!channel) throw new Error(`There is no channel ${id} to choose.`);
    const resolved = {
      id,
      name: `channel ${id}`,
      type: channel.type ?? ChannelType.GuildText,
      permissions: '0',
      parent_id: channel.parentId ?? null,
    };
    this.#resolved.channels = {
      ...this.#resolved.channels,
      [id]: resolved as NonNullable<APIInteractionDataResolved['channels']>[string],
    };
    return id;
  }

  /** Returns the id of the attachment; its bytes are served from then on. */
  addFile(file: FileSeed): string {
    const attachment = { ...this.#world.cdn.put(file), ephemeral: true };
    this.#resolved.attachments = { ...this.#resolved.attachments, [attachment.id]: attachment };
    return attachment.id;
  }
}
