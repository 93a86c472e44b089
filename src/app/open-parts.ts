import { untilAborted } from '../kernel/until-aborted.ts';

export interface OpenPartsOptions {
  /** Running requests and interactions together get this long, from when the first part is asked to close. */
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

  /** Milliseconds left until the deadline. The first call starts the clock. */
  timeLeftMs(): number {
    this.#stopAt ??= performance.now() + this.#options.timeoutMs;
    return Math.max(0, this.#stopAt - performance.now());
  }

  /**
   * Waits for a step of the start, unless the start is aborted. Anything that the step opens later stays open until the
   * process ends.
   * @throws the signal's reason
   */
  async unlessStopped<Value>(step: Promise<Value>): Promise<Value> {
    const { stop } = this.#options;
    return stop === undefined ? step : untilAborted(stop, step);
  }

  /** A second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#stack.disposeAsync();
    return this.#closing;
  }
}
