import type { Gateway, GatewayOptions } from '../discord/gateway.ts';
import type { GatewayMembersOptions } from '../members/gateway/gateway-members-options.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import { gatewayIsConnecting } from '../members/gateway/unavailable.ts';

export interface DiscordPartOptions extends Omit<GatewayOptions, 'truth' | 'createMembers'> {
  readonly members?: Partial<Omit<GatewayMembersOptions, 'truth'>> | undefined;
  /** Once it is aborted, no connection is begun any more. */
  readonly stop?: AbortSignal | undefined;
  /** Called when there is a gateway, before it connects. */
  readonly onCreated: (gateway: Gateway) => void;
}

/** While there is no connection yet, callers are asked to try again after this. */
const RETRY_SECONDS = 5;

/**
 * The connection to Discord, and what is there before it. Loading and connecting take longer than the rest of the
 * start, so HTTP is open by then: what needs no Discord is answered, and member lists say that they are not there yet.
 */
export class DiscordPart {
  readonly #options: DiscordPartOptions;
  #gateway: Gateway | null = null;
  #isOpen = false;
  readonly members: MemberDirectory = {
    find: (question) =>
      this.#gateway?.members.find(question) ?? Promise.reject(gatewayIsConnecting(RETRY_SECONDS)),
    countRoles: (question) =>
      this.#gateway?.members.countRoles(question) ?? Promise.reject(gatewayIsConnecting(RETRY_SECONDS)),
  };

  constructor(options: DiscordPartOptions) {
    this.#options = options;
  }

  /**
   * Resolves as `Gateway.open` does.
   * @throws GatewayEnd with one clear sentence when the settings are wrong: the token, the shards
   */
  async open(): Promise<void> {
    const { members, onCreated, stop, ...options } = this.#options;
    const { createGateway } = await import('../discord/gateway.ts');
    const { GatewayMembers } = await import('../members/gateway/gateway-members.ts');
    const { ShardTruth } = await import('../members/gateway/shard-truth.ts');
    stop?.throwIfAborted();
    const truth = new ShardTruth(options);
    this.#gateway = createGateway({
      ...options,
      truth,
      createMembers: (link) => new GatewayMembers({ ...link, truth, log: options.log, ...members }),
    });
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
