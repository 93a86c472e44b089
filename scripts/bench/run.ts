import { readdirSync } from 'node:fs';

// npm run bench -- <name> [options of that benchmark]
// A benchmark is a file `<name>.bench.ts` of this folder that exports `run(args)`.
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort();
const [name, ...args] = process.argv.slice(2);

if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- <name>\nNames: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  const benchmark = (await import(`./${name}.bench.ts`)) as { run(args: readonly string[]): Promise<void> };
  await benchmark.run(args);
}
