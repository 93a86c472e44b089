import { startApp, type App } from './app/app.ts';
import { ConfigError, describeSettings, loadConfig, readEnvironment, type Config } from './config/config.ts';
import { createLog, flushLog, logCrashes } from './telemetry/log.ts';
import { showFirstKey } from './app/show-first-key.ts';
import { endOnSignals, stopOnSignals } from './app/stop-on-signals.ts';

/** EX_CONFIG of sysexits.h: systemd and others can be told not to try again. */
const EXIT_WRONG_SETTINGS = 78;

/** Reads the environment, starts the app, waits for a signal. Exits 0 after an orderly end, 78 when settings are wrong, else 1. */
async function main(): Promise<void> {
  let config: Config;
  let settings: Readonly<Record<string, unknown>>;
  try {
    const environment = readEnvironment();
    config = loadConfig(environment);
    settings = describeSettings(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT_WRONG_SETTINGS;
    return;
  }

  // Lines before there are metrics count, too.
  let maskedLines = 0;
  let countMasked = () => {
    maskedLines += 1;
  };
  const log = createLog(config.logLevel, { onMasked: () => countMasked() });
  logCrashes(log);
  log.debug({ settings }, 'settings');
  const isStarted = endOnSignals(log);
  let app: App;
  try {
    app = await startApp(config, log);
  } catch (error) {
    log.fatal({ err: error }, 'the service could not be started');
    await flushLog(log);
    process.stderr.write(
      `Quartermaster could not be started: ${error instanceof Error ? error.message : 'unknown'}\n`,
    );
    process.exit(1);
  }
  if (app.firstKey !== null) showFirstKey(app.firstKey, app.publicUrl);
  countMasked = app.countMasked;
  for (; maskedLines > 0; maskedLines -= 1) countMasked();
  isStarted();
  stopOnSignals(app, log, { timeoutMs: config.shutdownTimeoutMs });
}

await main();
