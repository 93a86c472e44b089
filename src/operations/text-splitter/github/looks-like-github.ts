import { readAlignments } from './read/line-kinds.ts';

const DEEP_HEADING = /^ {0,3}#{4,6}[ \t]+\S/;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;

/** True when a text has tables or headings that GitHub shows and Discord does not. */
export function looksLikeGithub(text: string): boolean {
  let last = '';
  let isCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (FENCE.test(line)) isCode = !isCode;
    else if (!isCode && (DEEP_HEADING.test(line) || readAlignments(last, line) !== null)) return true;
    last = line;
  }
  return false;
}
