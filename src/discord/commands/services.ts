import type { RESTPostAPIApplicationCommandsJSONBody } from 'discord-api-types/v10';

import type { BoundedMap } from '../../bounded-map.ts';
import type { Deliveries } from '../../deliveries/deliveries.ts';
import type { GuildKeys } from '../../guild-keys/guild-keys.ts';
import type { KeyUsage } from '../../guild-keys/key-usage.ts';
import type { ImageFetcher } from '../../images/image-fetcher.ts';
import type { MemberDirectory, TokenDirectory } from '../../members/member-directory.ts';
import type { Operation } from '../../operations/operation.ts';
import type { parseArgs } from '../../operations/parse-args/operation.ts';

export interface Services {
  readonly keys: GuildKeys;
  readonly usage: Pick<KeyUsage, 'read' | 'peaks' | 'lastUsed'>;
  readonly operations: readonly Operation[];
  /** All commands as they are registered. */
  readonly commands: readonly RESTPostAPIApplicationCommandsJSONBody[];
  /** Lines that were parsed a short time ago, for the button that shows the JSON. */
  readonly parsedLines: BoundedMap<Parameters<typeof parseArgs.handle>[0]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly deliveries: Deliveries;
  readonly images: ImageFetcher;
  readonly members: MemberDirectory;
  readonly tokenMembers: TokenDirectory;
  /** Address of the HTTP API, without a slash at the end. */
  publicUrl(): string;
  /** Requests a minute and guild. */
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  /** The link that adds the bot to a server. */
  inviteUrl(): string;
  /** `/settings key list` as something that can be clicked, once Discord has sent the ids of the commands. */
  mention(path: string): string;
  /** True when the bot itself is in the server, and not only its commands. */
  isInGuild(guildId: string): boolean;
}

/** The services, and facts about the one interaction that is answered. */
export interface CommandContext extends Services {
  /** Aborts when an answer would come too late or the process ends. */
  readonly signal: AbortSignal;
  /** True when the interaction comes from a thread: discord.js keeps nothing of a channel but its id. */
  readonly inThread: boolean;
}
