import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

const FLAGS = ['opt', 'maglev', 'sparkplug', 'flush-bytecode'] as const;

/** Counts how often the blocks of the splitter's code run: its work, whatever else the machine does. */
export class WorkCounter implements AsyncDisposable {
  readonly #session = new Session();

  static async start(): Promise<WorkCounter> {
    const counter = new WorkCounter();
    // Optimized code is not counted in full, and code that is freed takes its counts along.
    for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`);
    counter.#session.connect();
    await counter.#session.post('Profiler.enable');
    await counter.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return counter;
  }

  async count(work: () => unknown): Promise<number> {
    await this.#session.post('Profiler.takePreciseCoverage');
    work();
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const ranges = result
      .filter(({ url }) => url.includes('/operations/text-splitter/'))
      .flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
    // Other files run in the same process.
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
  }
}
