import type { Ruler } from '../chars/length-unit.ts';
import type { SplitOptions } from '../split-options.ts';
import { CodeRuns } from './code-runs.ts';
import { findNextRuns } from './delimiter-runs.ts';
import { type CodeToken, type Markup, NO_MARKUP, type Stretch } from './markup.ts';
import { PairBound } from './pair-bound.ts';
import { StylePairing } from './pair-styles.ts';
import { MarkupScan } from './scan-markup.ts';

/** Units of text that are worked on between two yields. */
const BLOCK = 16_384;

const MARKUP_UNIT = /[`*_~|<[\\]|:\/\//;
const TOKEN_UNIT = /<|:\/\//;

/**
 * Finds the markup of the text, as far as the mode uses it.
 * @param heldFrom from here on, later text may close a fence or undo it
 * @param knots stretches in ascending order in which inline code ends with its line
 */
export function* readMarkup(
  text: string,
  ruler: Ruler,
  { mode, language, maxLength }: SplitOptions,
  heldFrom: number,
  knots: readonly Stretch[] = [],
): Generator<void, Markup> {
  if (mode === 'code') return { ...NO_MARKUP, tokens: [wholeFence(text, language)] };
  const isPlain = mode === 'plain';
  if (!(isPlain ? TOKEN_UNIT : MARKUP_UNIT).test(text)) return NO_MARKUP;
  const codeRuns = new CodeRuns(isPlain ? '' : text);
  for (let until = BLOCK; !codeRuns.advance(until); until += BLOCK) yield;
  const scan = new MarkupScan(
    text,
    isPlain,
    new PairBound(text, ruler, maxLength),
    codeRuns,
    heldFrom,
    knots,
  );
  for (let until = BLOCK; !scan.advance(until); until += BLOCK) yield;
  const { tokens, runs, openFence } = scan;
  const next = yield* findNextRuns(runs);
  const pairing = new StylePairing(text, runs, next, new PairBound(text, ruler, maxLength));
  for (let until = BLOCK; !pairing.advance(until); until += BLOCK) yield;
  const { styles, doubts } = pairing;
  return { tokens, styles, doubts, openFence };
}

/** The whole text as the body of a fence. */
function wholeFence(text: string, language: string): CodeToken {
  return { kind: 'fence', start: 0, end: text.length, run: 3, bodyStart: 0, bodyEnd: text.length, language };
}
