/** The outcome of one call to Discord. It holds no text that Discord sent, so it can be logged. */
export type CallOutcome =
  /** Discord confirmed the call. */
  | {
      readonly kind: 'done';
      readonly body: unknown;
      /** Milliseconds until Discord accepts the next such call; null for none, or if the sender itself waits. */
      readonly resetMs: number | null;
    }
  /** The call was refused, and nothing was done. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** null for a page of the firewall in front of Discord. */
      readonly code: number | null;
      /** The part of the body that Discord refused, as `embeds[0].title`; null if it named none. */
      readonly path: string | null;
    }
  /** Discord has done nothing, and accepts no call before then. */
  | {
      readonly kind: 'limited';
      readonly waitMs: number | null;
      readonly isGlobal: boolean;
      readonly isShared: boolean;
    }
  /** The sender knows that Discord accepts no call before then, so it sent nothing. */
  | { readonly kind: 'held'; readonly waitMs: number }
  /** There was no connection, so nothing was sent. */
  | { readonly kind: 'unreached'; readonly cause: Error }
  /** The deadline had passed when there was a connection, so nothing was sent. */
  | { readonly kind: 'out_of_time' }
  /** The call may have been carried out. */
  | { readonly kind: 'uncertain'; readonly isSlow: boolean; readonly cause: Error };

/** An outcome after which the call is not repeated. */
export type FinalOutcome = Extract<CallOutcome, { kind: 'done' | 'refused' | 'uncertain' }>;

export type FailedOutcome = Exclude<FinalOutcome, { kind: 'done' }>;
