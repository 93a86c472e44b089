import type { Attachment, Embed, Message } from 'discord.js';

/** The parts of a message that the commands on messages use. */
export interface MessageContent {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly embeds: readonly Embed[];
}

/** A forwarded message has its content in a snapshot. */
export function contentOf(message: Message): MessageContent {
  const { content, attachments, embeds } = message.messageSnapshots.first() ?? message;
  return { content: content ?? '', attachments: [...attachments.values()], embeds };
}
