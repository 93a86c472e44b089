import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { FitLimits } from './fit-limits.ts';

const runFile = promisify(execFile);
const TOOL_TIMEOUT_MS = 2_000;
/** Linux's highest: where memory runs out, this process goes and not the service. */
const OOM_SCORE = '1000';
/** The longest slice that Linux knows. A thread that wakes up goes ahead of one with a longer slice than its own. */
const SLICE_NS = 100_000_000;
/** Numbers of the call `sched_setattr`, see syscalls(2). */
const SLICE_CALL: Partial<Record<NodeJS.Architecture, number>> = { x64: 314, arm64: 274 };
/**
 * In: the number of the call, the slice in nanoseconds, threads. A `struct sched_attr` is its size, class, flags,
 * niceness, priority, and three times, of which the first is the slice. The niceness stays as it is.
 */
const SET_SLICES = `
my ($call, $slice, @threads) = map { $_ + 0 } @ARGV;
syscall($call, $_, pack('LLQlLQQQ', 48, 0, 0, getpriority(0, $_), 0, $slice, 0, 0), 0) foreach @threads;`;

/**
 * Lets the operating system hold a started child: see README.md for what each bound is for. Systems without
 * `prlimit` (util-linux) do without it.
 * @returns whether the bounds hold
 */
export async function boundChild(pid: number, limits: FitLimits): Promise<boolean> {
  try {
    await writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE);
    const { addressBytes } = await readMemory(pid);
    const bounds = {
      nofile: 0,
      fsize: 0,
      core: 0,
      as: addressBytes + limits.addressBytesMax,
      cpu: limits.cpuSecondsMax,
    };
    const flags = Object.entries(bounds).map(([name, value]) => `--${name}=${value}:${value}`);
    await runTool('prlimit', ['--pid', String(pid), ...flags]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lets every other thread of the machine go ahead of a started child as soon as it wakes up. Niceness alone does not:
 * what runs may finish its slice, which takes until the next tick, 4 ms on many machines. The child keeps its share of
 * the processor. It takes Linux 6.12, and Perl, which Debian and its descendants always have; otherwise nothing changes.
 */
export async function letOthersFirst(pid: number): Promise<void> {
  const call = SLICE_CALL[process.arch];
  if (process.platform !== 'linux' || call === undefined) return;
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    await runTool('perl', ['-e', SET_SLICES, String(call), String(SLICE_NS), ...threads]);
  } catch {
    // No Perl, or no such process any more, which is found out elsewhere.
  }
}

/**
 * Bytes of a process, from Linux.
 * @throws where there is no /proc, or no such process
 */
export async function readMemory(pid: number): Promise<{ addressBytes: number; residentBytes: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN);
  const [addressBytes, residentBytes] = [kib('VmSize') * 1_024, kib('VmRSS') * 1_024];
  if (Number.isNaN(addressBytes) || Number.isNaN(residentBytes)) throw new Error('no memory in /proc');
  return { addressBytes, residentBytes };
}

async function runTool(name: string, args: readonly string[]): Promise<void> {
  await runFile(name, args, { env: { PATH: '/usr/bin:/bin' }, timeout: TOOL_TIMEOUT_MS });
}
