import {
  ComponentType,
  type APIComponentInContainer,
  type APIMessage,
  type APIMessageTopLevelComponent,
} from 'discord-api-types/v10';

import type { ComponentAction } from './command.ts';
import { button, file, row, separator, text } from '../messages/components.ts';
import { encodeCustomId } from '../messages/custom-id.ts';
import { maySpeak, type Invocation } from '../interactions/invocation.ts';
import { filesOf, type FileUpload, type Message, type PanelMessage } from '../messages/message.ts';
import { readAttachment } from './read-attachment.ts';
import { publicly } from '../messages/reply.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';
import { wordsFor } from '../locales/words.ts';

/** Discord's limit for one message. */
const NOTIFIED_MAX = 100;
/** The argument of a button that also notifies the users whom the result names. */
const NOTIFYING = 'notify';

/** A result with the button that repeats it for the whole channel, for those who could write there themselves. */
/** @param notifyLabel of a second button, which also notifies the users whom the result names; null for none */
export function shareable(call: Invocation, message: Message, notifyLabel: string | null = null): Message {
  if (!maySpeak(call, filesOf(message).length > 0)) return message;
  const idOf = (argument: string) =>
    encodeCustomId({ action: showToEveryone.action, userId: call.userId, argument });
  const share = row(
    button('secondary', wordsFor(call.locale).say('share.button'), idOf('')),
    ...(notifyLabel === null ? [] : [button('secondary', notifyLabel, idOf(NOTIFYING))]),
  );
  return { ...message, components: [...(message.components ?? []), share] };
}

/** Repeats the clicked message from what Discord sends along with the click: nothing is kept here meanwhile. */
export const showToEveryone: ComponentAction = {
  action: 'show',
  defer: 'update',
  bucket: 'command',
  async run(call) {
    const { message } = call;
    if (message === null) throw SpokenProblem.of('not_found', 'unknown_component');
    if (!maySpeak(call, message.attachments.length > 0))
      throw SpokenProblem.of('bad_request', 'may_not_speak');
    if (message.content !== '') return publicly({ content: message.content, components: [signature(call)] });
    if (message.embeds.length > 0) {
      const embeds = message.embeds.map(({ description = '' }) => ({ description }));
      return publicly({ embeds, components: [signature(call)] });
    }
    const files = await Promise.all(
      message.attachments.map(async ({ filename, url, size }): Promise<FileUpload> => ({
        name: filename,
        bytes: await readAttachment(url, Math.min(size, call.attachmentBytesMax), call.signal),
      })),
    );
    const shown = files.map(({ name }) => file(name));
    const copy = copyPanel(message);
    return publicly({
      components: [
        ...copy,
        ...shown,
        text(wordsFor(call.locale).say('share.by', { user: `<@${call.userId}>` })),
      ],
      files,
      notifies: call.argument === NOTIFYING ? usersIn(copy) : [],
    });
  },
};

/** Users whom a message of ours mentions. A message that may notify contains nothing that people typed. */
function usersIn(components: PanelMessage['components']): string[] {
  const mentions = JSON.stringify(components).matchAll(/<@(\d{1,20})>/g);
  return [...new Set(Array.from(mentions, ([, id = '']) => id))].slice(0, NOTIFIED_MAX);
}

/** A plain piece stays as it is, so that it can be copied. A button below it, which does nothing, says who shows it. */
function signature({ userId, userName, locale }: Invocation): APIMessageTopLevelComponent {
  const customId = encodeCustomId({ action: showToEveryone.action, userId, argument: 'signature' });
  return row({
    ...button('secondary', wordsFor(locale).say('share.byName', { name: userName }), customId),
    disabled: true,
  });
}

function copyPanel(message: APIMessage): PanelMessage['components'] {
  return (message.components ?? []).flatMap((component) => copyTopLevel(component));
}

/**
 * Components as they came from us, without what Discord added. Rows of buttons are left out, and files are added again.
 */
function copyTopLevel(component: APIMessageTopLevelComponent): APIMessageTopLevelComponent[] {
  if (component.type !== ComponentType.Container) return copyPart(component);
  return [
    {
      type: ComponentType.Container,
      accent_color: component.accent_color ?? null,
      components: component.components.flatMap((part) => copyPart(part)),
    },
  ];
}

function copyPart(
  component: APIMessageTopLevelComponent,
): Extract<APIComponentInContainer, APIMessageTopLevelComponent>[] {
  switch (component.type) {
    case ComponentType.TextDisplay:
      return [text(component.content)];
    case ComponentType.Separator:
      return [separator()];
    default:
      return [];
  }
}
