import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord-api-types/v10';

/** Called when the bot joins or leaves a guild. */
export interface GuildMembershipListener {
  joined(guildId: string): void;
  left(guildId: string): void;
  shardReady(shardId: number, shardCount: number, guildIds: Iterable<string>): void;
}

/** The guilds that the bot is in, by shard of this process. A guild in an outage stays in it. */
export class GuildList {
  readonly #listener: GuildMembershipListener;
  readonly #guilds = new Map<number, Set<string>>();

  constructor(listener: GuildMembershipListener) {
    this.#listener = listener;
  }

  has(guildId: string): boolean {
    for (const guilds of this.#guilds.values()) if (guilds.has(guildId)) return true;
    return false;
  }

  get size(): number {
    let size = 0;
    for (const guilds of this.#guilds.values()) size += guilds.size;
    return size;
  }

  handleDispatch(shardId: number, packet: GatewayDispatchPayload): void {
    switch (packet.t) {
      case GatewayDispatchEvents.Ready: {
        const guilds = new Set(packet.d.guilds.map(({ id }) => id));
        this.#guilds.set(shardId, guilds);
        this.#listener.shardReady(shardId, packet.d.shard?.[1] ?? 1, guilds);
        break;
      }
      case GatewayDispatchEvents.GuildCreate: {
        const guilds = this.#guilds.get(shardId);
        // Guilds that READY named also arrive this way, a moment later or after an outage.
        if (guilds === undefined || guilds.has(packet.d.id)) return;
        guilds.add(packet.d.id);
        this.#listener.joined(packet.d.id);
        break;
      }
      case GatewayDispatchEvents.GuildDelete:
        if (packet.d.unavailable === true) return;
        this.#guilds.get(shardId)?.delete(packet.d.id);
        this.#listener.left(packet.d.id);
        break;
      default:
    }
  }
}
