import type { Gateway } from '../discord/gateway.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import { Problem } from '../kernel/problem.ts';

/**
 * The connection to Discord, and its stand-in until it exists. HTTP opens first, because connecting takes longer than
 * the rest of the start. Until then, member lists answer that they are not ready yet.
 */
export class DiscordPart {
  readonly #create: (members: MemberDirectory) => Promise<Gateway>;
  #gateway: Gateway | null = null;
  #isOpen = false;
  readonly members: MemberDirectory = {
    ask: (query, question, caller) =>
      this.#gateway?.members.ask(query, question, caller) ??
      Promise.reject(new Problem('member_list_unavailable/connecting', { retryAfterSeconds: 5 })),
    /** The gateway keeps how far each `reader`, a name that callers of role-changes choose, has read. */
    commitReaderOffset: (commit) => this.#gateway?.members.commitReaderOffset(commit),
  };

  /** @param create makes the gateway, which answers questions about members from then on */
  constructor(create: (members: MemberDirectory) => Promise<Gateway>) {
    this.#create = create;
  }

  /**
   * Opens the gateway. See `Gateway.open`.
   * @throws GatewayEnd with one clear sentence if the token or the shards are wrong
   */
  async open(): Promise<void> {
    this.#gateway = await this.#create(this.members);
    await this.#gateway.open();
    this.#isOpen = true;
  }

  /** null until Discord has answered the start. */
  get gateway(): Gateway | null {
    return this.#isOpen ? this.#gateway : null;
  }

  /** The link that adds the bot to a server; null before the first shard is ready. */
  inviteUrl(): string | null {
    return this.#gateway?.inviteUrl() ?? null;
  }

  /** See Gateway. */
  async close(timeoutMs: number): Promise<void> {
    await this.#gateway?.close(timeoutMs);
  }
}
