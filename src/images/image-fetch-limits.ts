/** Every bound on a fetch. Periods in milliseconds. */
export const IMAGE_FETCH_LIMITS = {
  /** For everything from the start of the job to the last byte, redirects included. */
  deadlineMs: 10_000,
  nameTimeoutMs: 2_000,
  connectTimeoutMs: 4_000,
  headersTimeoutMs: 5_000,
  /** Time between two pieces of the body. */
  idleTimeoutMs: 5_000,
  /** Counted from the last byte. A caller who reads no answer in this time loses it and the job's slot. */
  answerTimeoutMs: 60_000,
  /** For a job to wait for its slot, and again until its image may be fitted. */
  queueTimeoutMs: 30_000,

  bytesMax: 8 * 1024 * 1024,
  /** Bytes in the headers of one response. */
  headerBytesMax: 16 * 1024,
  /** Answers before the response, such as 103 Early Hints. */
  provisionalAnswersMax: 10,
  /** A body of 8 MiB in pieces of 80 bytes. Smaller ones cost more work than an image is worth. */
  piecesMax: 100_000,
  redirectsMax: 3,

  /** Jobs that run, of the process and of a guild. Four wait for each of them. */
  jobsMax: 8,
  jobsPerGuildMax: 2,
  queueMax: 32,
  queuePerGuildMax: 8,
};

export type ImageFetchLimits = Readonly<typeof IMAGE_FETCH_LIMITS>;
