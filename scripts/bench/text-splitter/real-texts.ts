import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { CorpusText } from './corpus.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NAMES =
  /^(?:readme|changelog|changes|history|contributing|guide|api|faq|migration)[\w.-]*\.(?:md|markdown)$/i;

/** Texts that are long enough to be cut, and short enough for a slow reader. */
const LENGTH_MIN = 2_500;
const LENGTH_MAX = 120_000;

/**
 * What people really wrote: READMEs, changelogs and guides of the installed packages, and the texts in other scripts
 * that the tests keep. In the order of their paths; each text once.
 */
export function readRealTexts(): CorpusText[] {
  const files = [...list(path.join(ROOT, 'node_modules')), ...list(path.join(ROOT, 'test/fixtures/texts'))];
  const texts = new Map<string, CorpusText>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const isOurs = file.includes('/fixtures/');
    if ((text.length < LENGTH_MIN && !isOurs) || text.length > LENGTH_MAX || texts.has(text)) continue;
    texts.set(text, { name: path.relative(ROOT, file), text });
  }
  return [...texts.values()];
}

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (NAMES.test(entry.name) || folder.endsWith('texts')))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
