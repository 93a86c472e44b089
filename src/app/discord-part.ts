import type { Gateway, GatewayOptions } from '../discord/gateway.ts';
import type { GapWatch } from '../members/gateway/gap-watch.ts';
import type { GatewayMembersOptions } from '../members/gateway/gateway-members-options.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import type { ShardTruth } from '../members/gateway/shard-truth.ts';
import { gatewayConnecting } from '../members/gateway/unavailable.ts';
import type { Log } from '../telemetry/log.ts';

/** What the gateway is built from, once its module is loaded. */
export interface GatewayMaterial extends Pick<GatewayOptions, 'createMembers'> {
  readonly truth: ShardTruth;
  readonly members: MemberDirectory;
}

export interface DiscordPartOptions {
  readonly log: Log;
  readonly gaps: GapWatch;
  readonly members?: Partial<Omit<GatewayMembersOptions, 'truth'>> | undefined;
  readonly gateway: (material: GatewayMaterial) => GatewayOptions;
  /** Once it is aborted, no new connection is made. */
  readonly stop?: AbortSignal | undefined;
  /** Called once the gateway exists, before it connects. */
  readonly onCreated: (gateway: Gateway) => void;
}

/** Callers are asked to try again after this, while there is no connection yet. */
const RETRY_SECONDS = 5;

/**
 * The connection to Discord, and what answers for it until it exists. Loading and connecting take longer than the rest
 * of the start, so HTTP is open by then: requests that do not need Discord are answered, and member lists say that they
 * are not ready yet.
 */
export class DiscordPart {
  readonly #options: DiscordPartOptions;
  #gateway: Gateway | null = null;
  #isOpen = false;
  readonly members: MemberDirectory = {
    find: (question) =>
      this.#gateway?.members.find(question) ?? Promise.reject(gatewayConnecting(RETRY_SECONDS)),
    countRoles: (question) =>
      this.#gateway?.members.countRoles(question) ?? Promise.reject(gatewayConnecting(RETRY_SECONDS)),
    findChanges: (question) =>
      this.#gateway?.members.findChanges(question) ?? Promise.reject(gatewayConnecting(RETRY_SECONDS)),
    moveReader: (move) => this.#gateway?.members.moveReader(move),
  };

  constructor(options: DiscordPartOptions) {
    this.#options = options;
  }

  /**
   * Resolves as `Gateway.open` does.
   * @throws GatewayEnd with one clear sentence when the settings are wrong: the token, the shards
   */
  async open(): Promise<void> {
    const { log, gaps, members, gateway, onCreated, stop } = this.#options;
    const { Gateway } = await import('../discord/gateway.ts');
    const { GatewayMembers } = await import('../members/gateway/gateway-members.ts');
    const { ShardTruth } = await import('../members/gateway/shard-truth.ts');
    stop?.throwIfAborted();
    const truth = new ShardTruth({ gaps });
    const createMembers: GatewayOptions['createMembers'] = (link) =>
      new GatewayMembers({ ...link, truth, log, ...members });
    this.#gateway = new Gateway(gateway({ truth, createMembers, members: this.members }));
    onCreated(this.#gateway);
    await this.#gateway.open();
    this.#isOpen = true;
  }

  /** null while the start still waits for Discord. */
  get gateway(): Gateway | null {
    return this.#isOpen ? this.#gateway : null;
  }

  /** The link that adds the bot to a server; null before the first shard is in. */
  inviteUrl(): string | null {
    return this.#gateway?.inviteUrl() ?? null;
  }

  /** See Gateway. */
  async close(timeoutMs: number): Promise<void> {
    await this.#gateway?.close(timeoutMs);
  }
}
