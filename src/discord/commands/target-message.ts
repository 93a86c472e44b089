import type { APIAttachment, APIEmbed, APIMessage } from 'discord-api-types/v10';

/** The parts of a message that the commands on messages use. */
export interface MessageContent {
  readonly content: string;
  readonly attachments: readonly APIAttachment[];
  readonly embeds: readonly APIEmbed[];
}

/** A forwarded message has its content in a snapshot. */
export function contentOf(message: APIMessage | null): MessageContent {
  const source = message?.message_snapshots?.[0]?.message ?? message;
  return {
    content: source?.content ?? '',
    attachments: source?.attachments ?? [],
    embeds: source?.embeds ?? [],
  };
}
