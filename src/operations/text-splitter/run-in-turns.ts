import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work on a large text lets the event loop turn this often. */
const TURN_MS = 8;

/** Runs work in steps, and lets other work go first every few milliseconds. Stops when the caller is gone. */
export async function runInTurns<Result>(
  steps: Generator<void, Result>,
  signal: AbortSignal,
): Promise<Result> {
  let turnStartedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - turnStartedAt < TURN_MS) continue;
    await nextTurn(undefined, { signal });
    turnStartedAt = performance.now();
  }
}
