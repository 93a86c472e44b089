import type { CommandCall } from '../command.ts';
import { ACCENT, container, linkButton, row, separator, text } from '../../messages/components.ts';
import { privately, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';

export async function showHelp(_call: CommandCall, services: Services): Promise<MessagesReply> {
  const mention = (path: string) => services.mention(path);
  const operations = services.operations.map(({ path, summary }) => ({ path, summary }));
  return privately({
    components: [
      container(
        ACCENT.neutral,
        text(texts.help.start(mention)),
        separator(),
        text(
          texts.help.api(
            services.publicUrl(),
            operations,
            services.requestsPerMinute,
            services.imagesPerMinute,
          ),
        ),
        separator(),
        text(texts.help.commands(mention)),
        separator(),
        text(texts.help.invite),
        row(linkButton(texts.help.inviteButton, services.inviteUrl())),
      ),
    ],
  });
}
