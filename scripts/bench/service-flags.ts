import { readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = path.resolve(import.meta.dirname, '../../package.json');

/** The flags of V8 that `npm start` gives the service, so that what is measured is what runs. */
export function serviceFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--max-'));
}
