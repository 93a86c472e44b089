export interface OpenPartsOptions {
  /** Running requests and interactions together get this long, from the first one that is asked to end. */
  readonly timeoutMs: number;
  /** Ends a start that is under way. */
  readonly stop?: AbortSignal | undefined;
  /** Called with the name of each part before it is closed. */
  readonly onClosing?: ((part: string) => void) | undefined;
}

/** The parts of the app in the order in which they were opened. Closing is the same list backwards. */
export class OpenParts {
  readonly #options: OpenPartsOptions;
  readonly #stack = new AsyncDisposableStack();
  #stopAt: number | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: OpenPartsOptions) {
    this.#options = options;
  }

  whenClosing(part: string, close: () => PromiseLike<unknown> | void): void {
    this.#stack.defer(async () => {
      this.#options.onClosing?.(part);
      await close();
    });
  }

  /** Milliseconds of the deadline that are left; it begins with the first call. */
  timeLeftMs(): number {
    this.#stopAt ??= performance.now() + this.#options.timeoutMs;
    return Math.max(0, this.#stopAt - performance.now());
  }

  /**
   * Waits for a step of the start, but no longer than until the start is to stop. What the step opens after that is
   * left to the end of the process.
   * @throws the reason of the signal
   */
  async unlessStopped<Value>(step: Promise<Value>): Promise<Value> {
    const { stop } = this.#options;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(stop?.reason);
    if (stop?.aborted) onAbort();
    stop?.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([step, stopped]);
    } finally {
      stop?.removeEventListener('abort', onAbort);
    }
  }

  /** A second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#stack.disposeAsync();
    return this.#closing;
  }
}
