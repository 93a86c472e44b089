import { totalmem } from 'node:os';

const MIB = 1024 * 1024;

/** Every bound on making an image fit, where memory is plenty. Periods in milliseconds. */
export const FIT_LIMITS = {
  /** Processes at once. */
  jobsMax: 2,

  /** Until a new process can work: a fifth of a second on a free core. */
  startTimeoutMs: 10_000,
  stillTimeoutMs: 2_000,
  animatedTimeoutMs: 8_000,
  /** Share of the time after which the best picture so far is taken. */
  enoughShare: 0.6,
  /** A process without work ends after this. */
  idleTimeoutMs: 30_000,
  /** A start takes the service as long as several answers. */
  jobsPerChildMax: 500,

  /** Of a result, where Discord documents no limit. */
  bytesMax: 8 * MIB,
  /** Resident memory of one process: 50 million pixels, twice, and what libvips itself needs. */
  residentBytesMax: 768 * MIB,
  residentCheckMs: 100,
  /** Address space beyond what a started process has, which the system itself refuses to exceed. */
  addressBytesMax: 768 * MIB,
  /** Processor seconds of one process in all its life. */
  cpuSecondsMax: 4_500,
  /** Added to the niceness of the service: answers to others come first, and on a busy machine some time is left. */
  niceness: 10,
};

export type FitLimits = Readonly<typeof FIT_LIMITS>;

/** Below this there is one process at a time: half of the memory would be too little for two. */
const MEMORY_FOR_TWO = 1_536 * MIB;

/** The same for a machine or container with this much memory, of which all processes together get half. */
export function fitLimitsFor(memoryBytes: number): FitLimits {
  const jobsMax = memoryBytes < MEMORY_FOR_TWO ? 1 : FIT_LIMITS.jobsMax;
  const share = Math.floor(memoryBytes / 2 / jobsMax);
  const residentBytesMax = Math.min(FIT_LIMITS.residentBytesMax, share);
  return { ...FIT_LIMITS, jobsMax, residentBytesMax, addressBytesMax: residentBytesMax };
}

/** Bytes that this process and its children may have: the container's limit, where there is one. */
export function memoryHere(): number {
  // 0 when the system does not say, a number without meaning when there is no limit.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
