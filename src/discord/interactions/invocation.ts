import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  ChannelType,
  PermissionFlagsBits,
  type APIApplicationCommandInteractionDataBasicOption,
  type APIApplicationCommandInteractionDataOption,
  type APIAttachment,
  type APIInteraction,
  type APIInteractionDataResolved,
} from 'discord-api-types/v10';

type Value = string | number | boolean;

/** Discord's limit where the interaction does not say it. */
const ATTACHMENT_BYTES_DEFAULT = 10 * 1024 * 1024;

const THREADS: ReadonlySet<unknown> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);

/** Who does what and where: an interaction as the commands read it. */
export interface Invocation {
  /** Snowflake. */
  readonly userId: string;
  readonly userName: string;
  /** The language of their client, as Discord names it. */
  readonly locale: string;
  /** Snowflake; null in direct messages. */
  readonly guildId: string | null;
  /** Snowflake of the channel or thread; null where Discord does not say it. */
  readonly channelId: string | null;
  /** What the user may do in this channel, as a bit field; all of it in direct messages. */
  readonly permissions: bigint;
  /** Threads have a permission of their own for writing. */
  readonly inThread: boolean;
  /** Whether the app is in this server itself, and not only with the user. */
  readonly guildInstalled: boolean;
  /** Largest sum of files in an answer. */
  readonly attachmentBytesMax: number;
}

export function readInvocation(interaction: APIInteraction): Invocation {
  const user = interaction.member?.user ?? interaction.user;
  if (user === undefined) throw new TypeError('An interaction without a user.');
  const permissions = interaction.member?.permissions;
  // Other servers than Discord's leave it out.
  const owners: Partial<APIInteraction['authorizing_integration_owners']> | undefined =
    interaction.authorizing_integration_owners;
  return {
    userId: user.id,
    userName: user.username,
    locale: localeOf(interaction),
    guildId: interaction.guild_id ?? null,
    channelId: interaction.channel?.id ?? null,
    permissions: toPermissions(interaction.guild_id !== undefined, permissions),
    inThread: THREADS.has(interaction.channel?.type),
    guildInstalled: owners?.[ApplicationIntegrationType.GuildInstall] !== undefined,
    attachmentBytesMax: interaction.attachment_size_limit || ATTACHMENT_BYTES_DEFAULT,
  };
}

/** The language of the user's client, as Discord names it. */
export function localeOf(interaction: APIInteraction): string {
  return 'locale' in interaction ? interaction.locale : 'en-US';
}

/** A permission that was not sent is not there: other servers than Discord's leave the field out. */
function toPermissions(inGuild: boolean, permissions: string | undefined): bigint {
  if (permissions !== undefined) return BigInt(permissions);
  return inGuild ? 0n : ~0n;
}

/** Administrators may do everything. */
export function isPermitted(invocation: Invocation, permission: bigint): boolean {
  return (invocation.permissions & (permission | PermissionFlagsBits.Administrator)) !== 0n;
}

/**
 * Whether the user could speak here without us. Discord itself makes answers of user-installed apps private where
 * a server does not allow them.
 */
export function maySpeak(invocation: Invocation, withFiles: boolean): boolean {
  if (invocation.guildId === null) return true;
  const writing = invocation.inThread
    ? PermissionFlagsBits.SendMessagesInThreads
    : PermissionFlagsBits.SendMessages;
  return (
    isPermitted(invocation, writing) &&
    (!withFiles || isPermitted(invocation, PermissionFlagsBits.AttachFiles)) &&
    (invocation.guildInstalled || isPermitted(invocation, PermissionFlagsBits.UseExternalApps))
  );
}

/** The options of a slash command, flattened: the names of subcommands become the path. */
export class Options {
  /** `key create`, or `` without subcommands. */
  readonly path: string;
  /** The option that is being typed, in an autocomplete. */
  readonly focused: { readonly name: string; readonly value: string } | null = null;
  readonly #values = new Map<string, Value>();
  readonly #resolved: APIInteractionDataResolved;

  constructor(
    options: readonly APIApplicationCommandInteractionDataOption[] = [],
    resolved: APIInteractionDataResolved = {},
  ) {
    this.#resolved = resolved;
    const path: string[] = [];
    let level: readonly APIApplicationCommandInteractionDataOption[] = options;
    for (;;) {
      const [first] = level;
      if (
        first?.type !== ApplicationCommandOptionType.Subcommand &&
        first?.type !== ApplicationCommandOptionType.SubcommandGroup
      ) {
        break;
      }
      path.push(first.name);
      level = first.options ?? [];
    }
    this.path = path.join(' ');
    for (const option of level as readonly APIApplicationCommandInteractionDataBasicOption[]) {
      this.#values.set(option.name, option.value);
      if ('focused' in option && option.focused) {
        this.focused = { name: option.name, value: String(option.value) };
      }
    }
  }

  string(name: string): string | null {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : null;
  }

  integer(name: string): number | null {
    const value = this.#values.get(name);
    return typeof value === 'number' && Number.isInteger(value) ? value : null;
  }

  boolean(name: string): boolean | null {
    const value = this.#values.get(name);
    return typeof value === 'boolean' ? value : null;
  }

  /** What kind of channel was chosen; null when none was. */
  channelType(name: string): ChannelType | null {
    const id = this.string(name);
    return id === null ? null : (this.#resolved.channels?.[id]?.type ?? null);
  }

  attachment(name: string): APIAttachment | null {
    const id = this.string(name);
    return id === null ? null : (this.#resolved.attachments?.[id] ?? null);
  }
}
