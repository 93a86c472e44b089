import { startApp } from '../../src/app/app.ts';
import type { AppOptions } from '../../src/app/app-options.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';

// The service with periods that a test can wait for: APP_OPTIONS holds them as JSON.
const { APP_OPTIONS = '{}', ...env } = process.env;
const app = await startApp(loadConfig(env), createLog('debug'), JSON.parse(APP_OPTIONS) as AppOptions);
process.once('SIGTERM', () => void app.close());
