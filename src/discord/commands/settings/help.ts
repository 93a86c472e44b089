import { inlineCode } from '../../messages/markdown.ts';
import { ACCENT, container, linkButton, row, separator, text } from '../../messages/components.ts';
import { privately } from '../../messages/reply.ts';
import { translatorFor } from '../../locales/translator.ts';
import { commandBody } from '../command-of.ts';

/** `/settings help`: how to use the API, for users who can make a key. `/help` is for all users. */
export const showHelp = commandBody({
  async run(_given, interaction, context) {
    const translator = translatorFor(interaction.locale);
    const url = context.publicUrl();
    const operations = context.operations.map(
      ({ name, path }) => `- ${inlineCode(path)} ${translator.about('operation', name) ?? ''}`,
    );
    return privately({
      components: [
        container(
          ACCENT.neutral,
          text(
            translator.translate('help.start', {
              create: context.mention('settings key create'),
              usage: context.mention('settings usage'),
              help: context.mention('help'),
            }),
          ),
          separator(),
          text(
            [
              translator.translate('help.api', { url, docs: `${url}/docs` }),
              ...operations,
              translator.translate('help.limits', {
                n: context.requestsPerMinute,
                images: context.imagesPerMinute,
                sends: context.sendsPerMinute,
              }),
            ].join('\n'),
          ),
          separator(),
          text(translator.translate('help.invite')),
          row(linkButton(translator.translate('help.inviteButton'), context.inviteUrl())),
        ),
      ],
    });
  },
});
