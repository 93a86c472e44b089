import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type APIApplicationCommand,
} from 'discord-api-types/v10';

/** A line typed at the prompt. */
export type UserLine =
  | { readonly kind: 'slash' | 'type'; readonly path: string; readonly options: readonly TypedOption[] }
  | { readonly kind: 'menu'; readonly name: string; readonly content: string }
  | { readonly kind: 'click' | 'choose' | 'submit' | 'as' | 'in' | 'language'; readonly what: string }
  | { readonly kind: 'help' | 'curl' | 'exit' | 'nothing' };

export interface TypedOption {
  readonly name: string;
  readonly value: string;
  readonly type: ApplicationCommandOptionType;
  /** Discord shows these itself. */
  readonly choices: readonly Choice[];
  /** Discord asks the bot what to suggest. */
  readonly isSuggested: boolean;
}

export interface Choice {
  readonly name: string;
  readonly name_localizations?: Readonly<Partial<Record<string, string | null>>> | null | undefined;
  readonly value: string | number;
}

/** Command or option, as far as names are concerned. */
interface Level {
  readonly choices?: readonly Choice[];
  readonly autocomplete?: boolean;
  readonly name: string;
  readonly name_localizations?: Readonly<Partial<Record<string, string>>> | null;
  readonly type: ApplicationCommandOptionType;
  readonly required?: boolean;
  readonly options?: readonly Level[];
}

const HELP = `/settings key create name:demo builder:botghost   any slash command, as in Discord
/split file:@README.md                            a file of this machine, after an @
menu Split text: some text                        a command in the menu of a message
click Saved it                                    a button of the last answer
choose One hour                                   an entry of its list
submit some text                                  fills in the form it opened (\\n for a line break)
type /permissions encode permission:send          what is suggested while the last option is typed
as member | as admin                              who does it
in guild | in dm | in elsewhere                   where (elsewhere: a server without the bot)
language de                                       the language of Discord (en-US, es-ES, pt-BR, fr, de, tr, ru);
                                                  commands go by their names in any language
curl                                              calls of the API to paste into a shell
exit                                              ends it, and deletes the files that were saved`;

/** A name as Discord shows it in a language. */
function nameIn({ name, name_localizations: names }: Level, locale: string): string {
  return names?.[locale] ?? name;
}

/** The command or option of that name, in any language; the name that it was registered with goes before. */
function findCalled(levels: readonly Level[], typed: string): Level | undefined {
  return (
    levels.find(({ name }) => name === typed) ??
    levels.find(({ name_localizations: names }) => Object.values(names ?? {}).includes(typed))
  );
}

/**
 * The lines above, and every command of the bot with its options, by their names in a language; options in brackets
 * may be left out.
 */
export function describeCommands(commands: readonly APIApplicationCommand[], locale: string): string {
  const lines = commands.flatMap((command) => {
    const level = command as unknown as Level;
    return command.type === ApplicationCommandType.ChatInput
      ? describeSlash(`/${nameIn(level, locale)}`, level.options ?? [], locale)
      : [`menu ${nameIn(level, locale)}:`];
  });
  return `${HELP}\n\nThe commands of the bot:\n\n${lines.join('\n')}`;
}

function describeSlash(path: string, options: readonly Level[], locale: string): string[] {
  const inner = options.filter(
    ({ type }) =>
      type === ApplicationCommandOptionType.Subcommand ||
      type === ApplicationCommandOptionType.SubcommandGroup,
  );
  if (inner.length > 0) {
    return inner.flatMap((each) =>
      describeSlash(`${path} ${nameIn(each, locale)}`, each.options ?? [], locale),
    );
  }
  const fields = options.map((option) => {
    const name = nameIn(option, locale);
    return option.required === true ? ` ${name}:` : ` [${name}:]`;
  });
  return [path + fields.join('')];
}

/** @throws Error that says what is wrong with the line */
export function readUserLine(line: string, commands: readonly APIApplicationCommand[]): UserLine {
  const typed = line.trim();
  if (typed === '' || typed.startsWith('#')) return { kind: 'nothing' };
  if (typed.startsWith('/')) return readSlash('slash', typed.slice(1), commands);
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(typed) ?? [];
  switch (word) {
    case 'help':
    case 'curl':
    case 'exit':
      return { kind: word };
    case 'click':
    case 'choose':
    case 'as':
    case 'in':
    case 'language':
      return { kind: word, what: rest };
    case 'submit':
      return { kind: word, what: rest.replaceAll('\\n', '\n') };
    case 'type':
      return readSlash('type', rest.replace(/^\//, ''), commands);
    case 'menu': {
      const [, name = '', content = ''] = /^([^:]+):\s*(.*)$/s.exec(rest) ?? [];
      return { kind: 'menu', name: menuName(name.trim(), commands), content };
    }
    default:
      throw new Error(`"${word}" is not understood. "help" lists what is.`);
  }
}

/** The name under which the bot registered a command of the menu. */
function menuName(typed: string, commands: readonly APIApplicationCommand[]): string {
  return findCalled(commands as unknown as readonly Level[], typed)?.name ?? typed;
}

function readSlash(
  kind: 'slash' | 'type',
  typed: string,
  commands: readonly APIApplicationCommand[],
): UserLine {
  let level: Level = {
    name: '',
    type: ApplicationCommandOptionType.SubcommandGroup,
    options: commands as unknown as readonly Level[],
  };
  const path: string[] = [];
  let rest = typed;
  for (;;) {
    const word = /^\s*([^\s:]+)(?=\s|$)/.exec(rest);
    const next: Level | undefined = findCalled(level.options ?? [], word?.[1] ?? '');
    if (word === null || next === undefined) break;
    path.push(next.name);
    level = next;
    rest = rest.slice(word[0].length);
  }
  if (path.length === 0) throw new Error(`There is no command /${typed.split(' ')[0] ?? ''}.`);
  return { kind, path: path.join(' '), options: readOptions(rest, level.options ?? []) };
}

/** `name:value name:value`; a value goes on to the next name that the command has. */
function readOptions(rest: string, known: readonly Level[]): TypedOption[] {
  const starts = [...rest.matchAll(/(?:^|\s)([^\s:]+):/g)].flatMap((match) => {
    const option = findCalled(known, match[1] ?? '');
    return option === undefined ? [] : [{ option, at: match.index, valueAt: match.index + match[0].length }];
  });
  if (rest.slice(0, starts[0]?.at ?? rest.length).trim() !== '') {
    throw new Error(
      `"${rest.trim()}" is not an option. The options are: ${known.map(({ name }) => name).join(', ') || 'none'}.`,
    );
  }
  return starts.map(({ option, valueAt }, index) => ({
    name: option.name,
    value: rest.slice(valueAt, starts[index + 1]?.at).trim(),
    type: option.type,
    choices: option.choices ?? [],
    isSuggested: option.autocomplete === true,
  }));
}
