import type { Gateway } from '../discord/gateway.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import { gatewayConnecting } from '../members/gateway/unavailable.ts';

/** Callers are asked to try again after this, while there is no connection yet. */
const RETRY_SECONDS = 5;

/**
 * The connection to Discord, and what answers for it until it exists. Loading and connecting take longer than the rest
 * of the start, so HTTP is open by then: requests that do not need Discord are answered, and member lists say that they
 * are not ready yet.
 */
export class DiscordPart {
  readonly #create: (members: MemberDirectory) => Promise<Gateway>;
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

  /** @param create loads and makes the gateway, which answers questions about members from then on */
  constructor(create: (members: MemberDirectory) => Promise<Gateway>) {
    this.#create = create;
  }

  /**
   * Resolves as `Gateway.open` does.
   * @throws GatewayEnd with one clear sentence when the settings are wrong: the token, the shards
   */
  async open(): Promise<void> {
    this.#gateway = await this.#create(this.members);
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
