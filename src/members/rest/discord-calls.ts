import { DiscordCaller } from '../../upstream/discord-caller.ts';
import { TokenSender } from '../../upstream/token-sender.ts';
import {
  parseGuild,
  parseMembers,
  parseRoleCounts,
  type GuildInfo,
  type ListedMember,
  type RoleCounts,
} from '../discord-answers.ts';
import type { Lookup, Path, TokenAccess } from './token-access.ts';
import type { RestMembersSettings } from './rest-members-options.ts';

type Query = Readonly<Record<string, string>>;

/** Members, the most that Discord lists in one answer. */
export const PAGE_LENGTH = 1_000;
/** After this many 429 in a row, the limit cannot be the one in Discord's headers. */
const LIMITED_MAX = 5;

/**
 * The calls to Discord with a token.
 *
 * All methods throw Problem `discord_…` or `unknown_…`, and `busy` when too many tokens are in use.
 */
export class DiscordCalls {
  readonly #access: TokenAccess;
  readonly #sender: TokenSender;
  readonly #caller: DiscordCaller;

  /** @param closing ends all waits for rate limits */
  constructor(settings: RestMembersSettings, access: TokenAccess, closing: AbortSignal) {
    this.#access = access;
    this.#sender = new TokenSender(settings);
    this.#caller = new DiscordCaller({ closing });
  }

  async readGuild(lookup: Lookup): Promise<GuildInfo> {
    return parseGuild(await this.get(lookup, `/guilds/${lookup.guildId}`, { with_counts: 'true' }));
  }

  async readRoleCounts(lookup: Lookup): Promise<RoleCounts> {
    return parseRoleCounts(await this.get(lookup, `/guilds/${lookup.guildId}/roles/member-counts`));
  }

  /**
   * The page of members with the lowest ids above `after`, ascending.
   * @param after snowflake, or `0` from the start
   * @param limit length of the page
   */
  async readMembers(lookup: Lookup, after: string, limit = PAGE_LENGTH): Promise<ListedMember[]> {
    const query = { limit: String(limit), after };
    return parseMembers(await this.get(lookup, `/guilds/${lookup.guildId}/members`, query));
  }

  async get(lookup: Lookup, path: Path, query: Query = {}): Promise<unknown> {
    const call = { ...lookup, path };
    const outcome = await this.#caller.call(
      {
        secretStatus: this.#access,
        secret: call,
        route: null,
        limitedMax: lookup.waitsWhenRefused ? LIMITED_MAX : 0,
      },
      () => this.#sender.get({ ...call, query }),
    );
    if (outcome.kind === 'done') return outcome.body;
    throw this.#access.problemOf(call, outcome);
  }

  /** Ends all calls. */
  close(): Promise<void> {
    return this.#sender.close();
  }
}
