import { inlineCode } from '../../messages/markdown.ts';
import { ACCENT, container, linkButton, row, separator, text } from '../../messages/components.ts';
import { privately, type MessagesReply } from '../../messages/reply.ts';
import { wordsFor } from '../../locales/words.ts';
import type { CommandCall } from '../command.ts';
import type { Services } from '../services.ts';

/** `/settings help`: how to use the API, for those who can make a key. `/help` is for everybody. */
export async function showHelp(call: CommandCall, services: Services): Promise<MessagesReply> {
  const words = wordsFor(call.locale);
  const url = services.publicUrl();
  const operations = services.operations.map(
    ({ name, path }) => `- ${inlineCode(path)} ${words.about('operation', name) ?? ''}`,
  );
  return privately({
    components: [
      container(
        ACCENT.neutral,
        text(
          words.say('help.start', {
            create: services.mention('settings key create'),
            usage: services.mention('settings usage'),
            help: services.mention('help'),
          }),
        ),
        separator(),
        text(
          [
            words.say('help.api', { url, docs: `${url}/docs` }),
            ...operations,
            words.say('help.limits', { n: services.requestsPerMinute, images: services.imagesPerMinute }),
          ].join('\n'),
        ),
        separator(),
        text(words.say('help.invite')),
        row(linkButton(words.say('help.inviteButton'), services.inviteUrl())),
      ),
    ],
  });
}
