import {
  ApplicationCommandType,
  type RESTPostAPIApplicationCommandsJSONBody,
  type ChatInputCommandInteraction,
} from 'discord.js';

import { ANYWHERE, type CommandContext } from './command.ts';
import { commandBody, slashCommand } from './command-of.ts';
import { ACCENT, container, linkButton, row, separator, text } from '../messages/components.ts';
import { inlineCode } from '../messages/markdown.ts';
import { privately } from '../messages/reply.ts';
import { translatorFor, type Translator } from '../locales/translator.ts';
import { leavesOf } from './command-leaves.ts';

/** `/help`, for all users. It lists the registered commands. */
export const helpCommand = slashCommand(
  { name: 'help', ...ANYWHERE },
  commandBody({
    defers: false,
    async run(_given, interaction, context) {
      const translator = translatorFor(interaction.locale);
      const { commands } = context;
      const slash = commands.filter(({ type }) => type !== ApplicationCommandType.Message);
      const menus = commands.filter(({ type }) => type === ApplicationCommandType.Message);
      return privately({
        components: [
          container(
            ACCENT.neutral,
            text(translator.translate('help.about')),
            separator(),
            text(
              [
                translator.translate('help.commands'),
                ...linesOf(
                  slash.filter((command) => !isForManagers(command)),
                  interaction,
                  context,
                ),
                translator.translate('help.menus', {
                  names: menus
                    .map((menu) => menu.name_localizations?.[interaction.locale] ?? menu.name)
                    .join(' · '),
                }),
              ].join('\n'),
            ),
            text(
              [
                translator.translate('help.managers'),
                ...linesOf(slash.filter(isForManagers), interaction, context),
              ].join('\n'),
            ),
            separator(),
            text(translator.translate('help.bot', { create: context.mention('settings key create') })),
            text(
              [translator.translate('help.httpOnly'), ...operationsWithoutCommand(translator, context)].join(
                '\n',
              ),
            ),
            row(
              ...(isReachable(context.publicUrl())
                ? [linkButton(translator.translate('help.docs'), `${context.publicUrl()}/docs`)]
                : []),
              linkButton(translator.translate('help.inviteButton'), context.inviteUrl()),
            ),
          ),
        ],
      });
    },
  }),
);

/** Discord shows the command only to members with a permission. */
function isForManagers({ default_member_permissions }: RESTPostAPIApplicationCommandsJSONBody): boolean {
  return typeof default_member_permissions === 'string';
}

function linesOf(
  commands: readonly RESTPostAPIApplicationCommandsJSONBody[],
  { locale }: ChatInputCommandInteraction,
  context: CommandContext,
): readonly string[] {
  return commands
    .flatMap((command) => leavesOf(command))
    .map(
      ({ path, description, description_localizations }) =>
        `- ${context.mention(path)} ${description_localizations[locale] ?? description}`,
    );
}

function operationsWithoutCommand(translator: Translator, context: CommandContext): readonly string[] {
  const url = context.publicUrl();
  return context.operations
    .filter(({ noCommandReason }) => noCommandReason !== null)
    .map(({ name }) => {
      const shown = isReachable(url) ? `[${name}](${url}/docs/${name})` : inlineCode(name);
      return `- ${shown} ${translator.about('operation', name) ?? ''}`;
    });
}

/** Without a public URL in the settings, the URL is this machine's, and no link should lead to it. */
function isReachable(url: string): boolean {
  return URL.canParse(url) && !/^(?:localhost|127\.|\[::1\])/.test(new URL(url).host);
}
