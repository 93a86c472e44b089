import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import type { FitLimits } from './fit-limits.ts';

// README.md gives the reason for each bound.

/** Files that the child loads. */
export interface ChildPaths {
  /** The program for Node. */
  readonly program: string;
  /** The main file of sharp. */
  readonly sharp: string;
  /**
   * The module of gifenc. It must be a real path, because the child may not search for it, and folders of packages may
   * be links.
   */
  readonly gifenc: string;
}

/** Packages that sharp reads when it is loaded, besides itself. */
const SHARP_NEEDS = ['@img', 'detect-libc', 'semver'];
/** Time for `prlimit`, which only sets five numbers. */
const TOOL_TIMEOUT_MS = 2_000;
/** The highest value in Linux. When memory runs out, the system ends this process and not the service. */
const OOM_SCORE = '1000';

/** Flags with which Node lets the child read its own files and packages, but write no files and start no processes. */
export function flagsFor({ program, sharp, gifenc }: ChildPaths): string[] {
  const images = path.resolve(path.dirname(program), '..');
  const packages = sharp.slice(0, sharp.lastIndexOf(`${path.sep}sharp${path.sep}`));
  const readable = [
    path.dirname(program),
    path.join(images, 'formats', 'image-header.ts'),
    path.resolve(images, '../../package.json'),
    path.join(packages, 'sharp'),
    ...SHARP_NEEDS.map((name) => path.join(packages, name)),
    path.resolve(gifenc, '../..'),
  ];
  return [
    '--permission',
    '--allow-addons',
    '--disable-warning=PERM0001',
    '--max-old-space-size=64',
    ...readable.map((each) => `--allow-fs-read=${each}`),
  ];
}

/** Call it right at the start, because loading takes as much work as many pictures. */
export function makeNice(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already. Other code notices that.
  }
}

/** Makes the operating system limit a started child. Systems without `prlimit` (util-linux) go without these bounds. */
export async function boundChild(pid: number, limits: FitLimits): Promise<void> {
  try {
    await writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE);
    // Threads have priorities of their own, and some may have started before the process got its one.
    for (const thread of await readdir(`/proc/${pid}/task`)) makeNice(Number(thread), limits.niceness);
    const { addressBytes } = await readMemory(pid);
    const bounds = {
      nofile: 0,
      fsize: 0,
      core: 0,
      as: addressBytes + limits.addressBytesMax,
      cpu: limits.cpuSecondsMax,
    };
    const flags = Object.entries(bounds).map(([name, value]) => `--${name}=${value}:${value}`);
    await promisify(execFile)('prlimit', ['--pid', String(pid), ...flags], {
      env: { PATH: '/usr/bin:/bin' },
      timeout: TOOL_TIMEOUT_MS,
    });
  } catch {
    // This is not Linux, or prlimit is missing. The bounds of Node and of the service's own clock remain.
  }
}

/**
 * Memory of a process in bytes, as Linux reports it.
 * @throws Error when there is no /proc, or no such process
 */
export async function readMemory(pid: number): Promise<{ addressBytes: number; residentBytes: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN);
  const [addressBytes, residentBytes] = [kib('VmSize') * 1_024, kib('VmRSS') * 1_024];
  if (Number.isNaN(addressBytes) || Number.isNaN(residentBytes)) throw new Error('no memory in /proc');
  return { addressBytes, residentBytes };
}
