import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const TIMEOUT_MS = 2_000;
/** The longest slice that Linux knows. A thread that wakes up goes ahead of one with a longer slice than its own. */
const SLICE_NS = 100_000_000;
/** Numbers of the call `sched_setattr`, see syscalls(2). */
const CALL_BY_ARCH: Partial<Record<NodeJS.Architecture, number>> = { x64: 314, arm64: 274 };

/**
 * In: the number of the call, the slice in nanoseconds, threads. A `struct sched_attr` is its size, class, flags,
 * niceness, priority, and three times, of which the first is the slice. The niceness stays as it is.
 */
const PERL = `
my ($call, $slice, @threads) = map { $_ + 0 } @ARGV;
syscall($call, $_, pack('LLQlLQQQ', 48, 0, 0, getpriority(0, $_), 0, $slice, 0, 0), 0) foreach @threads;`;

/**
 * Lets every other thread of the machine go ahead of a process as soon as it wakes up. Niceness alone does not: what
 * runs may finish its slice, which takes until the next tick, 4 ms on many machines. The process keeps its share of
 * the processor. It takes Linux 6.12, and Perl, which Debian and its descendants always have; otherwise nothing changes.
 */
export async function letOthersFirst(pid: number): Promise<void> {
  const call = CALL_BY_ARCH[process.arch];
  if (process.platform !== 'linux' || call === undefined) return;
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    await runFile('perl', ['-e', PERL, String(call), String(SLICE_NS), ...threads], {
      env: { PATH: '/usr/bin:/bin' },
      timeout: TIMEOUT_MS,
    });
  } catch {
    // No Perl, or no such process any more, which is found out elsewhere.
  }
}
