import { clip } from '../../messages/markdown.ts';

export interface UsageRow {
  readonly label: string;
  /** Requests of today, and of all days that are shown. */
  readonly today: number;
  readonly total: number;
}

/** A code block on a phone shows about 34 characters before it wraps. */
const LABEL_WIDTH = 23;
const TODAY_WIDTH = 5;
const TOTAL_WIDTH = 4;

/**
 * A table in a monospaced font. Names of operations are never cut.
 * @param columns names of the two numbers: at most 5 and 4 characters
 */
export function usageTable(
  rows: readonly UsageRow[],
  columns: { readonly today: string; readonly total: string },
): string {
  return [
    line('', columns.today, columns.total),
    ...rows.map(({ label, today, total }) =>
      line(clip(label, LABEL_WIDTH), shortCount(today), shortCount(total)),
    ),
  ].join('\n');
}

function line(label: string, today: string, total: string): string {
  return `${label.padEnd(LABEL_WIDTH)} ${today.padStart(TODAY_WIDTH)} ${total.padStart(TOTAL_WIDTH)}`;
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** At most four characters: 999, 1.2k, 12k, 3.4M. */
export function shortCount(count: number): string {
  for (const [unit, size] of [
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (count < size) continue;
    const value = count / size;
    const rounded = value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value);
    return `${rounded}${unit}`;
  }
  return String(count);
}
