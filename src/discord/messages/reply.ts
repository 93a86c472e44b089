import type {
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackData,
  AttachmentPayload,
  MessageMentionOptions,
} from 'discord.js';

/** A message made of components: at most 40, with 4,000 characters in all. */
export interface ComponentsMessage {
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly files?: readonly AttachmentPayload[];
  /** Without it, the message notifies no users. */
  readonly allowedMentions?: MessageMentionOptions;
}

/** A message of plain text, so that users can copy or forward it unchanged. */
interface PlainMessage {
  /** At most 2,000 characters. */
  readonly content: string;
  readonly components?: readonly APIMessageTopLevelComponent[];
}

/** Texts that are too long for a plain message, as embeds. */
interface EmbedMessage {
  /** At most 10, with 6,000 characters in all. */
  readonly embeds: readonly { readonly description: string }[];
  readonly components?: readonly APIMessageTopLevelComponent[];
}

export type Message = ComponentsMessage | PlainMessage | EmbedMessage;

/** The result of a command, a click or a form. The Responder sends it. */
export type Reply =
  | MessagesReply
  | { readonly type: 'modal'; readonly modal: APIModalInteractionResponseCallbackData };

/**
 * The kind of answer that a deferral promises. It is never public, because a failure is shown in private, and a public
 * "is thinking" would stay visible.
 */
export type Deferral = Exclude<MessagesReply['type'], 'public'>;

export interface MessagesReply {
  /** `private`: only the user sees it. `public`: the channel sees it. `update`: it replaces the clicked message. */
  readonly type: 'private' | 'public' | 'update';
  /** At least one. The others follow one by one. */
  readonly messages: readonly Message[];
  /**
   * Called when Discord did not take all of it, to undo work that the user has not seen.
   * @throws Problem, which is shown if that is still possible
   */
  readonly onUndelivered?: (cause: unknown) => Promise<never>;
}

export function privately(...messages: readonly Message[]): MessagesReply {
  return { type: 'private', messages };
}

export function publicly(...messages: readonly Message[]): MessagesReply {
  return { type: 'public', messages };
}

export function updating(message: Message): MessagesReply {
  return { type: 'update', messages: [message] };
}
