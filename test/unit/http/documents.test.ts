import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';

import { GUIDE_NAMES, guideSource, headingId, splitSections } from '../../../src/http/docs/pages/guides.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const PAGES = ['README.md', ...globSync('{docs,src,test,scripts,deploy}/**/*.md', { cwd: ROOT })]
  .filter((page) => !page.includes('node_modules') && !page.startsWith(path.join('test', 'fixtures')))
  .sort();

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
const headings = (text: string) =>
  new Set(
    [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, words = '']) =>
      headingId(words.replaceAll('`', '')),
    ),
  );

test.each(PAGES)('every link of %s leads to an existing file and heading', (page) => {
  const broken = [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(ROOT, found))) return true;
      return anchor !== undefined && !headings(read(found)).has(anchor);
    });
  expect(broken).toEqual([]);
});

const PROGRAM = /^(?:cd|chmod|cp|curl|docker|echo|export|git|journalctl|node|npm|npx|sudo)$/;

/** Commands of a shell block that do not begin with a program, or that hold the beginning of a second one. */
function unclearCommands(block: string): string[] {
  const joined = block.replaceAll(/\\\n\s*/g, '').replaceAll(/(?:^|\s)#.*$/gm, '');
  // What is in quotes is for the program, such as a script for the shell in a container.
  const lines = joined.replaceAll(/'[^']*'/g, "''").split('\n');
  const commands = lines.flatMap((line) => line.split(/&&|\|/));
  return commands.filter((command) => {
    const [first = '', ...others] = command
      .trim()
      .replace(/^(?:[A-Z_]+=(?:\$\(|\S+\s*))+/, '')
      .replace(/^sudo (?:-u \S+ )?\S+/, 'sudo')
      .replace(/^docker (?:run|exec|compose (?:exec|cp|run)) .*/, 'docker')
      .split(/\s+/);
    return first !== '' && !(PROGRAM.test(first) && others.every((word) => !PROGRAM.test(word)));
  });
}

test.each(PAGES)('each line of a shell block in %s is one command', (page) => {
  const blocks = [...read(page).matchAll(/^ *```(?:sh|bash)\n(.*?)^ *```$/gms)];
  expect(blocks.flatMap(([, block = '']) => unclearCommands(block))).toEqual([]);
});

test('each folder of src has a README', () => {
  const folders = globSync('src/*/', { cwd: ROOT });
  expect(folders.filter((folder) => !existsSync(path.join(ROOT, folder, 'README.md')))).toEqual([]);
});

test('the README has at most 250 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(250);
});

test('the served guides are the pages of docs/', () => {
  expect(globSync('*.md', { cwd: path.join(ROOT, 'docs') }).sort()).toEqual(
    GUIDE_NAMES.map((name) => `${name}.md`).sort(),
  );
});

test('every benchmark is named in docs/figures.md, and every name there is a benchmark', () => {
  const named = [...read('docs/figures.md').matchAll(/^`npm run bench -- ([\w-]+)/gm)].map(
    ([, name]) => name,
  );
  const benchmarks = globSync('*.bench.ts', { cwd: path.join(ROOT, 'scripts/bench') }).map((file) =>
    file.replace('.bench.ts', ''),
  );
  expect(new Set(named)).toEqual(new Set(benchmarks));
});

function render(text: string): string {
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

test.each(GUIDE_NAMES)('the sections of %s render alike alone and together', (name) => {
  const source = guideSource(name);
  const sections = splitSections(source)
    .map(({ source: section }) => render(section))
    .join('\n');
  expect(sections.replaceAll(/\s+/g, ' ').trim()).toBe(render(source).replaceAll(/\s+/g, ' ').trim());
});
