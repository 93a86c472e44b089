import type {
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackData,
  AttachmentPayload,
  MessageMentionOptions,
} from 'discord.js';

/** A message made of components: at most 40, with 4,000 characters in all. */
export interface PanelMessage {
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly files?: readonly AttachmentPayload[];
  /** Without it, nobody is notified. */
  readonly allowedMentions?: MessageMentionOptions;
}

/** A message that is nothing but its text, so that it can be copied or sent on as it is. */
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

export type Message = PanelMessage | PlainMessage | EmbedMessage;

/** The result of a command, a click or a form. The Responder sends it. */
export type Reply =
  | MessagesReply
  | { readonly type: 'modal'; readonly modal: APIModalInteractionResponseCallbackData };

/**
 * The kind of answer that is announced. It is never public: a failure is shown in private, and a public "is thinking"
 * would stay visible.
 */
export type Deferral = Exclude<MessagesReply['type'], 'public'>;

export interface MessagesReply {
  /** `private`: only the user sees it; `public`: the channel does; `update`: it replaces the clicked message. */
  readonly type: 'private' | 'public' | 'update';
  /** At least one; those after the first follow one by one. */
  readonly messages: readonly Message[];
  /**
   * Called when Discord did not take all of it, to undo work that nobody has seen.
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
