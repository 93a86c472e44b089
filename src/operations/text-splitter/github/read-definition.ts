import { type Definition, normaliseLabel } from './block.ts';
import { decodeTarget } from './link-target.ts';

/** An address is at most as long as that of a link: a text may refer to it again and again. */
const LABEL_AND_URL =
  /\[((?:[^[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t]*(?:<((?:[^<>\n\\]|\\.){0,4096})>|((?!<)\S{1,4096}))/y;
const TITLE =
  /[ \t]*\n?[ \t]*(?:"(?:[^"\\]|\\[^]){0,300}"|'(?:[^'\\]|\\[^]){0,300}'|\((?:[^()\\]|\\[^]){0,300}\))[ \t]*(?:\n|$)/y;
const LINE_END = /[ \t]*(?:\n|$)/y;

/** Takes the definitions of links from the start of a paragraph. @returns where the rest begins */
export function takeDefinitions(text: string, definitions: Map<string, Definition>): number {
  let at = 0;
  while (text.startsWith('[', at)) {
    LABEL_AND_URL.lastIndex = at;
    const match = LABEL_AND_URL.exec(text);
    if (match === null) return at;
    const label = normaliseLabel(match[1] ?? '');
    if (label === '' || label.startsWith('^')) return at;
    const end = endOfDefinition(text, LABEL_AND_URL.lastIndex);
    if (end < 0) return at;
    const source = match[2] ?? match[3] ?? '';
    if (!definitions.has(label)) definitions.set(label, { source, url: decodeTarget(source) });
    at = end;
  }
  return at;
}

/** After the title, where there is one; -1 when something else follows on the line. */
function endOfDefinition(text: string, at: number): number {
  TITLE.lastIndex = at;
  if (/[ \t\n]/.test(text.charAt(at)) && TITLE.test(text)) return TITLE.lastIndex;
  LINE_END.lastIndex = at;
  return LINE_END.test(text) ? LINE_END.lastIndex : -1;
}
