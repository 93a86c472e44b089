import { BUILDERS, type BuilderId } from '../../../guild-keys/builders.ts';
import type { IssuedKey } from '../../../guild-keys/guild-keys.ts';
import { Problem } from '../../../problem.ts';
import { snippetFor } from '../../../recipes/snippets.ts';
import type { ComponentAction } from '../command.ts';
import { ACCENT, button, container, row, separator, text } from '../../messages/components.ts';
import { encodeCustomId } from '../../messages/custom-id.ts';
import { clip, codeBlock } from '../../messages/markdown.ts';
import type { PanelMessage } from '../../messages/message.ts';
import { updating, type MessagesReply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { texts } from '../../messages/texts.ts';

export interface IssuedKeyReplyOptions {
  readonly issued: IssuedKey;
  readonly guildId: string;
  readonly userId: string;
  readonly builder: BuilderId;
  /** False when the builder is only one that would do. */
  readonly isChosen: boolean;
  readonly heading: string;
  /** How long the old key lives; null when there is none. */
  readonly note: string | null;
  readonly type: 'private' | 'update';
}

/** An address may be long, and a message that Discord refuses would show no key at all. */
const SNIPPET_LENGTH_MAX = 3_000;
/** The rest of the custom id leaves so much of a name, which is at most 32 characters of two units each. */
const SAVED_NAME_UNITS_MAX = 40;

/** The one message that shows a key. A key that could not be shown is revoked: nobody has it, and it would stay. */
export async function issuedKeyReply(
  options: IssuedKeyReplyOptions,
  services: Services,
): Promise<MessagesReply> {
  const { issued, guildId, type } = options;
  const withdraw = async (cause: unknown): Promise<Problem> => {
    try {
      await services.keys.withdraw(guildId, issued.entry.keyId);
    } catch (error) {
      const problem = texts.keys.notShownNorRevoked(issued.entry.publicPart);
      return new Problem('storage_unavailable', { ...problem, cause: error });
    }
    return new Problem('discord_unavailable', { ...texts.keys.notShown, cause });
  };
  let message: PanelMessage;
  try {
    message = issuedKeyMessage(options, services);
  } catch (error) {
    throw await withdraw(error);
  }
  return {
    type,
    messages: [message],
    async onUndelivered(error) {
      throw await withdraw(error);
    },
  };
}

function issuedKeyMessage(options: IssuedKeyReplyOptions, services: Services): PanelMessage {
  const { builder, isChosen, heading, note } = options;
  const { key, entry } = options.issued;
  const { label } = BUILDERS[builder];
  const saved = encodeCustomId({
    action: savedKey.action,
    userId: options.userId,
    argument: `${entry.publicPart} ${clip(entry.name, SAVED_NAME_UNITS_MAX)}`,
  });
  return {
    components: [
      container(
        ACCENT.good,
        text([heading, texts.keys.copyNow, ...(note === null ? [] : [note])].join('\n')),
        text(codeBlock(key)),
        text(
          [
            texts.keys.about(entry.publicPart, entry.expiresAt, isChosen ? label : null),
            ...(entry.operations === null ? [] : [texts.keys.scope(entry.operations)]),
          ].join('\n'),
        ),
        separator(),
        text(snippetText(options, services.publicUrl())),
        row(button('success', texts.keys.savedIt, saved)),
      ),
    ],
  };
}

function snippetText({ builder, isChosen, issued }: IssuedKeyReplyOptions, publicUrl: string): string {
  const { label } = BUILDERS[builder];
  const snippet = snippetFor(builder, issued.key, publicUrl, issued.entry.operations);
  const title = isChosen ? texts.keys.snippet(label) : texts.keys.anySnippet(label);
  const whole =
    snippet === null ? null : `${title}\n${codeBlock(snippet.code, snippet.language)}\n${snippet.note}`;
  return whole !== null && whole.length <= SNIPPET_LENGTH_MAX
    ? whole
    : clip(texts.keys.noSnippet(publicUrl), SNIPPET_LENGTH_MAX);
}

/** Takes the key off the screen. Needs nothing but the click, so that it works whatever else is down. */
export const savedKey: ComponentAction = {
  action: 'key-saved',
  defer: null,
  bucket: null,
  async run(call, services) {
    const [, publicPart = '', name = ''] = /^(\S*) (.*)$/s.exec(call.argument) ?? [];
    return updating({
      components: [
        container(
          ACCENT.good,
          text(texts.keys.saved(name, publicPart)),
          text(texts.keys.manage(services.mention('settings key list'), services.mention('settings usage'))),
        ),
      ],
    });
  },
};
