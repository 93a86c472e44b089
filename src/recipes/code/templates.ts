import { readFileSync } from 'node:fs';

const texts = new Map<string, string>();

/** Reads a file of templates/ when it is first needed. */
function readTemplate(file: string): string {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(`../templates/${file}`, import.meta.url), 'utf8').trimEnd();
  texts.set(file, text);
  return text;
}

/**
 * Writes the code of a recipe from its template. Lines between `@if name` and `@end` stay if `blocks` has the name. Words
 * such as QM_URL are replaced.
 * @throws Error when the template has a word without a value
 */
export function fillTemplate(
  file: string,
  blocks: ReadonlySet<string>,
  words: Readonly<Record<string, string | number | null>>,
): string {
  const open: boolean[] = [];
  const lines = readTemplate(file)
    .split('\n')
    .filter((line) => {
      const [, name] = /(?:\/\/|#) @if (\w+)$/.exec(line) ?? [];
      if (name !== undefined) open.push(blocks.has(name));
      else if (/(?:\/\/|#) @end$/.test(line)) open.pop();
      else return !open.includes(false);
      return false;
    });
  return lines.join('\n').replaceAll(/QM_[A-Z]+(?:_[A-Z]+)*/g, (word) => {
    const value = words[word.slice('QM_'.length)] ?? null;
    if (value === null) throw new Error(`${file} has no value for ${word}`);
    return String(value);
  });
}
