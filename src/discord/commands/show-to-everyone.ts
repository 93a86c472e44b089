import {
  ComponentType,
  type APIMessageTopLevelComponent,
  type APISeparatorComponent,
  type APITextDisplayComponent,
  type BaseInteraction,
  type Message as ClickedMessage,
  type TopLevelComponent,
} from 'discord.js';

import { Problem } from '../../kernel/problem.ts';
import type { ComponentAction } from './command.ts';
import { button, encodeCustomId, file, row, separator, text } from '../messages/components.ts';
import { mayPostPublicly } from './permitted.ts';
import { publicly, type Message, type ComponentsMessage } from '../messages/reply.ts';
import { readAttachment } from './read-message.ts';
import { translatorFor } from '../locales/translator.ts';

/** Discord's limit for one message. */
const NOTIFIED_MAX = 100;
/** The argument of a button that also notifies the users whom the result names. */
const NOTIFYING = 'notify';

interface ShareOptions {
  readonly inThread: boolean;
  /** True to add a second button, which also notifies the users whom the result mentions. */
  readonly notifies?: boolean;
}

/** Adds the button that repeats a result for the whole channel. Users who cannot write there do not get it. */
export function shareable(
  interaction: BaseInteraction,
  message: Message,
  { inThread, notifies = false }: ShareOptions,
): Message {
  if (!mayPostPublicly(interaction, inThread, 'files' in message)) return message;
  const idOf = (argument: string) =>
    encodeCustomId({ action: showToEveryone.action, userId: interaction.user.id, argument });
  const translator = translatorFor(interaction.locale);
  const share = row(
    button('Secondary', translator.translate('share.button'), idOf('')),
    ...(notifies ? [button('Secondary', translator.translate('share.notify'), idOf(NOTIFYING))] : []),
  );
  return { ...message, components: [...(message.components ?? []), share] };
}

/** Repeats the clicked message, from what Discord sends with the click, because messages are not stored. */
export const showToEveryone: ComponentAction = {
  action: 'show',
  defer: 'update',
  bucket: 'command',
  async run(interaction, argument, { signal, inThread }) {
    const { message } = interaction;
    if (message === null) throw new Problem('not_found/component');
    if (!mayPostPublicly(interaction, inThread, message.attachments.size > 0))
      throw new Problem('bad_request/may_not_speak');
    if (message.content !== '')
      return publicly({ content: message.content, components: [signature(interaction)] });
    if (message.embeds.length > 0) {
      const embeds = message.embeds.map(({ description }) => ({ description: description ?? '' }));
      return publicly({ embeds, components: [signature(interaction)] });
    }
    const files = await Promise.all(
      message.attachments.map(async ({ name, url, size }) => ({
        name,
        attachment: await readAttachment(url, Math.min(size, interaction.attachmentSizeLimit), signal),
      })),
    );
    const shown = files.map(({ name }) => file(name));
    const copy = copyComponents(message);
    return publicly({
      components: [
        ...copy,
        ...shown,
        text(translatorFor(interaction.locale).translate('share.by', { user: `<@${interaction.user.id}>` })),
      ],
      files,
      ...(argument === NOTIFYING ? { allowedMentions: { parse: [], users: usersIn(copy) } } : {}),
    });
  },
};

/** The users whom a message of ours mentions. A message that may notify contains no text that users typed. */
function usersIn(components: ComponentsMessage['components']): string[] {
  const mentions = JSON.stringify(components).matchAll(/<@(\d{1,20})>/g);
  return [...new Set(Array.from(mentions, ([, id = '']) => id))].slice(0, NOTIFIED_MAX);
}

/**
 * A button that only names the user who shows a chunk of a split text. The chunk itself must stay unchanged for
 * copying.
 */
function signature({ user, locale }: BaseInteraction): APIMessageTopLevelComponent {
  const customId = encodeCustomId({
    action: showToEveryone.action,
    userId: user.id,
    argument: 'signature',
  });
  return row({
    ...button(
      'Secondary',
      translatorFor(locale).translate('share.byName', { name: user.username }),
      customId,
    ),
    disabled: true,
  });
}

/**
 * The components as we sent them, without Discord's additions. Rows of buttons are left out, and files are added again.
 */
function copyComponents({ components }: ClickedMessage): ComponentsMessage['components'] {
  return components.flatMap((component): APIMessageTopLevelComponent[] => {
    if (component.type !== ComponentType.Container) return copyPart(component);
    return [
      {
        type: ComponentType.Container,
        accent_color: component.accentColor,
        components: component.components.flatMap((part) => copyPart(part)),
      },
    ];
  });
}

function copyPart(component: TopLevelComponent): (APITextDisplayComponent | APISeparatorComponent)[] {
  switch (component.type) {
    case ComponentType.TextDisplay:
      return [text(component.content)];
    case ComponentType.Separator:
      return [separator()];
    default:
      return [];
  }
}
