import { MessageFlags, type APIMessageTopLevelComponent } from 'discord-api-types/v10';

export interface FileUpload {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A message made of components. At most 40 of them, with 4,000 characters together. */
export interface PanelMessage {
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly files?: readonly FileUpload[];
  /** Users whom it notifies where it mentions them; at most 100. */
  readonly notifies?: readonly string[];
}

/** A message that is its text and nothing else, so that it can be copied or sent on as it is. */
interface PlainMessage {
  /** At most 2,000 characters. */
  readonly content: string;
  readonly components?: readonly APIMessageTopLevelComponent[];
}

/** Texts that are longer than a plain message takes, as embeds. */
interface EmbedMessage {
  /** At most 10, with 6,000 characters together. */
  readonly embeds: readonly { readonly description: string }[];
  readonly components?: readonly APIMessageTopLevelComponent[];
}

export type Message = PanelMessage | PlainMessage | EmbedMessage;

/** What goes over the wire as one message. */
export interface MessageBody {
  readonly content?: string;
  readonly embeds?: readonly { readonly description: string }[];
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly flags: number;
  readonly allowed_mentions: { readonly parse: readonly []; readonly users?: readonly string[] };
  readonly attachments: readonly { readonly id: string; readonly filename: string }[];
}

/**
 * The body of a message. Mentions are off, unless it says whom it notifies: whatever a user typed comes back without
 * a ping.
 * @param ephemeral only for new messages; an edit keeps what the message was
 */
export function toMessageBody(message: Message, ephemeral: boolean): MessageBody {
  const plain = 'content' in message || 'embeds' in message;
  const notifies = plain ? [] : (message.notifies ?? []);
  return {
    ...('content' in message ? { content: message.content } : {}),
    ...('embeds' in message ? { embeds: message.embeds } : {}),
    components: message.components ?? [],
    flags: (plain ? 0 : MessageFlags.IsComponentsV2) | (ephemeral ? MessageFlags.Ephemeral : 0),
    allowed_mentions: notifies.length === 0 ? { parse: [] } : { parse: [], users: notifies },
    attachments: filesOf(message).map((file, index) => ({ id: String(index), filename: file.name })),
  };
}

export function filesOf(message: Message): readonly FileUpload[] {
  return 'files' in message ? (message.files ?? []) : [];
}
