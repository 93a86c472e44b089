const MIB = 1024 * 1024;

/** Every bound on making an image fit. Periods in milliseconds. */
export const FIT_LIMITS = {
  /** Processes at once, and of those for one guild. */
  jobsMax: 2,
  jobsPerGuildMax: 1,
  /** As many as can be fetched at once, see IMAGE_FETCH_LIMITS. */
  queueMax: 8,
  queuePerGuildMax: 2,
  queueTimeoutMs: 15_000,

  /** Until a new process can work: a fifth of a second on a free core. */
  startTimeoutMs: 10_000,
  stillTimeoutMs: 2_000,
  animatedTimeoutMs: 8_000,
  /** Share of the time after which the best picture so far is taken. */
  enoughShare: 0.6,
  /** A process without work ends after this. */
  idleTimeoutMs: 30_000,
  jobsPerChildMax: 100,

  /** Of a result, where Discord documents no limit. */
  bytesMax: 8 * MIB,
  /** Resident memory of one process: 50 million pixels, twice, and what libvips itself needs. */
  residentBytesMax: 768 * MIB,
  residentCheckMs: 100,
  /** Address space beyond what a started process has. */
  addressBytesMax: 1_024 * MIB,
  /** Processor seconds of one process in all its life. */
  cpuSecondsMax: 900,
  /** Added to the niceness of the service: answers to others come first. */
  niceness: 10,
};

export type FitLimits = Readonly<typeof FIT_LIMITS>;
