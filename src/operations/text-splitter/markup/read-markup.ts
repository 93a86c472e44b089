import type { Ruler } from '../chars/length-unit.ts';
import type { SplitOptions } from '../split-options.ts';
import { CodeRuns } from './code-runs.ts';
import { findNextRuns } from './delimiter-runs.ts';
import { type CodeToken, type Markup, NO_MARKUP } from './markup.ts';
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
 */
export function* readMarkup(
  text: string,
  ruler: Ruler,
  { mode, language, maxLength }: SplitOptions,
  heldFrom: number,
): Generator<void, Markup> {
  if (mode === 'code') return { ...NO_MARKUP, tokens: [wholeFence(text, language)] };
  const isPlain = mode === 'plain';
  if (!(isPlain ? TOKEN_UNIT : MARKUP_UNIT).test(text)) return NO_MARKUP;
  const codeRuns = new CodeRuns(isPlain ? '' : text);
  for (let until = BLOCK; !codeRuns.advance(until); until += BLOCK) yield;
  const scan = new MarkupScan(text, isPlain, new PairBound(text, ruler, maxLength), codeRuns, heldFrom);
  for (let until = BLOCK; !scan.advance(until); until += BLOCK) yield;
  const { tokens, runs, openFence } = scan;
  const next = yield* findNextRuns(runs);
  const pairing = new StylePairing(text, runs, next, new PairBound(text, ruler, maxLength));
  for (let until = BLOCK; !pairing.advance(until); until += BLOCK) yield;
  const { styles, doubts } = pairing;
  return { tokens, styles, doubts, openFence };
}

/** The whole text as the body of a fence that is longer than any run of back-ticks in it. */
function wholeFence(text: string, language: string): CodeToken {
  let run = 3;
  for (const { 0: found } of text.matchAll(/`{3,}/g)) run = Math.max(run, found.length + 1);
  return { kind: 'fence', start: 0, end: text.length, run, bodyStart: 0, bodyEnd: text.length, language };
}
