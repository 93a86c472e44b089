import { untilAborted } from '../../kernel/until-aborted.ts';

/** A shorter text takes a few milliseconds, and does not wait for longer ones. */
const SHORT_LENGTH_MAX = 16_384;
/** All steps in one iteration of the event loop have at most this many units, or there is only one step. */
const ITERATION_UNITS_MAX = 50_000;

/** A text that is split. Two are the same only if they are the same object. */
export interface QueuedText {
  readonly tenantId: string;
  /** In units, before any conversion. */
  readonly length: number;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  isUnderWay: boolean;
}

interface Step {
  readonly text: QueuedText;
  readonly units: number;
  readonly begin: () => void;
}

/**
 * Bounds the work on texts in each iteration of the event loop, for all tenants together. Node runs all waiting
 * immediates before it looks at a socket, so many short steps at once would stop everything as one very long step does.
 * Steps that do not fit run in later iterations, tenants in turn. One long text is under way at a time.
 */
export class TextQueue {
  /** By tenant. The first one is next in turn. */
  readonly #waiting = new Map<string, Step[]>();
  #longText: QueuedText | null = null;
  #unitsUsed = 0;
  #isCounting = false;

  /**
   * Waits until a step over this many units may run. It has to run immediately after.
   * @throws the signal's reason when the caller leaves before
   */
  async waitForStep(text: QueuedText, units: number): Promise<void> {
    const { tenantId, length, signal, isUnderWay } = text;
    signal.throwIfAborted();
    const isShort = length <= SHORT_LENGTH_MAX;
    if (!this.#isCounting) {
      this.#isCounting = true;
      // The first immediate still belongs to this iteration.
      setImmediate(setImmediate, this.#beginIteration);
    }
    const fits = this.#unitsUsed + units <= ITERATION_UNITS_MAX;
    if (isShort && fits && (isUnderWay || this.#waiting.size === 0)) {
      text.isUnderWay = true;
      this.#unitsUsed += units;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const step = { text, units, begin: resolve };
    const others = this.#waiting.get(tenantId) ?? [];
    // Short texts under way end first, so that few are held in memory.
    this.#waiting.set(tenantId, isShort && isUnderWay ? [step, ...others] : [...others, step]);
    await untilAborted(signal, promise, () => this.#remove(step));
  }

  /** Has to be called for each text, whatever became of its steps. */
  end(text: QueuedText): void {
    if (this.#longText === text) this.#longText = null;
  }

  readonly #beginIteration = (): void => {
    this.#unitsUsed = 0;
    this.#isCounting = this.#waiting.size > 0;
    if (!this.#isCounting) return;
    // An immediate that was set by another one runs after the next look at the sockets.
    setImmediate(this.#beginIteration);
    for (let step = this.#nextStep(); step !== null; step = this.#nextStep()) {
      const { text, units, begin } = step;
      const others = this.#remove(step);
      // The tenant goes to the end of the line.
      this.#waiting.delete(text.tenantId);
      if (others.length > 0) this.#waiting.set(text.tenantId, others);
      if (text.length > SHORT_LENGTH_MAX) this.#longText = text;
      text.isUnderWay = true;
      this.#unitsUsed += units;
      begin();
    }
  };

  /** Returns the next step in turn, or null when that has to wait for another iteration. */
  #nextStep(): Step | null {
    for (const steps of this.#waiting.values()) {
      const step = steps.find(
        ({ text }) => text.length <= SHORT_LENGTH_MAX || (this.#longText ?? text) === text,
      );
      if (step === undefined) continue;
      const fits = this.#unitsUsed === 0 || this.#unitsUsed + step.units <= ITERATION_UNITS_MAX;
      return fits ? step : null;
    }
    return null;
  }

  /** Returns what else waits for the tenant. */
  #remove(step: Step): Step[] {
    const { tenantId } = step.text;
    const others = this.#waiting.get(tenantId)?.filter((other) => other !== step) ?? [];
    if (others.length > 0) this.#waiting.set(tenantId, others);
    else this.#waiting.delete(tenantId);
    return others;
  }
}
