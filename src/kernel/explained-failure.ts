/**
 * A failure that one sentence explains to an operator: it names what to change. The log takes the sentence and leaves
 * out the stack.
 */
export class ExplainedFailure extends Error {
  /** Trying again is useless: a setting has to change, or what it points to. */
  readonly isFinal: boolean;
  /** Each try costs one of the logins that Discord allows, so a supervisor that tries again immediately does harm. */
  readonly costsLogin: boolean;

  constructor(
    message: string,
    {
      cause,
      isFinal = false,
      costsLogin = false,
    }: { cause?: unknown; isFinal?: boolean; costsLogin?: boolean } = {},
  ) {
    super(message, { cause });
    this.name = 'ExplainedFailure';
    this.isFinal = isFinal;
    this.costsLogin = costsLogin;
  }
}

/** What an error says, for a sentence to operators. A failed connection to a name may have a code but no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
