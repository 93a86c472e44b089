import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sent by a server once it listens. */
export interface Listening {
  readonly port: number;
  /** Keys of different guilds; empty where none is needed. */
  readonly keys: readonly string[];
}

/** A server's report on itself at the end. */
export interface Usage {
  /** Largest resident set of its life, bytes. */
  readonly rssMaxBytes: number;
  /** Processor time of its life, milliseconds. */
  readonly cpuMs: number;
  /** Longest time in which its event loop did not turn, milliseconds. */
  readonly loopDelayMaxMs: number;
  /** Sockets, timers and lookups that are open, by name. */
  readonly resources: readonly string[];
  /** Resident set, JavaScript heap and memory outside of it after a collection, bytes. */
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
}

export interface BenchServer extends Listening, AsyncDisposable {
  readonly pid: number | undefined;
  usage(): Promise<Usage>;
}

/** In the child: says that it listens, and answers each message with its usage. */
export function reportUsage(listening: Listening): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('message', () => void sendUsage(delay));
  endWithParent();
  process.send?.(listening);
}

/** In the child: a benchmark that was killed leaves nothing behind that would weigh on the next one. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit());
}

async function sendUsage(delay: ReturnType<typeof monitorEventLoopDelay>): Promise<void> {
  // Before the collections, which stop it too.
  const loopDelayMaxMs = delay.max / 1e6;
  // Memory outside the heap is let go in the turn after its owner was collected.
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const cpu = process.cpuUsage();
  const usage: Usage = {
    cpuMs: (cpu.user + cpu.system) / 1_000,
    rssMaxBytes: process.resourceUsage().maxRSS * 1024,
    loopDelayMaxMs,
    resources: process.getActiveResourcesInfo(),
    rssBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
  };
  delay.reset();
  process.send?.(usage);
}

/** Runs a file of this folder as a process of its own, so that its memory can be measured separately. */
export async function startBenchServer(
  file: string,
  execArgv: readonly string[] = [],
  args: readonly string[] = [],
): Promise<BenchServer> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, file), [...args], {
    execArgv: [...execArgv],
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it listened.`);
  });
  const [listening] = (await Promise.race([once(child, 'message'), failed])) as [Listening];
  return {
    ...listening,
    pid: child.pid,
    async usage() {
      const answer = once(child, 'message') as Promise<[Usage]>;
      child.send('usage');
      return (await answer)[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await failed.catch(() => {});
    },
  };
}
