import {
  type Converted,
  convertGithub,
  type ConvertOptions,
} from '../../../../../src/operations/text-splitter/github/convert-github.ts';

/** No limits. */
export const BOUNDLESS = { length: Infinity, lines: Infinity };

export function convert(text: string, options: Partial<ConvertOptions> = {}): Converted {
  return convertGithub(text, {
    tables: 'auto',
    latex: false,
    capacity: { ...BOUNDLESS, length: 2_000 },
    ...options,
  });
}
