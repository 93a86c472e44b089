import { afterUser, type LineCase } from './line-case.ts';

export type TypedLength = readonly [typed: string, ms: number | 'permanent', reason?: string];

/** Each duration alone or with its reason, as people of one language type it after `!ban @user`. */
export function typedLengths(rows: readonly TypedLength[]): LineCase[] {
  return typedAfter('', rows);
}

/** With words before the duration, which are no part of it. */
export function typedAfter(words: string, rows: readonly TypedLength[]): LineCase[] {
  return typedBetween(words, '', rows);
}

/** With words before and after the duration that are no part of it, nor of the reason. */
export function typedBetween(before: string, after: string, rows: readonly TypedLength[]): LineCase[] {
  return rows.map(([typed, ms, reason = '']) => {
    const text = [before, typed, after, reason].filter((part) => part !== '').join(' ');
    const time = ms === 'permanent' ? ([typed, ms] as const) : ([typed, ms] as const);
    return afterUser(text, time, reason === '' ? undefined : reason);
  });
}

/** The whole text is the reason. */
export function reasonOnly(text: string): LineCase {
  return afterUser(text, 'none', text);
}
