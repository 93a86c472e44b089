import { createLog, logCrashes } from '../../src/telemetry/log.ts';

// Ends by a fault that nobody catches, right after lines that still wait to be written.
const log = createLog('info');
logCrashes(log);
for (let n = 1; n <= 2_000; n += 1) log.info({ n }, 'a line before the end');
const fault = new Error('a fault', { cause: 'postgres://user:hunter2@db/keys' });
if (process.argv[2] === 'unheard rejection') void Promise.reject(fault);
else throw fault;
