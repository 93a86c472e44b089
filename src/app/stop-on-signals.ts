import type { EventEmitter } from 'node:events';

import { flushLog, type Log } from '../telemetry/log.ts';

/** Closing other parts, such as storing counts, may take this much longer than requests. */
const CLOSING_MS = 5_000;
/**
 * Ctrl+C, a control group and `tini -g` signal every process of a group. Where one of them passes its signal on to
 * us, as scripts/start.js does on an older Node, the same signal comes twice.
 */
const SAME_SIGNAL_MS = 1_000;
/** SIGHUP means that the terminal of the service was closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A signal closes the running app, or ends its start. */
export interface Stoppable {
  close(): Promise<void>;
  /** The part that is closing, which the log names if it takes too long; null before. */
  readonly closingPart: () => string | null;
}

export interface StopOptions {
  /** Running requests may take this long. */
  readonly timeoutMs: number;
  /** Default 5 s. */
  readonly closingMs?: number;
  /** Default `process`. */
  readonly signals?: Pick<EventEmitter, 'on'>;
  /** Milliseconds that only go forward. Default `performance.now`. */
  readonly now?: () => number;
  /** Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

/**
 * The first signal closes the app in order. The process then exits with 0, even if it had to cut connections, or with
 * 1 if a part could not be closed in time. A second signal ends the process immediately, unless it is the same signal
 * within a second.
 */
export function stopOnSignals(app: Stoppable, log: Log, options: StopOptions): void {
  const {
    timeoutMs,
    closingMs = CLOSING_MS,
    signals = process,
    now = () => performance.now(),
    exit = (code: number) => process.exit(code),
  } = options;

  async function close(): Promise<number> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'too late'>((resolve) => {
      timer = setTimeout(() => resolve('too late'), timeoutMs + closingMs);
    });
    try {
      const outcome = await Promise.race([app.close(), tooLate]);
      if (outcome === 'too late') {
        log.error({ part: app.closingPart() }, 'stopping takes too long: the process exits now');
        return 1;
      }
      log.info('stopped');
      return 0;
    } catch (error) {
      log.error({ err: error, part: app.closingPart() }, 'the service could not be stopped cleanly');
      return 1;
    } finally {
      clearTimeout(timer);
    }
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    log.info({ signal }, 'stopping');
    const code = await close();
    await flushLog(log);
    exit(code);
  }

  let first: { readonly signal: NodeJS.Signals; readonly at: number } | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === null) {
      first = { signal, at: now() };
      void stop(signal);
    } else if (signal !== first.signal || now() - first.at >= SAME_SIGNAL_MS) {
      exit(1);
    }
  };
  for (const signal of SIGNALS) signals.on(signal, onSignal);
}
