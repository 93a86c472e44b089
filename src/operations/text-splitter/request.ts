import * as z from 'zod';

import { Problem } from '../../kernel/problem.ts';
import { booleanish, freeText, oneOf, ownList, wholeNumber } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';
import { CUT_KINDS } from './cuts/costs.ts';
import { CHANGE_KINDS } from './github/change-counts.ts';
import { payload, PAYLOAD_FORMS } from './payloads.ts';
import {
  AFFIX_LENGTH_MAX,
  CHUNKS_MAX,
  LENGTH_PRESETS,
  PREFERENCES,
  SPLIT_MODES,
  TEXT_LENGTH_MAX,
} from './split-options.ts';

const LENGTH_MESSAGE = problemMessage('invalid_field/length', {
  max: TEXT_LENGTH_MAX,
  presets: Object.keys(LENGTH_PRESETS).join(', '),
});

const maxLength = z
  .preprocess(
    (value) => {
      if (typeof value !== 'string') return value;
      const word = value.trim().toLowerCase();
      if (/^\d{1,15}$/.test(word)) return Number(word);
      return Object.hasOwn(LENGTH_PRESETS, word)
        ? LENGTH_PRESETS[word as keyof typeof LENGTH_PRESETS]
        : value;
    },
    z.number(LENGTH_MESSAGE).int(LENGTH_MESSAGE).min(1, LENGTH_MESSAGE).max(TEXT_LENGTH_MAX, LENGTH_MESSAGE),
  )
  .optional()
  .meta({
    anyOf: [
      { type: 'integer', minimum: 1, maximum: TEXT_LENGTH_MAX },
      { type: 'string', enum: Object.keys(LENGTH_PRESETS) },
    ],
    description:
      'Largest length of a chunk, or the name of a place in Discord. Without it 2000, or what `as` takes in one piece.',
  });

function affix(description: string) {
  return z
    .string(problemMessage('invalid_field/text'))
    .max(AFFIX_LENGTH_MAX, problemMessage('invalid_field/characters_max', { max: AFFIX_LENGTH_MAX }))
    .default('')
    .meta({ description });
}

const text = freeText('invalid_field/text')
  .max(TEXT_LENGTH_MAX, problemMessage('text_too_long/text', { max: TEXT_LENGTH_MAX }))
  .meta({ description: 'The text, up to 100,000 characters.' });

const piece = z.object({
  start: z.int().meta({ description: 'Where the chunk begins in the text, in UTF-16 units.' }),
  end: z.int().meta({ description: 'Where it ends in the text.' }),
  length: z.int().meta({ description: 'UTF-16 units of the chunk, with all that was added.' }),
  length_codepoints: z.int().meta({ description: 'The same as Discord counts it: code points.' }),
  added_prefix: z.string(),
  added_suffix: z.string(),
  cut: z.enum(CUT_KINDS).meta({ description: 'At what kind of place the chunk ends.' }),
});

export const input = z.object({
  text,
  max_length: maxLength,
  length_unit: oneOf(
    ['utf16'],
    'Lengths are in UTF-16 units, as libraries check them. For any other unit choose a smaller `max_length`.',
    'invalid_field/length_unit',
  ).default('utf16'),
  mode: oneOf(
    SPLIT_MODES,
    '`markdown` keeps Discord syntax whole; `plain` only mentions, URLs and characters; `code` takes the text as the body of one code block.',
  ).default('markdown'),
  language: z
    .string(problemMessage('invalid_field/text'))
    .regex(/^[\w+\-.#]{0,40}$/, problemMessage('invalid_field/language'))
    .default('')
    .meta({ description: 'Language of the code block in mode `code`.' }),
  prefer: oneOf(
    PREFERENCES,
    '`fewest` chunks; the others: cut at no worse place than this, as long as each part fits.',
    'invalid_field/prefer',
  ).default('fewest'),
  reopen: booleanish(true).meta({
    description: 'false gives verbatim chunks: nothing is closed or opened again.',
  }),
  max_lines: wholeNumber(1, TEXT_LENGTH_MAX).optional().meta({
    description:
      'The most lines in a chunk, including those that close and reopen a code block. Only something that must stay whole may take more.',
  }),
  prepend: affix('Before each chunk but the first.'),
  append: affix('After each chunk but the last.'),
  counter: affix(
    'After each chunk, if there are several. `{i}` is its number, `{n}` their count: `({i}/{n})`.',
  ),
  max_chunks: wholeNumber(1, CHUNKS_MAX)
    .optional()
    .meta({ description: 'The most chunks that you can take; without it 10,000.' }),
  overflow: oneOf(
    ['error', 'truncate'],
    'When there are more than `max_chunks`: 422 `too_many_chunks`, or the first ones with `truncated: true`.',
  ).default('error'),
  index: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description: 'Only this chunk, counted from 1; `count` stays the total. For builders that cannot loop.',
  }),
  dialect: oneOf(
    ['discord', 'github'],
    "`github`: the text is GitHub's Markdown, as language models and README files have it, and is made readable in Discord first.",
  ).default('discord'),
  tables: oneOf(
    ['auto', 'code', 'list'],
    'With `dialect=github`: tables as aligned code, or as lists; `auto` takes code for narrow tables without links.',
  ).default('auto'),
  latex: booleanish(false).meta({
    description: 'With `dialect=github`: simple formulas between dollar signs become Unicode.',
  }),
  as: oneOf(
    PAYLOAD_FORMS,
    "Adds `payloads`: bodies for Discord's API with the chunks as messages, embeds or text displays. `count` and `index` are then about messages.",
  ).optional(),
  details: booleanish(false).meta({
    description: 'Adds `pieces`, and with `dialect=github` or `mode=code` also `changes` and `converted`.',
  }),
  final: booleanish(true).meta({
    description:
      "false: the text goes on. Only chunks that cannot change any more come back, and `rest` has to go before the text that comes next. Only for Discord's own Markdown.",
  }),
});

/** With all defaults filled in. */
export type SplitRequest = z.output<typeof input>;

export const output = z.object({
  count: z.int().meta({ description: 'How many chunks there are, or messages with `as`.' }),
  chunks: z.array(z.string()),
  payloads: ownList(payload).optional().meta({ description: 'Only with `as`.' }),
  max_length: z.int(),
  total_length: z.int().meta({ description: 'Length of the text.' }),
  truncated: z.boolean(),
  rest: z.string().optional().meta({
    description:
      'With `final=false`: what no chunk holds yet. Send it before the text that comes next, with the same options.',
  }),
  pieces: ownList(piece).optional(),
  changes: z
    .array(z.object({ kind: z.enum(CHANGE_KINDS), count: z.int() }))
    .optional()
    .meta({ description: 'What was changed in the GitHub Markdown or the code: each kind, and how often.' }),
  converted: z
    .string()
    .optional()
    .meta({ description: 'The text after the conversion, to which `pieces` refer.' }),
});

export type SplitAnswer = z.input<typeof output>;

/**
 * Refuses fields that need the whole text, or would be repeated with each part of it.
 * @throws Problem invalid_field
 */
export function checkStream(request: SplitRequest): void {
  const { dialect, counter, prepend, append, index, max_chunks, details } = request;
  const given = {
    'dialect=github': dialect === 'github',
    counter,
    prepend,
    append,
    index,
    max_chunks,
    details,
  };
  const refused = Object.entries(given).find(([, value]) => Boolean(value));
  if (refused === undefined) return;
  throw new Problem('invalid_field/final', { field: 'final', values: { option: refused[0] } });
}

/** @throws Problem limit_too_small */
export function checkAdditions(
  { prepend, append, counter }: Pick<SplitRequest, 'prepend' | 'append' | 'counter'>,
  maxLength: number,
): void {
  if ((prepend + append + counter).length * 2 <= maxLength) return;
  throw new Problem('limit_too_small/added', { field: 'max_length' });
}
