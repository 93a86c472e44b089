import { workerData } from 'node:worker_threads';

import { Problem } from '../../../../../src/kernel/problem.ts';
import { BOUNDLESS, convert } from './convert.ts';

/** What may not happen is thrown. */
function convertWithin(text: string): void {
  for (const tables of ['auto', 'code', 'list'] as const) {
    try {
      const { text: converted } = convert(text, { tables, capacity: { ...BOUNDLESS, length: 100_000 } });
      if (converted.length > 200_000) throw new Error(`${converted.length} characters`);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'text_too_long') throw error;
    }
  }
}

// In the memory that the worker is given.
for (const [name, text] of workerData as readonly (readonly [name: string, text: string])[]) {
  convertWithin(text);
  process.stdout.write(`${name}\n`);
}
