import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';

import type { Message } from './message.ts';

/** The result of a command, a click or a form. The Responder sends it. */
export type Reply =
  | MessagesReply
  | { readonly type: 'modal'; readonly modal: APIModalInteractionResponseCallbackData };

/**
 * The kind of answer that is announced. Never a public one: a failure is shown in private, and a public "is thinking"
 * would stay.
 */
export type Deferral = Exclude<MessagesReply['type'], 'public'>;

export interface MessagesReply {
  /** `private`: only the user sees it; `public`: the channel; `update`: it takes the place of the clicked message. */
  readonly type: 'private' | 'public' | 'update';
  /** At least one; those after the first follow one by one. */
  readonly messages: readonly Message[];
  /**
   * Called when Discord did not take all of it, to undo what nobody has seen.
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
