import type { REST } from '@discordjs/rest';
import {
  ApplicationCommandType,
  Routes,
  type APIApplicationCommand,
  type RESTPostAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

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
  rest: REST,
  applicationId: string,
  commands: readonly RESTPostAPIApplicationCommandsJSONBody[],
  signal: AbortSignal,
): Promise<Registration> {
  const route = Routes.applicationCommands(applicationId);
  const query = new URLSearchParams({ with_localizations: 'true' });
  const current = (await rest.get(route, { query, signal })) as APIApplicationCommand[];
  if (isSame(current, commands)) return { changed: false, ids: idsByName(current) };
  const body = commands.map((command) => toRequest(command));
  return {
    changed: true,
    ids: idsByName((await rest.put(route, { body, signal })) as APIApplicationCommand[]),
  };
}

function idsByName(commands: readonly APIApplicationCommand[]): ReadonlyMap<string, string> {
  return new Map(commands.map(({ name, id }) => [name, id]));
}

/** Discord documents these permissions as a string in answers and as an integer in requests. */
export function toRequest(command: RESTPostAPIApplicationCommandsJSONBody): Record<string, unknown> {
  const permissions = command.default_member_permissions;
  return typeof permissions === 'string'
    ? { ...command, default_member_permissions: Number(permissions) }
    : { ...command };
}

/** The fields that we set on a command. Whatever else Discord answers (ids, versions, its older fields) is its own. */
const COMPARED =
  'type name name_localizations description description_localizations options choices value required autocomplete min_value max_value min_length max_length nsfw channel_types file_types default_member_permissions contexts integration_types'.split(
    ' ',
  );

function isSame(
  current: readonly APIApplicationCommand[],
  wanted: readonly RESTPostAPIApplicationCommandsJSONBody[],
): boolean {
  return canonicalList(current) === canonicalList(wanted);
}

function canonicalList(commands: readonly object[]): string {
  return commands
    .map((command) =>
      JSON.stringify(canonicalCommand({ type: ApplicationCommandType.ChatInput, ...command })),
    )
    .sort()
    .join('\n');
}

function canonicalCommand(source: object): Record<string, unknown> {
  const fields = new Map<string, unknown>(Object.entries(source));
  const result: Record<string, unknown> = {};
  for (const name of COMPARED) {
    const value = canonicalField(name, fields.get(name));
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** Discord leaves defaults out, or writes them as null, false or an empty list: all of it means the same. */
function canonicalField(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === false || value === '') return undefined;
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    if (name === 'options' || name === 'choices') {
      return value.map((entry: unknown) => canonicalCommand(entry as object));
    }
    return value.map(String).sort();
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length === 0 ? undefined : entries;
  }
  // Permissions go out as a number and come back as text.
  return name === 'default_member_permissions' && typeof value === 'number' ? value.toString() : value;
}
