import type { Ruler } from '../chars/length-unit.ts';
import type { Survey } from '../chars/survey.ts';
import { emptyMarkup, type Markup, TOKEN, Tokens } from './markup.ts';
import type { MarkupMemory } from './markup-memory.ts';
import { PairBound } from './pair-bound.ts';
import { StylePairing } from './pair-styles.ts';
import { MarkupScan } from './scan-markup.ts';
import type { SplitOptions } from '../split-options.ts';

/** Units of text that are worked on between two yields. */
const BLOCK = 16_384;

const MARKUP_UNIT = /[`*_~|<[\\]|:\/\//;
const TOKEN_UNIT = /<|:\/\//;

/**
 * What of the text is markup, as far as the mode looks at it.
 * @param heldFrom from here on, what follows the text may close a fence or undo it
 */
export function* readMarkup(
  text: string,
  survey: Survey,
  memory: MarkupMemory,
  ruler: Ruler,
  options: SplitOptions,
  heldFrom: number,
): Generator<void, Markup> {
  if (options.mode === 'code') return { ...emptyMarkup(), tokens: wholeFence(text, options.language) };
  const isPlain = options.mode === 'plain';
  if (!(isPlain ? TOKEN_UNIT : MARKUP_UNIT).test(text)) return emptyMarkup();
  memory.clear(text.length);
  const scan = new MarkupScan(
    text,
    survey,
    memory,
    isPlain,
    new PairBound(text, ruler, options.maxLength),
    heldFrom,
  );
  for (let until = BLOCK; !scan.advance(until); until += BLOCK) yield;
  const pairing = new StylePairing(text, memory, new PairBound(text, ruler, options.maxLength));
  for (let until = BLOCK; !pairing.advance(until); until += BLOCK) yield;
  const { tokens, marks, doubts } = memory;
  return { tokens, marks, doubts, openFence: scan.openFence };
}

/** The whole text as the body of a fence that is longer than any run of back-ticks in it. */
function wholeFence(text: string, language: string): Tokens {
  let run = 3;
  for (const { 0: found } of text.matchAll(/`{3,}/g)) run = Math.max(run, found.length + 1);
  const tokens = new Tokens();
  tokens.push(TOKEN.fence, 0, text.length, run, 0, text.length);
  if (language !== '') tokens.language.set(0, language);
  return tokens;
}
