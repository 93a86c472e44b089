import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  InteractionContextType,
  InteractionResponseType,
  Locale,
  PermissionFlagsBits,
} from 'discord-api-types/v10';

import { reasonOf } from '../../src/kernel/explained-failure.ts';
import type { InteractionHandle } from '../../test/simulator/interaction-handle.ts';
import type { OptionValues } from '../../test/simulator/interaction-options.ts';
import type { InteractionScene } from '../../test/simulator/interaction-scene.ts';
import type { SimulatedMessage } from '../../test/simulator/simulated-message.ts';
import type { Simulator } from '../../test/simulator/simulator.ts';
import { showMessage } from './show-message.ts';
import { describeCommands, readUserLine, type Choice, type TypedOption } from './user-line.ts';

/** After this long without another message, an answer counts as complete. */
const QUIET_MS = 150;
const ANSWER_MS = 15_000;
/** Discord sends an admin all of them. */
const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

export interface UserSessionOptions {
  readonly discord: Simulator;
  readonly print: (text: string) => void;
  readonly adminId: string;
  readonly memberId: string;
  /** Lines to paste into a shell. */
  readonly curls: readonly string[];
}

/** Somebody at the prompt who uses the bot. */
export class UserSession {
  readonly #options: UserSessionOptions;
  #scene: InteractionScene;
  #last: InteractionHandle | null = null;
  #shown: SimulatedMessage | null = null;

  constructor(options: UserSessionOptions) {
    this.#options = options;
    this.#scene = { userId: options.adminId };
  }

  /** Does what a line says and prints what the user would see. Resolves with false when it was the last one. */
  async run(line: string): Promise<boolean> {
    const { discord, print, adminId, memberId, curls } = this.#options;
    try {
      const typed = readUserLine(line, discord.bot().commands);
      switch (typed.kind) {
        case 'nothing':
          break;
        case 'exit':
          return false;
        case 'help':
          print(describeCommands(discord.bot().commands, this.#scene.locale ?? Locale.EnglishUS));
          break;
        case 'curl':
          print(`${curls.join('\n')}\n`);
          break;
        case 'as':
          this.#scene = { ...this.#scene, userId: typed.what === 'member' ? memberId : adminId };
          break;
        case 'in':
          this.#scene = {
            userId: this.#scene.userId ?? adminId,
            locale: this.#scene.locale ?? Locale.EnglishUS,
            ...placeOf(typed.what),
          };
          break;
        case 'language':
          this.#scene = { ...this.#scene, locale: readLocale(typed.what) };
          break;
        case 'slash': {
          this.#refuseHidden(typed.path);
          const values = this.#valuesOf(typed.options);
          await this.#show(discord.interact.slash(typed.path, values, this.#staged()));
          break;
        }
        case 'type':
          this.#refuseHidden(typed.path);
          print(await this.#suggest(typed.path, typed.options));
          break;
        case 'menu':
          this.#refuseHidden(typed.name);
          await this.#show(
            discord.interact.messageCommand(typed.name, { content: typed.content }, this.#staged()),
          );
          break;
        case 'click':
          await this.#show(await this.#handle().click(typed.what, {}, this.#message()));
          break;
        case 'choose':
          await this.#choose(typed.what);
          break;
        case 'submit':
          await this.#show(await this.#handle().submit({ text: typed.what }));
          break;
      }
    } catch (error) {
      print(`! ${reasonOf(error)}`);
    }
    return true;
  }

  /** The user is an admin in other servers, too. */
  #staged(): InteractionScene {
    const { adminId } = this.#options;
    const { userId = adminId, installedBy } = this.#scene;
    const isAdminElsewhere = installedBy === 'user' && userId === adminId;
    return isAdminElsewhere ? { ...this.#scene, permissions: ALL_PERMISSIONS } : this.#scene;
  }

  /** @throws Error where Discord would not show the command */
  #refuseHidden(path: string): void {
    const { discord } = this.#options;
    const command = discord.bot().commands.find(({ name }) => name === path || path.startsWith(`${name} `));
    const { guildId, installedBy } = this.#scene;
    const context = guildId === null ? InteractionContextType.BotDM : InteractionContextType.Guild;
    const isThere = command?.contexts?.includes(context) ?? true;
    const isOfUser = command?.integration_types?.includes(ApplicationIntegrationType.UserInstall) ?? true;
    if (isThere && (installedBy !== 'user' || isOfUser)) return;
    throw new Error(
      guildId === null
        ? `Discord does not show ${path} in direct messages.`
        : `Discord does not show ${path} in a server without the bot.`,
    );
  }

  /** What Discord lists while the last option is typed: its own choices, or what the bot suggests. */
  async #suggest(path: string, options: readonly TypedOption[]): Promise<string> {
    const { locale = Locale.EnglishUS } = this.#scene;
    const focused = options.at(-1);
    if (focused === undefined) throw new Error('Type an option, such as name:');
    const shown = (choice: Choice) => nameIn(choice, locale);
    const list = (choices: readonly Choice[]) =>
      choices.map((choice) => `${shown(choice)}  (${choice.value})`).join('\n');
    if (focused.isSuggested) {
      const values = this.#valuesOf(options, focused);
      const { interact } = this.#options.discord;
      return list(await interact.autocomplete(path, values, focused.name, this.#staged()).choices());
    }
    if (focused.choices.length === 0) throw new Error(`Nothing is suggested for ${focused.name}.`);
    const typed = focused.value.toLowerCase();
    return list(focused.choices.filter((choice) => shown(choice).toLowerCase().includes(typed)));
  }

  /** An option that is left empty counts as not given, except for the one that is being typed. */
  #valuesOf(options: readonly TypedOption[], focused: TypedOption | null = null): OptionValues {
    const { locale = Locale.EnglishUS } = this.#scene;
    return Object.fromEntries(
      options
        .filter((option) => option.value !== '' || option === focused)
        .map((option) => [option.name, readValue(option, locale)]),
    );
  }

  #handle(): InteractionHandle {
    if (this.#last === null) throw new Error('There is no answer yet.');
    return this.#last;
  }

  #message(): SimulatedMessage {
    if (this.#shown === null) throw new Error('There is no message yet.');
    return this.#shown;
  }

  async #choose(label: string): Promise<void> {
    const message = this.#message();
    for (const select of message.controls) {
      const options = select['options'] as readonly { label: string; value: string }[] | undefined;
      const option = options?.find((each) => each.label === label);
      if (option === undefined) continue;
      const id = String(select['custom_id']);
      await this.#show(await this.#handle().select(id, [option.value], {}, message));
      return;
    }
    throw new Error(`There is nothing called "${label}" to choose.`);
  }

  async #show(handle: InteractionHandle): Promise<void> {
    const { print, discord } = this.#options;
    this.#last = handle;
    const late = delay(ANSWER_MS, null, { ref: false });
    const response = await Promise.race([handle.response(), late]);
    if (response === null) throw new Error('No answer has come.');
    if (response.type === InteractionResponseType.Modal) {
      print(`(a form opens: ${response.data.title}; fill it in with "submit")`);
      return;
    }
    // A private message after a click leaves the clicked one as it was.
    const first = await Promise.race([handle.reply(), handle.followUp(0), late]);
    if (first === null) throw new Error('No answer has come.');
    const messages = [first, ...handle.followUps.filter((message) => message !== first)];
    for (;;) {
      await delay(QUIET_MS);
      const further = handle.followUps.filter((message) => !messages.includes(message));
      if (further.length === 0) break;
      messages.push(...further);
    }
    for (const message of messages) print(`${showMessage(message, discord.guild())}\n`);
    this.#shown = messages.at(-1) ?? null;
  }
}

/** `de`, `es`, `pt-br`: as Discord names it, or the first of that language. */
function readLocale(typed: string): Locale {
  const wanted = typed.trim().toLowerCase();
  const all = Object.values(Locale);
  const found =
    all.find((locale) => locale.toLowerCase() === wanted) ??
    all.find((locale) => locale.toLowerCase().startsWith(`${wanted}-`));
  if (found === undefined || wanted === '') {
    throw new Error(`Discord has no language "${typed}"; it has: ${all.join(', ')}.`);
  }
  return found;
}

function placeOf(where: string): InteractionScene {
  if (where === 'dm') return { guildId: null };
  return where === 'elsewhere' ? { guildId: '100000000000000001', installedBy: 'user' } : {};
}

function nameIn({ name, name_localizations: names }: Choice, locale: string): string {
  return names?.[locale] ?? name;
}

/** A choice may be typed as Discord lists it. */
function readValue(
  { name: option, value, type, choices }: TypedOption,
  locale: string,
): OptionValues[string] {
  if (choices.length > 0) {
    const wanted = value.toLowerCase();
    const found = choices.find((choice) =>
      [String(choice.value), choice.name, nameIn(choice, locale)].some(
        (each) => each.toLowerCase() === wanted,
      ),
    );
    if (found !== undefined) return found.value;
    const all = choices.map((choice) => `${nameIn(choice, locale)} (${choice.value})`).join(', ');
    throw new Error(`"${value}" is none of the choices of ${option}: ${all}.`);
  }
  switch (type) {
    case ApplicationCommandOptionType.Integer:
    case ApplicationCommandOptionType.Number:
      return Number(value);
    case ApplicationCommandOptionType.Boolean:
      return value === 'true';
    case ApplicationCommandOptionType.Role:
      return { role: value.replaceAll(/\D/g, '') || value };
    case ApplicationCommandOptionType.Attachment: {
      const path = value.replace(/^@/, '');
      return { file: { name: basename(path), bytes: readFileSync(path) } };
    }
    default:
      return value;
  }
}
