/** Lengths that Discord allows, by where the text goes. */
export const LENGTH_PRESETS = {
  message: 2000,
  text_display: 4000,
  embed_description: 4096,
  embed_field: 1024,
  embed_footer: 2048,
} as const;

/** Also the limit of a chunk. All lengths are in UTF-16 code units, as libraries count them. */
export const TEXT_LENGTH_MAX = 100_000;
/** Chunks of one text, also for a caller who sets a higher number. */
export const CHUNKS_MAX = 10_000;
/** For `prepend` and `append`, which are in each chunk. */
export const AFFIX_LENGTH_MAX = 200;

export const SPLIT_MODES = ['markdown', 'plain', 'code'] as const;
export const PREFERENCES = ['fewest', 'paragraph', 'line', 'sentence', 'word'] as const;

/** The operation's fields of the same names describe these options. */
export interface SplitOptions {
  readonly maxLength: number;
  readonly mode: (typeof SPLIT_MODES)[number];
  readonly language: string;
  readonly prefer: (typeof PREFERENCES)[number];
  readonly reopen: boolean;
  /** null for no limit. */
  readonly maxLines: number | null;
  readonly prepend: string;
  readonly append: string;
  readonly counter: string;
  /** null for CHUNKS_MAX. */
  readonly maxChunks: number | null;
  readonly overflow: 'error' | 'truncate';
  /** Ranges that each fit in a chunk and should not be cut, in ascending order. */
  readonly unbreakable: readonly { readonly start: number; readonly end: number }[];
  /** False if more text follows: then only chunks that can no longer change are returned. */
  readonly isFinal: boolean;
}

export const DEFAULT_OPTIONS: SplitOptions = {
  maxLength: LENGTH_PRESETS.message,
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
  unbreakable: [],
  isFinal: true,
};
