import { writeHeapSnapshot } from 'node:v8';

import { startApp } from '../../src/app/app.ts';
import { showFirstKey } from '../../src/app/show-first-key.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';

// Starts the service, shows the first key, and writes what is on the heap then into the file that is named.
const config = loadConfig({ PORT: '0', STORAGE_URL: 'memory:', LOG_LEVEL: 'silent' });
const app = await startApp(config, createLog(config.logLevel), { showFirstKey });
await fetch(`http://127.0.0.1:${app.port}/health/ready`);
writeHeapSnapshot(process.argv[2]);
await app.close();
