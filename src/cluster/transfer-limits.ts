/** How much may be under way between processes. */
export interface TransferLimits {
  /** Longest wait for an answer to begin. */
  readonly answerMs: number;
  /** Longest wait for the next piece of a long list, or for a place to receive one. */
  readonly pieceMs: number;
  /** Questions of this process that wait for an answer at a time. */
  readonly questionsMax: number;
  /** Long lists that this process receives at a time; others wait. */
  readonly transfersMax: number;
  /** Long lists of other processes that callers here are reading, in bytes; a single one may be larger. */
  readonly heldBytesMax: number;
  /** Long lists of other processes that are kept for the next who asks, in bytes. */
  readonly keptBytesMax: number;
  /** Long lists that this process has begun to send. */
  readonly sendingMax: number;
  /** So long a list that is being sent waits for who asked, and a received one for its caller to end. */
  readonly idleMs: number;
}

/**
 * Redis cuts a subscriber for whom over 32 MiB are waiting (`client-output-buffer-limit pubsub`). 512 first parts of 16
 * KiB and 16 lists with a window of 512 KiB are half of that.
 */
export const TRANSFER_LIMITS: TransferLimits = {
  answerMs: 3_000,
  pieceMs: 5_000,
  questionsMax: 512,
  transfersMax: 16,
  heldBytesMax: 128 * 2 ** 20,
  keptBytesMax: 64 * 2 ** 20,
  sendingMax: 256,
  idleMs: 60_000,
};

/** A list up to this size comes with its head, in one message. */
export const WHOLE_BYTES_MAX = 16 * 1024;
export const PIECE_BYTES_MAX = 64 * 1024;
/** Pieces that may be under way in a list. */
export const WINDOW_PIECES = 8;
