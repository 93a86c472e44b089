import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import sonicBoom from 'sonic-boom';

import { ExplainedFailure } from '../kernel/explained-failure.ts';
import { holdsSecret, maskSecrets } from '../kernel/secrets.ts';

export interface LogCounts {
  /** Lines in which something shaped like a key or a token had to be masked. */
  masked: number;
  /** Lines that were lost because the reader of stdout was too slow. */
  dropped: number;
}

export type Log = Logger & { readonly counts: Readonly<LogCounts> };

export interface LogOptions {
  /** Gets lines, each ending in a line break. Default: stdout. */
  readonly destination?: DestinationStream;
  /** Changes each line, which is JSON, before it is written. Default: none. */
  readonly format?: (line: string) => string;
}

/** Errors nest: causes of causes, parts of an AggregateError. Deeper ones are left out. */
const DEPTH_MAX = 5;
/** Errors of one AggregateError. */
const PARTS_MAX = 5;
/** If this much waits, the reader of stdout has stopped. We then lose lines instead of requests. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** An iteration that logs more than this writes early, so that a dropped piece is not many lines. */
const HELD_LENGTH_MAX = 64 * 1024;
/** The process waits this long for its last lines before it ends, because the reader of stdout may be stuck. */
const FLUSH_MS_MAX = 1_000;

export interface LoggableError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  readonly status?: number;
  readonly method?: string;
  readonly stack?: string;
  readonly cause?: LoggableError;
  readonly errors?: readonly LoggableError[];
}

/**
 * Keeps only listed properties of an error, since errors of libraries carry whole requests. A DiscordAPIError holds its
 * body (a new API key, for one) and its URL (an interaction's token); neither is copied. For an ExplainedFailure,
 * the sentence is enough.
 * @param hasStack false where the line itself says what failed
 */
export function toLoggable(error: unknown, hasStack = true, depth = 0): LoggableError {
  if (!(error instanceof Error)) {
    const message = typeof error === 'string' ? error : `a thrown ${typeof error}`;
    return { name: 'NotAnError', message: cleanText(message) };
  }
  if (error instanceof ExplainedFailure) return { name: error.name, message: cleanText(error.message) };
  const { code, status, method } = error as Error & { code?: unknown; status?: unknown; method?: unknown };
  const deeper = depth < DEPTH_MAX;
  return {
    name: error.name,
    message: cleanText(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof method === 'string' ? { method } : {}),
    ...(error.stack === undefined || !hasStack ? {} : { stack: cleanText(error.stack) }),
    ...(error.cause !== undefined && deeper ? { cause: toLoggable(error.cause, hasStack, depth + 1) } : {}),
    ...(error instanceof AggregateError && deeper
      ? { errors: error.errors.slice(0, PARTS_MAX).map((part) => toLoggable(part, hasStack, depth + 1)) }
      : {}),
  };
}

/** URLs with user info, or of interactions and webhooks, hold secrets of no fixed shape. */
function cleanText(text: string): string {
  return maskSecrets(text)
    .replace(/\/\/[^/\s@]*@/g, '//[secret]@')
    .replace(/\/(interactions|webhooks)\/(\d+)\/[^/\s?"']+/g, '/$1/$2/[secret]');
}

/** @param level a pino level, or `silent` */
export function createLog(level: string, { destination, format }: LogOptions = {}): Log {
  const counts: LogCounts = { masked: 0, dropped: 0 };
  const target = destination ?? new Stdout(counts);
  // The last filter before a line leaves the process, for what slipped past the serializers.
  const filtered = {
    write(line: string) {
      let clean = line;
      if (holdsSecret(line)) {
        counts.masked += 1;
        clean = maskSecrets(line);
      }
      target.write(format === undefined ? clean : format(clean));
    },
    flush(done: () => void) {
      if ('flush' in target && typeof target.flush === 'function') target.flush(done);
      else done();
    },
  };
  const log = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: (error: unknown) => toLoggable(error),
        error: (error: unknown) => toLoggable(error),
        // The sentence of a line says what failed; `cause` adds the reason.
        cause: (error: unknown) => toLoggable(error, false),
      },
    },
    filtered,
  );
  return Object.assign(log, { counts });
}

/** Loses lines when the reader of stdout stops, so that no request waits for it. */
class Stdout implements DestinationStream {
  /**
   * Like `pino.destination`, but without its exit hook, which writes what is left when the process exits and waits
   * without end for a reader that is stuck. Every orderly end flushes first, under a deadline. A flush waits only when
   * `minLength` is set, and only with 1 does it wait until everything is written.
   */
  readonly #stream = new sonicBoom.SonicBoom({
    fd: 1,
    sync: false,
    minLength: 1,
    maxLength: WAITING_BYTES_MAX,
  });

  /** Lines of this iteration of the event loop, which leave with one write. */
  #held = '';

  constructor(counts: LogCounts) {
    this.#stream.on('drop', (lines: string) => (counts.dropped += lines.split('\n').length - 1));
    // The reader has left, or the disk is full. Lines are lost, but requests go on.
    this.#stream.on('error', () => {});
  }

  write(line: string): void {
    if (this.#held === '') setImmediate(() => this.#writeHeld());
    this.#held += line;
    if (this.#held.length >= HELD_LENGTH_MAX) this.#writeHeld();
  }

  /** @param done called when everything is written, or after `FLUSH_MS_MAX` */
  flush(done: () => void): void {
    let isDone = false;
    const finish = () => {
      clearTimeout(timer);
      if (!isDone) done();
      isDone = true;
    };
    const timer = setTimeout(finish, FLUSH_MS_MAX);
    this.#writeHeld();
    this.#stream.flush(finish);
  }

  #writeHeld(): void {
    const lines = this.#held;
    this.#held = '';
    if (lines !== '') this.#stream.write(lines);
  }
}

/** Resolves when every line is written, or after a second. Await it before the process ends. */
export function flushLog(log: Log): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

/** Ends the process after an uncaught error, with one log line that is filtered like all others. */
export function logCrashes(log: Log): void {
  const crash = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind);
    log.flush(() => process.exit(1));
  };
  process.on('uncaughtException', crash('uncaught exception'));
  process.on('unhandledRejection', crash('unhandled rejection'));
}
