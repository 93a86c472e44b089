import { readFileSync } from 'node:fs';
import path from 'node:path';

const START = path.resolve(import.meta.dirname, '../start');

/** What `scripts/start` gives Node before the name of the main file, so that what is measured is what runs. */
export function serviceFlags(): readonly string[] {
  const [, flags = ''] = /^exec node ([^"]*)"/m.exec(startScript()) ?? [];
  return flags.trim().split(/[\s\\]+/);
}

/** The variables that `scripts/start` sets. */
export function serviceVariables(): Record<string, string> {
  return Object.fromEntries(
    [...startScript().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

function startScript(): string {
  return readFileSync(START, 'utf8');
}
