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
 * Replaces what is between the markers of one benchmark in docs/figures.md.
 *
 * @param command name and options, as after `npm run bench --`
 * @throws when the page has no such markers: a figure has a heading and a sentence before it has numbers
 */
export function writeFigures(command: string, output: string): void {
  const page = readFileSync(FIGURES, 'utf8');
  const begin = `<!-- bench ${command} -->\n`;
  const from = page.indexOf(begin);
  const to = page.indexOf('\n<!-- end -->', from);
  if (from < 0 || to < 0) throw new Error(`docs/figures.md has no section marked ${begin.trim()}`);
  writeFileSync(FIGURES, `${page.slice(0, from)}${begin}\n${output.trim()}\n${page.slice(to)}`);
}
