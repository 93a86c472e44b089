import { readdirSync } from 'node:fs';

import { installPackages } from '../install-packages.ts';
import { captureOutput, writeFigures } from './write-figures.ts';

// npm run bench -- <name> [options of that benchmark] [--write]
// With --write the output also replaces that benchmark's section of docs/figures.md.
// A benchmark is a file `<name>.bench.ts` of this folder that exports `run(args)`.
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort();
const isWritten = process.argv.includes('--write');
const [name, ...args] = process.argv.slice(2).filter((word) => word !== '--write');

if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- <name>\nNames: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  installPackages(import.meta.dirname);
  const benchmark = (await import(`./${name}.bench.ts`)) as { run(args: readonly string[]): Promise<void> };
  // Numbers say how long to measure, and the output names them: they make no other section.
  const section = [name, ...args.filter((word) => !/^\d+$/.test(word))].join(' ');
  if (isWritten) writeFigures(section, await captureOutput(() => benchmark.run(args)));
  else await benchmark.run(args);
}
