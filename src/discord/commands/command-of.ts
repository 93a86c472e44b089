import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type AutocompleteInteraction,
  type BaseInteraction,
  type ChatInputCommandInteraction,
  type RESTPostAPIChatInputApplicationCommandsJSONBody as Data,
} from 'discord.js';

import { ANYWHERE, type CommandContext, type MessageCommand, type SlashCommand } from './command.ts';
import type { Operation, AnswerNote, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { privately, type Message, type MessagesReply, type Reply } from '../messages/reply.ts';
import { callOperation } from './operation-call.ts';
import {
  localiseCommand,
  localiseMenuCommand,
  type WithoutDescription,
} from '../locales/localise-command.ts';
import { translatorFor, type Translator } from '../locales/translator.ts';
import { readOptions, type Given, type OptionSet } from './options.ts';
import { contentOf } from './read-message.ts';
import { shareable } from './show-to-everyone.ts';

/**
 * What happens when a user calls a slash command or one of its subcommands.
 * @example
 * // An operation as a command: the options have the names of its fields.
 * const decode = commandOf(permissionDecoder, {
 *   options: { bitfield: required(textOption({ max_length: 100 })), compare: textOption({ max_length: 100 }) },
 *   input: (given) => given,
 *   show: (answer, { translator }) => ({ components: [container(ACCENT.neutral, text(describeSet(answer, translator)))] }),
 * });
 * export const permissionsCommand = slashCommand({ name: 'permissions', ...ANYWHERE }, { encode, decode });
 * // Then its names and descriptions in each file of locales/, and a line in index.ts.
 */
export interface CommandBody {
  readonly options: OptionSet;
  readonly operations: readonly Operation[];
  defers(interaction: ChatInputCommandInteraction): boolean;
  run(interaction: ChatInputCommandInteraction, context: CommandContext): Promise<Reply>;
}

interface BodyDefinition<Options extends OptionSet> {
  readonly options?: Options;
  readonly operations?: readonly Operation[];
  /** See `AnyCommand.defers`. Default true. */
  readonly defers?: boolean | ((given: Given<Options>) => boolean);
  /** @throws Problem */
  readonly run: (
    given: Given<Options>,
    interaction: ChatInputCommandInteraction,
    context: CommandContext,
  ) => Promise<Reply>;
}

/** The body of a command that does work of its own. */
export function commandBody<Options extends OptionSet = OptionSet>({
  options,
  operations = [],
  defers = true,
  run,
}: BodyDefinition<Options>): CommandBody {
  const all = options ?? ({} as Options);
  return {
    options: all,
    operations,
    defers: ({ options: sent }) => (typeof defers === 'boolean' ? defers : defers(readOptions(all, sent))),
    run: (interaction, context) => run(readOptions(all, interaction.options), interaction, context),
  };
}

/** One call of an operation from Discord. */
export interface CommandCall<Input> {
  readonly input: Input;
  readonly notes: readonly AnswerNote[];
  readonly interaction: BaseInteraction;
  readonly context: CommandContext;
  readonly translator: Translator;
}

/** How Discord shows an answer. */
interface Shown<Value, Input> {
  readonly show: (answer: SuccessBody & Value, call: CommandCall<Input>) => Message;
  /**
   * True if the button that shows the answer to everyone may also notify the users whom it mentions. Default: never.
   */
  readonly notifies?: (answer: SuccessBody & Value, call: CommandCall<Input>) => boolean;
}

type Fields<Field extends string> = Readonly<Partial<Record<Field, unknown>>>;

interface CommandDefinition<Value, Options extends OptionSet, Input> extends Shown<Value, Input> {
  readonly options?: Options;
  /** Default true. */
  readonly defers?: boolean;
  /** The fields of the operation. */
  readonly input: (given: Given<Options>, interaction: ChatInputCommandInteraction) => Input;
}

/** The body of a command that calls one operation and shows its answer in private. */
export function commandOf<
  Value,
  Field extends string,
  Options extends OptionSet,
  Input extends Fields<Field>,
>(
  operation: Operation<Value, Field>,
  { options, defers, input, ...shown }: CommandDefinition<Value, Options, Input>,
): CommandBody {
  return commandBody({
    ...(options === undefined ? {} : { options }),
    operations: [operation],
    ...(defers === undefined ? {} : { defers }),
    run: (given, interaction, context) =>
      showAnswer(operation, input(given, interaction), shown, interaction, context),
  });
}

interface MenuDefinition<Value, Input> extends Shown<Value, Input> {
  readonly name: string;
  readonly defers: boolean;
  /** @throws Problem if the message has no input for the operation */
  readonly input: (message: ReturnType<typeof contentOf>) => Input;
}

/** A command in the menu of a message that calls one operation and shows its answer in private. */
export function menuCommandOf<Value, Field extends string, Input extends Fields<Field>>(
  operation: Operation<Value, Field>,
  { name, defers, input, ...shown }: MenuDefinition<Value, Input>,
): MessageCommand {
  return {
    data: localiseMenuCommand({ type: ApplicationCommandType.Message, name, ...ANYWHERE }),
    operations: [operation],
    defers: () => defers,
    run: async (interaction, context) =>
      showAnswer(operation, input(contentOf(interaction.targetMessage)), shown, interaction, context),
  };
}

async function showAnswer<Value, Field extends string, Input extends Fields<Field>>(
  operation: Operation<Value, Field>,
  input: Input,
  { show, notifies }: Shown<Value, Input>,
  interaction: BaseInteraction,
  context: CommandContext,
): Promise<MessagesReply> {
  const translator = translatorFor(interaction.locale);
  return callOperation(operation, input, interaction, context, (answer, notes) => {
    const call = { input, notes, interaction, context, translator };
    const message = show(answer, call);
    const { inThread } = context;
    return privately(
      shareable(interaction, message, { inThread, notifies: notifies?.(answer, call) ?? false }),
    );
  });
}

/** Subcommands by name; groups of them one level deeper. */
type Tree = Readonly<Record<string, CommandBody | Readonly<Record<string, CommandBody>>>>;

interface SlashDefinition extends Pick<Data, 'contexts' | 'integration_types'> {
  readonly name: string;
  /** See `Guarded.permission`. Discord asks for it too, until a server changes that. */
  readonly permission?: bigint;
  /** Operations besides those that its bodies call. */
  readonly operations?: readonly Operation[];
}

/** @param body the command's work, or its subcommands */
export function slashCommand(
  { name, permission, operations = [], ...where }: SlashDefinition,
  body: CommandBody | Tree,
): SlashCommand {
  const bodies = new Map(isBody(body) ? [['', body]] : walk(body));
  // Discord always calls a subcommand if there are any. Other Discord-compatible servers may not, and neither may an
  // older or newer version of our commands.
  const bodyOf = (interaction: ChatInputCommandInteraction): CommandBody => {
    const path = pathOf(interaction);
    const found = bodies.get(path);
    if (found !== undefined) return found;
    const below = [...bodies.keys()].filter((each) => path === '' || each.startsWith(`${path} `));
    if (below.length === 0) throw new Problem('not_found/command');
    const commands = below.map((each) => `/${name} ${each}`).join(', ');
    throw new Problem('bad_request/command_incomplete', { values: { commands } });
  };
  return {
    data: localiseCommand({
      type: ApplicationCommandType.ChatInput,
      name,
      ...where,
      ...(permission === undefined ? {} : { default_member_permissions: permission.toString() }),
      options: isBody(body) ? optionsOf(body) : levelsOf(body),
    } as WithoutDescription<Data>),
    ...(permission === undefined ? {} : { permission }),
    operations: [...new Set([...[...bodies.values()].flatMap((each) => each.operations), ...operations])],
    defers: (interaction) => bodyOf(interaction).defers(interaction),
    run: async (interaction, context) => bodyOf(interaction).run(interaction, context),
    async complete(interaction, context) {
      const { name: focused } = interaction.options.getFocused(true);
      const option = bodies.get(pathOf(interaction))?.options[focused];
      return (await option?.complete?.(interaction, context)) ?? [];
    },
  };
}

/** Empty for a command without subcommands. */
function pathOf({ options }: ChatInputCommandInteraction | AutocompleteInteraction): string {
  const path = [options.getSubcommandGroup(false), options.getSubcommand(false)];
  return path.filter((each) => each !== null).join(' ');
}

function isBody(body: CommandBody | Tree): body is CommandBody {
  return typeof body.run === 'function';
}

function walk(tree: Tree): [path: string, body: CommandBody][] {
  return Object.entries(tree).flatMap(([name, below]): [string, CommandBody][] =>
    isBody(below) ? [[name, below]] : walk(below).map(([path, body]) => [`${name} ${path}`, body]),
  );
}

function levelsOf(tree: Tree): object[] {
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  return Object.entries(tree).map(([name, below]) =>
    isBody(below)
      ? { type: Subcommand, name, options: optionsOf(below) }
      : { type: SubcommandGroup, name, options: levelsOf(below) },
  );
}

function optionsOf({ options }: CommandBody): object[] {
  return Object.entries(options).map(([name, { data }]) => ({ name, ...data }));
}
