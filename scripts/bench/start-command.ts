import { readFileSync } from 'node:fs';
import path from 'node:path';

const PACKAGE = path.resolve(import.meta.dirname, '../../package.json');

/** What `npm start` gives Node before the name of the main file, so that what is measured is what runs. */
export function serviceFlags(): readonly string[] {
  const words = startCommand();
  return words.slice(words.indexOf('node') + 1, words.indexOf('src/main.ts'));
}

/** The variables that `npm start` sets. */
export function serviceVariables(): Record<string, string> {
  const words = startCommand();
  return Object.fromEntries(
    words.slice(0, words.indexOf('exec')).map((word): [string, string] => {
      const [name = '', value = ''] = word.split('=');
      return [name, value];
    }),
  );
}

function startCommand(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ');
}
