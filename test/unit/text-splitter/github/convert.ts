import {
  type Converted,
  convertGithub,
  type ConvertOptions,
} from '../../../../src/operations/text-splitter/github/convert-github.ts';

/** Room without bounds. */
export const BOUNDLESS = { length: Infinity, lines: Infinity };

export function convert(text: string, options: Partial<ConvertOptions> = {}): Converted {
  return convertGithub(text, {
    tables: 'auto',
    latex: false,
    room: { ...BOUNDLESS, length: 2_000 },
    ...options,
  });
}
