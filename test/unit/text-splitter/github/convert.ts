import {
  type Converted,
  convertGithub,
  type ConvertOptions,
} from '../../../../src/operations/text-splitter/github/convert-github.ts';

/** Room without bounds. */
export const BOUNDLESS = { measure: (text: string) => text.length, length: Infinity, lines: Infinity };

export function convert(text: string, options: Partial<ConvertOptions> = {}): Converted {
  const room = { ...BOUNDLESS, length: 2_000 };
  const steps = convertGithub(text, { tables: 'auto', latex: false, room, ...options });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
