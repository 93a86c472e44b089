import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FIGURES = path.resolve(import.meta.dirname, '../../docs/figures.md');

/** Runs `work` and returns what it printed to stdout, which is printed all the same. */
export async function captureOutput(work: () => Promise<void>): Promise<string> {
  const log = console.log;
  const lines: string[] = [];
  console.log = (...parts: unknown[]) => {
    lines.push(parts.map(String).join(' '));
    log(...parts);
  };
  try {
    await work();
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

/**
 * Replaces the figures of one command in docs/figures.md: what follows the paragraph that begins with the command, up to
 * the next command or heading.
 *
 * @param command name and options, as after `npm run bench --`
 * @throws when no paragraph begins with it: a figure has a heading and a sentence before it has numbers
 */
export function writeFigures(command: string, output: string): void {
  const page = readFileSync(FIGURES, 'utf8');
  // Numbers only say how long to measure.
  const from = page.search(new RegExp(`^\`npm run bench -- ${command}( \\d+)*\`:`, 'm'));
  if (from < 0)
    throw new Error(`docs/figures.md has no paragraph that begins with npm run bench -- ${command}`);
  const figures = page.indexOf('\n\n', from);
  const before = figures < 0 ? page.trimEnd() : page.slice(0, figures);
  const after = page.slice(before.length);
  const end = after.search(/\n(?:## |`npm run bench -- )/);
  writeFileSync(FIGURES, `${before}\n\n${output.trim()}\n${end < 0 ? '' : after.slice(end)}`);
}
