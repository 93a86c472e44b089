import { check } from 'recheck';

import type { Expression } from './find-expressions.ts';

/** The one of its engines that is JavaScript: the others are programs, and are not installed. */
process.env['RECHECK_BACKEND'] = 'pure';

/**
 * Small trials find what the large ones of its defaults found in these files, in a quarter of the time. Steps bound
 * them, and never a clock, so that a busy machine finds the same.
 */
const TRIALS = {
  maxInitialGenerationSize: 50,
  maxGenerationSize: 30,
  maxIteration: 2,
  incubationLimit: 10_000,
  incubationTimeout: null,
  attackTimeout: null,
  timeout: null,
};

/** Says why an expression may take more time than in proportion to a text; null when it does not. */
export async function judgeExpression({ source, flags }: Expression): Promise<string | null> {
  if (source === null) return 'what is in it cannot be seen: make it a constant of the file, or a template';
  const hasReference = /\\[1-9k]/.test(source);
  const parts = (hasReference ? [source] : alternativesOf(source)).filter(repeats);
  const reasons = await Promise.all(parts.map(async (part) => judge(part, flags)));
  // Another alternative may take what one of them cannot finish.
  return reasons.some((reason) => reason !== null) ? judge(source, flags) : null;
}

const judged = new Map<string, Promise<string | null>>();

async function judge(source: string, flags: string): Promise<string | null> {
  // Whether it goes on to further matches makes no difference.
  const name = `/${source}/${flags.replace('g', '')}`;
  const reason = judged.get(name) ?? ask(source, flags);
  judged.set(name, reason);
  return reason;
}

async function ask(source: string, flags: string): Promise<string | null> {
  const found = await check(source, flags, TRIALS);
  if (found.status === 'safe') return null;
  if (found.status === 'unknown') return `recheck cannot judge it (${found.error.kind})`;
  return `${found.complexity.summary}, as with ${found.attack.pattern}`;
}

/** Without a repetition, the work at each place of a text has a bound. */
function repeats(source: string): boolean {
  return tokensOf(source).some((token) => /^[*+{]$/.test(token));
}

/** An expression takes as long as its alternatives together, and one by one they are judged much faster. */
function alternativesOf(source: string): string[] {
  const alternatives: string[][] = [[]];
  let depth = 0;
  let groups = 0;
  const tokens = tokensOf(source);
  for (const token of tokens) {
    if (token === '(' && depth === 0) groups += 1;
    if (token === '|' && depth === 0) alternatives.push([]);
    else alternatives.at(-1)?.push(token);
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
  }
  if (alternatives.length > 1) return alternatives.flatMap((each) => alternativesOf(each.join('')));
  const isOneGroup = groups === 1 && tokens[0] === '(' && tokens.at(-1) === ')';
  const inside = isOneGroup ? /^\((?:\?:|\?<\w+>|(?!\?))(.*)\)$/s.exec(source)?.[1] : undefined;
  return inside === undefined ? [source] : alternativesOf(inside);
}

/** Characters, with what is escaped and each set as one. */
function tokensOf(source: string): string[] {
  return source.match(/\\p\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^]/g) ?? [];
}
