import { ApplicationCommandType, type RESTPostAPIApplicationCommandsJSONBody } from 'discord-api-types/v10';

import { ACCENT, container, linkButton, row, separator, text } from '../messages/components.ts';
import { privately } from '../messages/reply.ts';
import { localiseCommand } from '../locales/localise-command.ts';
import { wordsFor } from '../locales/words.ts';
import type { Command, CommandCall } from './command.ts';
import { leavesOf } from './registration/command-leaves.ts';
import type { Services } from './services.ts';
import { ANYWHERE } from './where.ts';

/** What the bot does, for everybody. The list of commands is the list that is registered. */
export const helpCommand: Command = {
  data: localiseCommand({
    type: ApplicationCommandType.ChatInput,
    name: 'help',
    ...ANYWHERE,
  }),
  operations: [],
  bucket: 'command',
  defers: () => false,
  async run(call, services) {
    const words = wordsFor(call.locale);
    const { commands } = services;
    const slash = commands.filter(({ type }) => type !== ApplicationCommandType.Message);
    const menus = commands.filter(({ type }) => type === ApplicationCommandType.Message);
    return privately({
      components: [
        container(
          ACCENT.neutral,
          text(words.say('help.about')),
          separator(),
          text(
            [
              words.say('help.commands'),
              ...linesOf(
                slash.filter((command) => !isForManagers(command)),
                call,
                services,
              ),
              words.say('help.menus', {
                names: menus.map((menu) => inLanguage(menu.name, menu.name_localizations, call)).join(' · '),
              }),
            ].join('\n'),
          ),
          text(
            [words.say('help.managers'), ...linesOf(slash.filter(isForManagers), call, services)].join('\n'),
          ),
          separator(),
          text(words.say('help.bot', { create: services.mention('settings key create') })),
          row(
            ...(isReachable(services.publicUrl())
              ? [linkButton(words.say('help.docs'), `${services.publicUrl()}/docs`)]
              : []),
            linkButton(words.say('help.inviteButton'), services.inviteUrl()),
          ),
        ),
      ],
    });
  },
};

/** Shown by Discord only to members with a permission. */
function isForManagers({ default_member_permissions }: RESTPostAPIApplicationCommandsJSONBody): boolean {
  return typeof default_member_permissions === 'string';
}

function linesOf(
  commands: readonly RESTPostAPIApplicationCommandsJSONBody[],
  call: CommandCall,
  services: Services,
): readonly string[] {
  return commands
    .flatMap((command) => leavesOf(command))
    .map(
      ({ path, description, description_localizations }) =>
        `- ${services.mention(path)} ${inLanguage(description, description_localizations, call)}`,
    );
}

/** As Discord shows it in the list of commands. */
function inLanguage(
  english: string,
  localisations: Readonly<Partial<Record<string, string | null>>> | null | undefined,
  { locale }: CommandCall,
): string {
  return new Map(Object.entries(localisations ?? {})).get(locale) ?? english;
}

/** Without a public address in the settings it is the address of this machine itself, to which no link should lead. */
function isReachable(url: string): boolean {
  return URL.canParse(url) && !/^(?:localhost|127\.|\[::1\])/.test(new URL(url).host);
}
