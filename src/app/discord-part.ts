import type { Gateway } from '../discord/gateway.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import { Problem } from '../kernel/problem.ts';

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
    ask: (kind, question, caller) =>
      this.#gateway?.members.ask(kind, question, caller) ??
      Promise.reject(new Problem('member_list_unavailable/connecting', { retryAfterSeconds: 5 })),
    commitOffset: (commit) => this.#gateway?.members.commitOffset(commit),
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
