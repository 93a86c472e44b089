import { fstatSync } from 'node:fs';

import { pino, type DestinationStream, type Logger } from 'pino';

import { ExplainedFailure } from '../explained-failure.ts';
import { holdsSecret, maskSecrets } from '../secrets.ts';

export type Log = Logger & {
  /**
   * Writes many lines of level info in one go, for what is logged with every request.
   * @param fields of each line, as in a JSON object, without its braces
   */
  readonly infoLines: (fields: readonly string[], message: string) => void;
};

export interface LogOptions {
  /** Where lines go, each ending in a line break; default stdout. */
  readonly destination?: DestinationStream;
  /** How a line is written; default JSON, as it is. */
  readonly format?: (line: string) => string;
  /** Called for each line in which something shaped like a key or a token had to be masked. */
  readonly onMasked?: () => void;
}

/** Errors nest: causes of causes, parts of an AggregateError. Deeper ones are left out. */
const DEPTH_MAX = 5;
const PARTS_MAX = 5;
/** Under load, lines are collected up to this size and written together. */
const WRITE_BYTES = 12 * 1024;
/** When this much waits, the reader of stdout is stuck. From then on we lose lines, but no requests. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** No line waits longer for others. */
const FLUSH_EVERY_MS = 100;
/** How long the end of the process waits for its last lines: the reader of stdout may be stuck. */
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
 * What may be logged of an error: an allow-list, since errors of libraries carry whole requests. A DiscordAPIError
 * holds its body (a new API key, for one) and its address (an interaction's token); neither comes along. Of an
 * ExplainedFailure the sentence is enough.
 */
export function toLoggable(error: unknown, depth = 0): LoggableError {
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
    ...(error.stack === undefined ? {} : { stack: cleanText(error.stack) }),
    ...(error.cause !== undefined && deeper ? { cause: toLoggable(error.cause, depth + 1) } : {}),
    ...(error instanceof AggregateError && deeper
      ? { errors: error.errors.slice(0, PARTS_MAX).map((part) => toLoggable(part, depth + 1)) }
      : {}),
  };
}

/** Addresses with user info or in interaction and webhook paths hold secrets of no fixed shape. */
function cleanText(text: string): string {
  return maskSecrets(text)
    .replace(/\/\/[^/\s@]*@/g, '//[secret]@')
    .replace(/\/(interactions|webhooks)\/(\d+)\/[^/\s?"']+/g, '/$1/$2/[secret]');
}

/**
 * @param level a pino level, or `silent`
 */
export function createLog(level: string, { destination, onMasked, format }: LogOptions = {}): Log {
  const target = destination ?? openStdout();
  // The last filter before a line leaves the process, for what slipped past the serializers.
  const filtered = {
    write(line: string) {
      let clean = line;
      if (holdsSecret(line)) {
        onMasked?.();
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
      timestamp: writeTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: (error: unknown) => toLoggable(error),
        error: (error: unknown) => toLoggable(error),
      },
    },
    filtered,
  );
  return Object.assign(log, {
    infoLines(fields: readonly string[], message: string) {
      if (fields.length === 0 || !log.isLevelEnabled('info')) return;
      const start = `{"level":"info"${writeTime()},`;
      const end = `,"msg":${JSON.stringify(message)}}\n`;
      const lines = start + fields.join(end + start) + end;
      if (format === undefined && !holdsSecret(lines)) target.write(lines);
      else for (const each of fields) filtered.write(start + each + end);
    },
  });
}

let writtenAtMs = 0;
let writtenTime = '';

/** As pino's own, but made once a millisecond. */
function writeTime(): string {
  const now = Date.now();
  if (now !== writtenAtMs) {
    writtenAtMs = now;
    writtenTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return writtenTime;
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function openStdout(): DestinationStream & { flush(done: () => void): void } {
  const writesAtOnce = isFile(1);
  const stdout = pino.destination({
    dest: 1,
    // A file takes a write at once, and handing it to another thread costs several times as much. A pipe may have a
    // reader that is stuck, and must not hold up requests.
    sync: writesAtOnce,
    minLength: WRITE_BYTES,
    maxLength: WAITING_BYTES_MAX,
    periodicFlush: FLUSH_EVERY_MS,
  });
  let waitingBytes = 0;
  stdout.on('write', (bytes: number) => (waitingBytes -= bytes));
  stdout.on('drop', (line: string) => (waitingBytes -= Buffer.byteLength(line)));
  let isGone = false;
  // On exit the library writes what is left to a pipe, and waits without end for a reader that is stuck. Every orderly
  // end flushes before, under a deadline; a second signal means now.
  stdout.flushSync = () => {};
  // A reader that is gone, or a full disk: lines are lost, and requests are not.
  stdout.on('error', () => (isGone = true));
  return {
    write(line) {
      waitingBytes += Buffer.byteLength(line);
      stdout.write(line);
    },
    flush(done) {
      let isDone = false;
      const finish = () => {
        clearTimeout(timer);
        if (!isDone) done();
        isDone = true;
      };
      const timer = setTimeout(finish, FLUSH_MS_MAX);
      // One flush leaves up to WRITE_BYTES.
      const flushRest = () => {
        if (isDone || isGone || waitingBytes <= 0) finish();
        else stdout.flush(() => setImmediate(flushRest));
      };
      flushRest();
    },
  };
}

/** Resolves when every line is written, or after a second. To be awaited before the process ends. */
export function flushLog(log: Log): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

/** An error that nobody caught ends the process, with one line that is filtered as all others are. */
export function logCrashes(log: Log): void {
  const crash = (kind: string) => (error: unknown) => {
    log.fatal({ err: error }, kind);
    log.flush(() => process.exit(1));
  };
  process.on('uncaughtException', crash('uncaught exception'));
  process.on('unhandledRejection', crash('unhandled rejection'));
}
