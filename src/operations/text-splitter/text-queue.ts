import { untilAborted } from '../../kernel/until-aborted.ts';

/** A shorter text takes a few milliseconds, and does not wait for longer ones. */
const SHORT_LENGTH_MAX = 16_384;
/** The steps in one iteration of the event loop have at most this many code units together, unless there is only one. */
const ITERATION_UNITS_MAX = 50_000;

/** A text that is being split, identified by the object. */
export interface QueuedText {
  readonly tenantId: string;
  /** In code units, before any conversion. */
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
 * Limits the work on texts in each iteration of the event loop, for all tenants together. Node runs all pending
 * immediates before it polls the sockets, so many short steps would block the process as one very long step does. Steps
 * that do not fit run in later iterations, and tenants alternate. Only one long text is in progress at a time.
 */
export class TextQueue {
  /** By tenant. The first tenant is next. */
  readonly #waiting = new Map<string, Step[]>();
  #longText: QueuedText | null = null;
  #unitsUsed = 0;
  #isCounting = false;

  /**
   * Waits until a step over this many code units may run. Run it immediately afterwards.
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

  /** Call it for each text, even if its steps have failed. */
  end(text: QueuedText): void {
    if (this.#longText === text) this.#longText = null;
  }

  readonly #beginIteration = (): void => {
    this.#unitsUsed = 0;
    this.#isCounting = this.#waiting.size > 0;
    if (!this.#isCounting) return;
    // An immediate that is set by another one runs after Node has polled the sockets again.
    setImmediate(this.#beginIteration);
    for (let step = this.#nextStep(); step !== null; step = this.#nextStep()) {
      const { text, units, begin } = step;
      const others = this.#remove(step);
      // The tenant goes to the end of the queue.
      this.#waiting.delete(text.tenantId);
      if (others.length > 0) this.#waiting.set(text.tenantId, others);
      if (text.length > SHORT_LENGTH_MAX) this.#longText = text;
      text.isUnderWay = true;
      this.#unitsUsed += units;
      begin();
    }
  };

  /** Returns the next step, or null when it must wait for another iteration. */
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

  /** Returns the other steps of the tenant. */
  #remove(step: Step): Step[] {
    const { tenantId } = step.text;
    const others = this.#waiting.get(tenantId)?.filter((other) => other !== step) ?? [];
    if (others.length > 0) this.#waiting.set(tenantId, others);
    else this.#waiting.delete(tenantId);
    return others;
  }
}
