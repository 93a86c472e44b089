import { startApp, type App } from './app/app.ts';
import { ConfigError, describeSettings, loadConfig, type Config } from './config/config.ts';
import { readEnvironment } from './config/environment.ts';
import { createLog, flushLog, logCrashes } from './telemetry/log.ts';
import { exitCodeOf, isExplained, WRONG_SETTINGS } from './app/end-failed-start.ts';
import { showFirstKey } from './app/show-first-key.ts';
import { stopOnSignals } from './app/stop-on-signals.ts';

/**
 * Reads the environment, starts the app and waits for a signal. Exits with 0 after an orderly end, 78 when the settings
 * cannot be used, else 1.
 */
async function main(): Promise<void> {
  let config: Config;
  let settings: Readonly<Record<string, unknown>>;
  const withoutEffect: string[] = [];
  try {
    const environment = readEnvironment((sentence) => withoutEffect.push(sentence));
    config = loadConfig(environment);
    settings = describeSettings(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${[error.message, ...withoutEffect.map((each) => `  ${each}`)].join('\n')}\n`);
    process.exitCode = WRONG_SETTINGS;
    return;
  }

  const log = createLog(config.logLevel, await logFormat());
  logCrashes(log);
  for (const each of withoutEffect) log.warn(each);
  log.debug({ settings }, 'settings');
  const stop = new AbortController();
  let closingPart: string | null = null;
  const starting = startApp(config, log, {
    stop: stop.signal,
    onClosing: (part) => (closingPart = part),
    // A log keeps whatever is written to it, so the first key only ever goes to a terminal.
    ...(process.stdout.isTTY ? { showFirstKey } : {}),
  });
  // Signals are handled from here on: HTTP already answers while the start still waits for Discord.
  let hasFailed = false;
  const close = async () => {
    // A start that failed has already closed its parts and said why.
    if (hasFailed) stop.abort();
    else await endApp(starting, stop);
  };
  stopOnSignals({ close, closingPart: () => closingPart }, log, {
    timeoutMs: config.shutdownTimeoutMs,
  });
  try {
    await starting;
  } catch (error) {
    // `stopOnSignals` logs the end and exits.
    if (stop.signal.aborted) return;
    hasFailed = true;
    // Terminals and containers show both streams, so one sentence is enough where it says everything.
    if (!isExplained(error)) log.fatal({ err: error }, 'the service could not be started');
    await flushLog(log);
    process.stderr.write(
      `Quartermaster could not be started: ${error instanceof Error ? error.message : 'unknown'}\n`,
    );
    const code = await exitCodeOf(error, { isTerminal: process.stdout.isTTY, signal: stop.signal });
    if (!stop.signal.aborted) process.exit(code);
  }
}

/** Closes the app, or ends its start. */
async function endApp(starting: Promise<App>, stop: AbortController): Promise<void> {
  stop.abort();
  try {
    await (await starting).close();
  } catch (error) {
    if (error !== stop.signal.reason) throw error;
  }
}

/** Readable lines at a terminal, JSON everywhere else. */
async function logFormat() {
  if (!process.stdout.isTTY) return {};
  const { toReadableLine } = await import('./telemetry/readable-line.ts');
  return { format: toReadableLine };
}

await main();
