import { closesFence, readFence } from './line-kinds.ts';

/** On a line of its own. The text up to the closing tag is a quote. */
const QUOTED = /^ {0,3}<(think|thinking|reasoning|blockquote)(?:\s[^<>]*)?>\s*$/i;
/** Reasoning may begin on the line of its tag. */
const REASONING = /^ {0,3}<(think|thinking|reasoning)>/i;
const END_ALONE = /^\s*<\/([a-z]+)>\s*$/i;
const END_OF_LINE = /<\/(think|thinking|reasoning)>\s*$/i;
/** On the first line of the text, the answer may follow. */
const END = /<\/(think|thinking|reasoning)>[ \t]*/i;
/** It only marks the end of the reasoning. Around one line, it may be on that line. */
const ANSWER = /^ {0,3}<\/?answer>\s*$/i;
const ANSWER_LINE = /^ {0,3}<answer>((?:(?!<\/?answer>).)*)<\/answer>\s*$/i;

const TAGS = [QUOTED, REASONING, END_ALONE, ANSWER, ANSWER_LINE];

/**
 * Turns the reasoning of a language model (`<think>`) into a quote, and `<blockquote>` on lines of its own too. Removes
 * `<answer>` around a line or lines. Leaves blocks of code unchanged.
 */
export function quoteReasoning(lines: readonly string[], onChange: () => void): readonly string[] {
  if (!lines.some((line) => TAGS.some((tag) => tag.test(line)))) return lines;
  const first = lines.findIndex((line) => line.trim() !== '');
  const lastEnds = new Map(
    lines.map((line, at) => [nameIn(line, END_ALONE) ?? nameIn(line, at === first ? END : END_OF_LINE), at]),
  );
  const shown: string[] = [];
  let fence: string | null = null;
  let open = findLoneEnd(lines);
  /** The blank lines around a tag become one. */
  let isAfterTag = false;
  const removeTag = () => {
    onChange();
    if (shown.length > 0 && shown.at(-1) !== '') shown.push('');
    isAfterTag = true;
  };
  for (const [at, line] of lines.entries()) {
    const tag = open === null && fence === null ? (QUOTED.exec(line) ?? REASONING.exec(line)) : null;
    const name = tag?.[1]?.toLowerCase() ?? '';
    const isStart = (lastEnds.get(name) ?? -1) >= at;
    if (isStart) {
      open = name;
      removeTag();
    }
    const source = isStart ? line.slice(tag?.[0].length) : line;
    const end = open === null ? null : findEnd(source, open, fence !== null, at === first);
    if (end !== null) {
      const reasoning = source.slice(0, end.index);
      if (reasoning.trim() !== '') shown.push(`> ${reasoning}`);
      [open, fence] = [null, null];
      removeTag();
    } else if (fence === null && ANSWER.test(line)) {
      removeTag();
      continue;
    }
    const rest = end === null ? source : source.slice(end.index + end[0].length);
    if (rest.trim() === '' && (isStart || end !== null)) continue;
    fence = fenceAfter(rest, fence);
    const text = fence === null ? rest.replace(ANSWER_LINE, '$1') : rest;
    if (text !== rest) onChange();
    if (open !== null) shown.push(`> ${text}`);
    else if (text !== '' || !isAfterTag) shown.push(text);
    isAfterTag &&= text === '';
  }
  return shown;
}

function nameIn(line: string, tag: RegExp): string | undefined {
  return tag.exec(line)?.[1]?.toLowerCase();
}

function fenceAfter(line: string, fence: string | null): string | null {
  const start = line.trimStart();
  if (fence === null) return readFence(start)?.run ?? null;
  return closesFence(start, fence) ? null : fence;
}

/**
 * Returns the name of the first reasoning tag if it is a closing one on its own line. The opening one was then part of
 * the prompt.
 */
function findLoneEnd(lines: readonly string[]): string | null {
  let fence: string | null = null;
  for (const line of lines) {
    if (fence === null && REASONING.test(line)) return null;
    if (fence === null && END_ALONE.test(line) && END.test(line)) return nameIn(line, END) ?? null;
    fence = fenceAfter(line, fence);
  }
  return null;
}

/** Finds the closing tag of the open quote in a line: alone on it, or after the last words of the reasoning. */
function findEnd(line: string, open: string, isInCode: boolean, isFirst: boolean): RegExpExecArray | null {
  const tags = isInCode ? [END_ALONE] : [END_ALONE, isFirst ? END : END_OF_LINE];
  return tags.map((tag) => tag.exec(line)).find((end) => end?.[1]?.toLowerCase() === open) ?? null;
}
