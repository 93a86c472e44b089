import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
} from 'discord-api-types/v10';
import type { APIApplicationCommand } from 'discord-api-types/v10';
import { checkText } from './component-rules.ts';
import { isObject, objectsOf, textOf } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { invalidForm } from './rest-route.ts';
import type { SnowflakeSource } from './snowflakes.ts';

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const GROUPS: ReadonlySet<unknown> = new Set([
  ApplicationCommandOptionType.Subcommand,
  ApplicationCommandOptionType.SubcommandGroup,
]);

/** Refuses commands that Discord refuses. */
export function checkCommands(commands: readonly unknown[]): void {
  const seen = new Set<string>();
  const counts = new Map<unknown, number>();
  for (const [index, command] of commands.entries()) {
    const path = String(index);
    if (!isObject(command)) throw invalidForm(path, 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used');
    const type = command['type'] ?? ApplicationCommandType.ChatInput;
    counts.set(type, (counts.get(type) ?? 0) + 1);
    const key = `${Number(type)}:${textOf(command['name'])}`;
    if (seen.has(key)) {
      throw invalidForm(
        `${path}.name`,
        'APPLICATION_COMMANDS_DUPLICATE_NAME',
        'Application command names must be unique',
      );
    }
    seen.add(key);
    if (type === ApplicationCommandType.ChatInput) checkChatInput(command, path);
    else {
      checkText(command['name'], `${path}.name`, 1, 32);
      if (command['description']) {
        const text = 'Context menu commands cannot have description';
        throw invalidForm(`${path}.description`, 'APPLICATION_COMMAND_INVALID_DESCRIPTION', text);
      }
    }
  }
  const most = {
    [ApplicationCommandType.ChatInput]: 100,
    [ApplicationCommandType.User]: 15,
    [ApplicationCommandType.Message]: 15,
  };
  for (const [type, count] of Object.entries(most)) {
    if ((counts.get(Number(type)) ?? 0) > count) {
      throw invalidForm(
        '_',
        'APPLICATION_COMMANDS_MAX',
        `Maximum number of application commands reached (${count}).`,
      );
    }
  }
}

/** The commands as Discord stores them and gives them back; a command that was there before keeps its id. */
export function toCommands(
  bodies: readonly unknown[],
  before: readonly APIApplicationCommand[],
  applicationId: string,
  ids: SnowflakeSource,
  guildId: string | undefined,
): APIApplicationCommand[] {
  return bodies.filter(isObject).map((body) => {
    const type = body['type'] ?? ApplicationCommandType.ChatInput;
    const old = before.find((command) => command.type === type && command.name === body['name']);
    return {
      default_member_permissions: null,
      nsfw: false,
      description: '',
      name_localizations: null,
      description_localizations: null,
      ...(guildId === undefined
        ? {
            contexts: null,
            integration_types: [ApplicationIntegrationType.GuildInstall],
            dm_permission: true,
          }
        : { guild_id: guildId }),
      ...body,
      type,
      id: old?.id ?? ids.next(),
      application_id: applicationId,
      version: ids.next(),
      // Checked above; the rest of the fields is what the client sent.
    } as unknown as APIApplicationCommand;
  });
}

function checkChatInput(command: JsonObject, path: string): void {
  checkNamed(command, path);
  checkOptions(objectsOf(command['options']), path, 0);
  if (countCharacters(command) > 8000) {
    throw invalidForm(path, 'APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)');
  }
}

function checkNamed(named: JsonObject, path: string): void {
  const names = [
    named['name'],
    ...Object.values(isObject(named['name_localizations']) ? named['name_localizations'] : {}),
  ];
  for (const name of names) {
    if (typeof name === 'string' && NAME.test(name) && name === name.toLowerCase()) continue;
    throw invalidForm(`${path}.name`, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
  }
  const { description_localizations: translated } = named;
  checkText(named['description'], `${path}.description`, 1, 100);
  for (const text of Object.values(isObject(translated) ? translated : {})) {
    checkText(text, `${path}.description_localizations`, 1, 100);
  }
}

function checkOptions(options: readonly JsonObject[], path: string, depth: number): void {
  if (options.length > 25)
    throw invalidForm(`${path}.options`, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  let sawOptional = false;
  const names = new Set<unknown>();
  const isGrouped = options.some(({ type }) => GROUPS.has(type));
  for (const [index, option] of options.entries()) {
    const here = `${path}.options.${index}`;
    checkNamed(option, here);
    if (names.has(option['name'])) {
      throw invalidForm(here, 'APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED', 'Option names must be unique');
    }
    names.add(option['name']);
    if (isGrouped !== GROUPS.has(option['type']) || (isGrouped && depth > 1)) {
      throw invalidForm(
        here,
        'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
        'Sub-commands and sub-command groups cannot be mixed with other options',
      );
    }
    if (isGrouped) {
      checkOptions(objectsOf(option['options']), here, depth + 1);
      continue;
    }
    if (option['required'] === true && sawOptional) {
      const text = 'Required options must be placed before non-required options';
      throw invalidForm(here, 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', text);
    }
    sawOptional ||= option['required'] !== true;
    checkChoices(option, here);
  }
}

function checkChoices(option: JsonObject, path: string): void {
  const choices = objectsOf(option['choices']);
  if (choices.length > 25)
    throw invalidForm(`${path}.choices`, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  if (choices.length > 0 && option['autocomplete'] === true) {
    throw invalidForm(
      path,
      'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES',
      'Autocomplete cannot be used with choices',
    );
  }
  for (const [index, { name, value }] of choices.entries()) {
    checkText(name, `${path}.choices.${index}.name`, 1, 100);
    if (typeof value !== 'number') checkText(value, `${path}.choices.${index}.value`, 1, 100);
  }
  for (const key of ['min_length', 'max_length']) {
    const length = option[key];
    if (length === undefined) continue;
    if (typeof length !== 'number' || length < 0 || length > 6000) {
      throw invalidForm(`${path}.${key}`, 'NUMBER_TYPE_MAX', 'Must be between 0 and 6000.');
    }
  }
}

/** Names, descriptions and choice values count together; translations by the longest. */
function countCharacters(named: JsonObject): number {
  let sum = 0;
  for (const key of ['name', 'description'] as const) {
    const translated = named[`${key}_localizations`];
    const texts = [named[key], ...Object.values(isObject(translated) ? translated : {})];
    sum += Math.max(...texts.map((text) => (typeof text === 'string' ? text.length : 0)));
  }
  for (const { name, value } of objectsOf(named['choices'])) {
    sum += String(name).length + (typeof value === 'string' ? value.length : 0);
  }
  for (const option of objectsOf(named['options'])) sum += countCharacters(option);
  return sum;
}
