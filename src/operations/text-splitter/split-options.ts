export type LengthUnit = 'utf16' | 'codepoints' | 'bytes';
type SplitMode = 'markdown' | 'plain' | 'code';
export type Preference = 'fewest' | 'balanced' | 'paragraph' | 'line' | 'sentence' | 'word';

/** Lengths that Discord allows, by where the text goes. */
export const LENGTH_PRESETS = {
  message: 2000,
  text_display: 4000,
  embed_description: 4096,
  embed_field: 1024,
  embed_footer: 2048,
} as const;

export const MAX_LENGTH_LIMIT = 100_000;
export const CHUNKS_MAX = 10_000;
export const TEXT_BYTES_MAX = 1_048_576;
export const AFFIX_LENGTH_MAX = 200;

export interface SplitOptions {
  /** Largest length of a chunk, in `lengthUnit`. */
  readonly maxLength: number;
  readonly lengthUnit: LengthUnit;
  readonly mode: SplitMode;
  /** Written after the opening run in mode `code`. */
  readonly language: string;
  readonly prefer: Preference;
  /** Close open marks at the end of a chunk, and open them again in the next. */
  readonly reopen: boolean;
  /** Soft limit of lines in a chunk; null for no limit. */
  readonly maxLines: number | null;
  /** Before every chunk but the first. */
  readonly prepend: string;
  /** After every chunk but the last. */
  readonly append: string;
  /** Template with `{i}` and `{n}` after every chunk when there are several; empty for no counter. */
  readonly counter: string;
  /** null for CHUNKS_MAX. */
  readonly maxChunks: number | null;
  readonly overflow: 'error' | 'truncate';
  /** Stretches of the text that each fit a chunk and should stay in one, in ascending order. */
  readonly solids: readonly { readonly start: number; readonly end: number }[];
  /** False when the text goes on: only chunks that cannot change any more are made, see settle-chunks.ts. */
  readonly isFinal: boolean;
}

export const DEFAULT_OPTIONS: SplitOptions = {
  maxLength: LENGTH_PRESETS.message,
  lengthUnit: 'utf16',
  mode: 'markdown',
  language: '',
  prefer: 'fewest',
  reopen: true,
  maxLines: null,
  prepend: '',
  append: '',
  counter: '',
  maxChunks: null,
  overflow: 'error',
  solids: [],
  isFinal: true,
};
