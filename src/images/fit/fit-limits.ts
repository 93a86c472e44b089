import { totalmem } from 'node:os';

const MIB = 1024 * 1024;

/** Every bound on fitting an image, on a machine with plenty of memory. Periods in milliseconds. */
export const FIT_LIMITS = {
  /** Concurrent processes. */
  jobsMax: 2,

  /** Time until a new process can work; on a free core it takes a fifth of a second. */
  startTimeoutMs: 10_000,
  stillTimeoutMs: 2_000,
  animatedTimeoutMs: 8_000,
  /** After this share of the time, the best picture so far is taken. */
  enoughShare: 0.6,
  /** An idle process ends after this. */
  idleTimeoutMs: 30_000,
  /** High, because starting a process takes as much of the service's time as several answers. */
  jobsPerChildMax: 500,

  /** The limit of a result when Discord documents none. */
  bytesMax: 8 * MIB,
  /** Resident memory of one process: 50 million pixels, twice, and what libvips itself needs. */
  residentBytesMax: 768 * MIB,
  residentCheckMs: 100,
  /** Address space in addition to that of a new process, enforced by the system. */
  addressBytesMax: 768 * MIB,
  /** Processor seconds of one process over its whole life. */
  cpuSecondsMax: 4_500,
  /**
   * Added to the niceness of the service, so that answers to other callers come first, and some time is left on a busy
   * machine.
   */
  niceness: 10,
};

export type FitLimits = Readonly<typeof FIT_LIMITS>;

/** With less memory than this, there is one process at a time, because half of it would be too little for two. */
const MEMORY_FOR_TWO = 1_536 * MIB;

/** The bounds on a machine or container with this much memory. All processes together get half of it. */
export function fitLimitsFor(memoryBytes: number): FitLimits {
  const jobsMax = memoryBytes < MEMORY_FOR_TWO ? 1 : FIT_LIMITS.jobsMax;
  const share = Math.floor(memoryBytes / 2 / jobsMax);
  const residentBytesMax = Math.min(FIT_LIMITS.residentBytesMax, share);
  return { ...FIT_LIMITS, jobsMax, residentBytesMax, addressBytesMax: residentBytesMax };
}

/** Bytes for this process and its children: the container's limit, if there is one. */
export function memoryHere(): number {
  // 0 when the system does not say, and a meaningless number without a limit.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
