import { closesFence, readFence } from './line-kinds.ts';

/** Tags on lines of their own. What is between them is a quote. */
const QUOTED = /^ {0,3}<(think|thinking|reasoning|blockquote)(?:\s[^<>]*)?>\s*$/i;
/** It only says that the thoughts are over. Around one line, it may stand on that. */
const ANSWER = /^ {0,3}<\/?answer>\s*$/i;
const ANSWER_LINE = /^ {0,3}<answer>((?:(?!<\/?answer>).)*)<\/answer>\s*$/i;

/**
 * Makes a quote of the thoughts of a model (`<think>`), and of `<blockquote>` on lines of its own; `<answer>` around a
 * line or lines goes. Nothing in a block of code is changed.
 */
export function quoteThoughts(lines: readonly string[], onChange: () => void): readonly string[] {
  if (!lines.some((line) => QUOTED.test(line) || ANSWER.test(line) || ANSWER_LINE.test(line))) return lines;
  const lastEnds = new Map(
    lines.map((line, at) => [/^ {0,3}<\/([a-z]+)>\s*$/i.exec(line)?.[1]?.toLowerCase(), at]),
  );
  const shown: string[] = [];
  let fence: string | null = null;
  let open: string | null = null;
  /** The blank lines around a tag become one. */
  let isAfterTag = false;
  for (const [at, line] of lines.entries()) {
    const start = line.trimStart();
    const name = fence === null ? QUOTED.exec(line)?.[1]?.toLowerCase() : undefined;
    const isStart = open === null && name !== undefined && (lastEnds.get(name) ?? -1) > at;
    const isEnd = open !== null && line.trim().toLowerCase() === `</${open}>`;
    if (isStart || isEnd || (fence === null && ANSWER.test(line))) {
      if (isStart) open = name ?? null;
      if (isEnd) [open, fence] = [null, null];
      onChange();
      if (shown.length > 0 && shown.at(-1) !== '') shown.push('');
      isAfterTag = true;
      continue;
    }
    fence = fence === null ? (readFence(start)?.run ?? null) : closesFence(start, fence) ? null : fence;
    const text = fence === null ? line.replace(ANSWER_LINE, '$1') : line;
    if (text !== line) onChange();
    if (open !== null) shown.push(`> ${text}`);
    else if (text !== '' || !isAfterTag) shown.push(text);
    isAfterTag &&= line === '';
  }
  return shown;
}
