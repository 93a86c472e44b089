import { conversionFor } from '../../../../src/operations/text-splitter/github/conversion-for.ts';
import { convertGithub } from '../../../../src/operations/text-splitter/github/convert-github.ts';
import { splitPart } from '../../../../src/operations/text-splitter/github/split-part.ts';
import {
  DEFAULT_OPTIONS,
  type SplitOptions,
} from '../../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { stream, type Stream } from '../stream-law.ts';

export function finish<Result>(steps: Generator<void, Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export const FIELDS = { tables: 'auto', latex: false } as const;

export function convertWhole(text: string, options: Partial<SplitOptions>) {
  return finish(convertGithub(text, conversionFor({ ...DEFAULT_OPTIONS, ...options }, FIELDS)));
}

/** Sends a text of GitHub in parts. */
export function streamGithub(parts: readonly string[], options: Partial<SplitOptions>): Stream {
  const all = { ...DEFAULT_OPTIONS, ...options };
  return stream(parts, (text, isFinal) => {
    if (!isFinal) return finish(splitPart(text, all, conversionFor(all, FIELDS)));
    const { text: converted, solids } = convertWhole(text, options);
    return splitText(converted, { ...options, solids });
  });
}
