import type {
  APIApplicationCommand,
  ApplicationCommand,
  ApplicationCommandManager,
  JSONEncodable,
  RESTPostAPIApplicationCommandsJSONBody,
} from 'discord.js';

type CommandData = RESTPostAPIApplicationCommandsJSONBody;

export interface Registration {
  /** False when Discord already had exactly these commands. */
  readonly changed: boolean;
  /** Ids by name, for mentions that can be clicked. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Makes the global commands of the application exactly these: reads them, and replaces all of them in one request
 * when anything differs.
 * @throws DiscordAPIError and others of REST
 * @see https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
 */
export async function registerCommands(
  manager: Pick<ApplicationCommandManager, 'fetch' | 'set'>,
  commands: readonly CommandData[],
): Promise<Registration> {
  const current = await manager.fetch({ withLocalizations: true });
  for (const command of current.values()) {
    // Their order means nothing.
    command.contexts?.sort();
    command.integrationTypes?.sort();
  }
  const changed =
    current.size !== commands.length ||
    commands.some((data) => !current.some((command) => isSame(command, data)));
  const registered = changed ? await manager.set(commands.map((data) => encodable(data))) : current;
  return { changed, ids: new Map(registered.map(({ name, id }) => [name, id])) };
}

/** `equals` takes what Discord answers; it compares what both have. */
function isSame(command: ApplicationCommand, data: CommandData): boolean {
  return command.equals(data as APIApplicationCommand, true);
}

/**
 * Discord documents these permissions as a string in answers and as an integer in requests; discord.js by itself writes
 * a string. Its types know no other.
 */
function encodable(data: CommandData): JSONEncodable<CommandData> {
  return { toJSON: () => toRequest(data) as unknown as CommandData };
}

export function toRequest(data: CommandData): Record<string, unknown> {
  const permissions = data.default_member_permissions;
  return typeof permissions === 'string'
    ? { ...data, default_member_permissions: Number(permissions) }
    : { ...data };
}
