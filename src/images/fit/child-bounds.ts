import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { FitLimits } from './fit-limits.ts';

const runFile = promisify(execFile);
const TOOL_TIMEOUT_MS = 2_000;
/** The highest value in Linux: when memory runs out, this process is ended and not the service. */
const OOM_SCORE = '1000';

/**
 * Makes the operating system limit a started child. README.md gives the reason for each bound. Systems without
 * `prlimit` (util-linux) go without them.
 * @returns true when the bounds apply
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
 * Bytes of a process, from Linux.
 * @throws Error when there is no /proc, or no such process
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
