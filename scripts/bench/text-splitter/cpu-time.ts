/** The clock of the processor time advances in steps of several milliseconds: short work is repeated. */
const WORK_MS_MIN = 400;
const CALLS_MAX = 200;

/** Processor time of this thread for one call, in ms, after warming up; other load on the machine counts less. */
export async function cpuTimeMs(work: () => unknown, workMs = WORK_MS_MIN): Promise<number> {
  await repeat(work, workMs / 2);
  return repeat(work, workMs);
}

async function repeat(work: () => unknown, workMs: number): Promise<number> {
  const before = now();
  let calls = 0;
  while (calls < CALLS_MAX && (calls === 0 || now() - before < workMs)) {
    const result = work();
    if (result instanceof Promise) await result;
    calls += 1;
  }
  return (now() - before) / calls;
}

function now(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
