import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import type { APIApplicationCommand, APIApplicationCommandOption } from 'discord-api-types/v10';
import type { FileSeed } from './cdn.ts';
import type { ResolvedBuilder } from './interaction-resolved.ts';

/** A user, a role and a file are named by what they are; where the command is registered, an id alone will do. */
type OptionValue = string | number | boolean | { user: string } | { role: string } | { file: FileSeed };
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** An option as it is sent. */
export interface SentOption {
  readonly name: string;
  readonly type: ApplicationCommandOptionType;
  readonly value?: string | number | boolean;
  readonly focused?: true;
  readonly options?: readonly SentOption[];
}

/**
 * Writes the options of a command as Discord's client does, and refuses what it would not let a user send: unknown or
 * missing options, texts that are too long, values that are not among the choices. `path` is the command with its
 * subcommands. `focused` is the option that is being typed; it and the others may be unfinished then.
 */
export function writeOptions(
  path: readonly string[],
  values: OptionValues,
  command: APIApplicationCommand | null,
  resolved: ResolvedBuilder,
  focused: string | null,
): SentOption[] {
  const groups = path.slice(1);
  let level: readonly APIApplicationCommandOption[] | null = command && (command.options ?? []);
  for (const name of groups) {
    const group = level?.find((option) => option.name === name);
    if (level && !group) throw new Error(`/${path.join(' ')} does not exist.`);
    level = group && 'options' in group ? (group.options ?? []) : level && [];
  }
  if (level) checkNames(path, values, level, focused !== null);
  const leaves = Object.entries(values).map(([name, value]): SentOption => {
    const definition = level?.find((option) => option.name === name);
    const type = definition?.type ?? guessType(value);
    const written = writeValue(type, value, resolved);
    if (definition && focused === null) checkValue(definition, written);
    return { name, type, value: written, ...(name === focused ? { focused: true as const } : {}) };
  });
  return groups.reduceRight<SentOption[]>((inner, name, index) => {
    const isOuter = index === 0 && groups.length === 2;
    const type = isOuter
      ? ApplicationCommandOptionType.SubcommandGroup
      : ApplicationCommandOptionType.Subcommand;
    return [{ name, type, options: inner }];
  }, leaves);
}

function guessType(value: OptionValue): ApplicationCommandOptionType {
  if (typeof value === 'string') return ApplicationCommandOptionType.String;
  if (typeof value === 'boolean') return ApplicationCommandOptionType.Boolean;
  if (typeof value === 'number') {
    return Number.isInteger(value)
      ? ApplicationCommandOptionType.Integer
      : ApplicationCommandOptionType.Number;
  }
  if ('user' in value) return ApplicationCommandOptionType.User;
  return 'role' in value ? ApplicationCommandOptionType.Role : ApplicationCommandOptionType.Attachment;
}

function writeValue(
  type: ApplicationCommandOptionType,
  value: OptionValue,
  resolved: ResolvedBuilder,
): string | number | boolean {
  if (typeof value === 'object') {
    if ('file' in value) return resolved.addFile(value.file);
    return 'user' in value ? resolved.addUser(value.user) : resolved.addRole(value.role);
  }
  if (type === ApplicationCommandOptionType.User) return resolved.addUser(String(value));
  if (type === ApplicationCommandOptionType.Role) return resolved.addRole(String(value));
  if (type === ApplicationCommandOptionType.Channel) return resolved.addChannel(String(value));
  return value;
}

function checkNames(
  path: readonly string[],
  values: OptionValues,
  level: readonly APIApplicationCommandOption[],
  isUnfinished: boolean,
): void {
  for (const name of Object.keys(values)) {
    if (!level.some((option) => option.name === name))
      throw new Error(`/${path.join(' ')} has no option ${name}.`);
  }
  for (const option of level) {
    if (option.required !== true || isUnfinished || option.name in values) continue;
    throw new Error(`/${path.join(' ')} needs the option ${option.name}.`);
  }
}

function checkValue(definition: APIApplicationCommandOption, value: string | number | boolean): void {
  const refuse = (why: string): never => {
    throw new Error(`Discord's client does not let this value of ${definition.name} be sent: ${why}.`);
  };
  if ('choices' in definition && definition.choices && definition.choices.length > 0) {
    if (!definition.choices.some((choice) => choice.value === value)) refuse('it is none of the choices');
  }
  if (definition.type === ApplicationCommandOptionType.String) {
    if (typeof value !== 'string') return refuse('it is no text');
    if (value.length > (definition.max_length ?? 6000)) refuse('it is too long');
    if (value.length < Math.max(1, definition.min_length ?? 0)) refuse('it is too short');
  }
  if (
    definition.type === ApplicationCommandOptionType.Integer ||
    definition.type === ApplicationCommandOptionType.Number
  ) {
    if (typeof value !== 'number') return refuse('it is no number');
    if ('max_value' in definition && value > (definition.max_value ?? Infinity)) refuse('it is too large');
    if ('min_value' in definition && value < (definition.min_value ?? -Infinity)) refuse('it is too small');
  }
}
