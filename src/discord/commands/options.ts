import {
  ApplicationCommandOptionType,
  type ApplicationCommandOptionChoiceData,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type FileUploadType,
} from 'discord.js';

import type { CommandContext } from './command.ts';
import { Problem } from '../../kernel/problem.ts';

type Sent = ChatInputCommandInteraction['options'];

type Complete = (
  interaction: AutocompleteInteraction,
  context: CommandContext,
) => Promise<readonly ApplicationCommandOptionChoiceData[]>;

/** One option of a command: its data for Discord without name and texts, and how its value is read. */
export interface Option<Value> {
  readonly data: {
    readonly type: ApplicationCommandOptionType;
    readonly required?: true;
    readonly [setting: string]: unknown;
  };
  read(sent: Sent, name: string): Value;
  /** Choices while it is being typed. */
  readonly complete?: Complete | undefined;
}

/** Options by name, in the order in which Discord shows them. Required ones come first. */
export type OptionSet = Readonly<Record<string, Option<unknown>>>;

/** The values that a user gave; null for an option that was left out. */
export type Given<Options extends OptionSet> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

export function readOptions<Options extends OptionSet>(options: Options, sent: Sent): Given<Options> {
  const values = Object.entries(options).map(([name, option]) => [name, option.read(sent, name)]);
  return Object.fromEntries(values) as Given<Options>;
}

/** An option that Discord requires of the user. */
export function required<Value>(option: Option<Value | null>): Option<Value> {
  return {
    ...option,
    data: { ...option.data, required: true },
    read(sent, name) {
      const value = option.read(sent, name);
      if (value === null) throw new Problem('missing_field', { field: name });
      return value;
    },
  };
}

interface TextSettings {
  readonly min_length?: number;
  readonly max_length?: number;
  readonly complete?: Complete;
}

export function textOption({ complete, ...lengths }: TextSettings = {}): Option<string | null> {
  return {
    data: {
      type: ApplicationCommandOptionType.String,
      ...lengths,
      ...(complete === undefined ? {} : { autocomplete: true }),
    },
    read: (sent, name) => sent.getString(name),
    complete,
  };
}

/**
 * An option with a list of choices.
 * @param nameOf the name of a choice. Default: as the locales name it, or else its value
 */
export function choiceOption<const Value extends string>(
  values: readonly Value[],
  nameOf: (value: Value) => string = (value) => value,
): Option<Value | null> {
  return {
    data: {
      type: ApplicationCommandOptionType.String,
      choices: values.map((value) => ({ name: nameOf(value), value })),
    },
    read: (sent, name) => values.find((value) => value === sent.getString(name)) ?? null,
  };
}

/** The same for whole numbers. */
export function numberChoiceOption<const Value extends number>(
  values: readonly Value[],
): Option<Value | null> {
  return {
    data: {
      type: ApplicationCommandOptionType.Integer,
      choices: values.map((value) => ({ name: String(value), value })),
    },
    read: (sent, name) => values.find((value) => value === sent.getInteger(name)) ?? null,
  };
}

export function wholeOption(bounds: { readonly min_value: number; readonly max_value: number }) {
  return {
    data: { type: ApplicationCommandOptionType.Integer, ...bounds },
    read: (sent, name) => sent.getInteger(name),
  } satisfies Option<number | null>;
}

export const flagOption: Option<boolean | null> = {
  data: { type: ApplicationCommandOptionType.Boolean },
  read: (sent, name) => sent.getBoolean(name),
};

/** The id of a role. */
export const roleOption: Option<string | null> = {
  data: { type: ApplicationCommandOptionType.Role },
  read: (sent, name) => sent.getRole(name)?.id ?? null,
};

/** The id of a user. */
export const userOption: Option<string | null> = {
  data: { type: ApplicationCommandOptionType.User },
  read: (sent, name) => sent.getUser(name)?.id ?? null,
};

export const channelOption: Option<ReturnType<Sent['getChannel']>> = {
  data: { type: ApplicationCommandOptionType.Channel },
  read: (sent, name) => sent.getChannel(name),
};

/** The URL of a file. */
export function fileOption(types: readonly FileUploadType[]): Option<string | null> {
  return {
    data: { type: ApplicationCommandOptionType.Attachment, file_types: types },
    read: (sent, name) => sent.getAttachment(name)?.url ?? null,
  };
}
