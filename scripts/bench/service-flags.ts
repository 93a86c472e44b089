import { readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = path.resolve(import.meta.dirname, '../../package.json');

/** What `npm start` gives Node before the name of the main file, so that what is measured is what runs. */
export function serviceFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  return words.slice(words.indexOf('node') + 1, words.indexOf('src/main.ts'));
}
