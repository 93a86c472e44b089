/**
 * A failure with one sentence that tells an operator what to change. The log shows the sentence without a stack.
 */
export class ExplainedFailure extends Error {
  /** True when a restart is useless until someone changes a setting or its target. */
  readonly isFinal: boolean;
  /** True when each restart costs one of the identifies that Discord allows a day, so it must not restart immediately. */
  readonly costsIdentify: boolean;

  constructor(
    message: string,
    {
      cause,
      isFinal = false,
      costsIdentify = false,
    }: { cause?: unknown; isFinal?: boolean; costsIdentify?: boolean } = {},
  ) {
    super(message, { cause });
    this.name = 'ExplainedFailure';
    this.isFinal = isFinal;
    this.costsIdentify = costsIdentify;
  }
}

/** The message of an error, or its code: a failed connection may have no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
