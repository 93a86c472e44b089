import type { SplitOptions } from '../split-options.ts';
import { CodeRuns } from './code-runs.ts';
import { type CodeToken, type Markup, NO_MARKUP } from './markup.ts';
import { PairBound } from './pair-bound.ts';
import { pairStyles } from './pair-styles.ts';
import { MarkupScan } from './scan-markup.ts';

const MARKUP_UNIT = /[`*_~|<[\\]|:\/\//;
const TOKEN_UNIT = /<|:\/\//;

/** Finds the markup of the text, as far as the mode uses it. */
export function readMarkup(text: string, { mode, language, maxLength, isFinal }: SplitOptions): Markup {
  if (mode === 'code') return { ...NO_MARKUP, tokens: [wholeFence(text, language)] };
  const isPlain = mode === 'plain';
  if (!(isPlain ? TOKEN_UNIT : MARKUP_UNIT).test(text)) return NO_MARKUP;
  const codeRuns = new CodeRuns(isPlain ? '' : text);
  const scan = new MarkupScan(text, isPlain, new PairBound(text, maxLength), codeRuns, !isFinal);
  const { tokens, runs } = scan.scan();
  return { tokens, styles: pairStyles(text, runs, new PairBound(text, maxLength)) };
}

/** The whole text as the body of a fence. */
function wholeFence(text: string, language: string): CodeToken {
  return { kind: 'fence', start: 0, end: text.length, run: 3, bodyStart: 0, bodyEnd: text.length, language };
}
