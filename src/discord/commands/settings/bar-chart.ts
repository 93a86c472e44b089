import { clip } from '../../messages/markdown.ts';

export interface Bar {
  readonly label: string;
  /** Left out where there is no such column. */
  readonly today?: number;
  /** What the bar shows. */
  readonly total: number;
}

/** A code block on a phone shows about 32 characters before it wraps. */
const LABEL_WIDTH = 14;
const BAR_WIDTH = 8;
const COUNT_WIDTH = 4;

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/**
 * A table with a bar in each line, in characters that have one width. Narrow enough for a phone.
 * @param columns names of the two numbers; without them only the total is shown
 */
export function barChart(bars: readonly Bar[], columns?: readonly [today: string, total: string]): string {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const lines = bars.map((bar) => {
    const label = clip(bar.label, LABEL_WIDTH).padEnd(LABEL_WIDTH);
    const today = columns === undefined ? '' : ` ${shortCount(bar.today ?? 0).padStart(COUNT_WIDTH)}`;
    const total = shortCount(bar.total).padStart(COUNT_WIDTH);
    return `${label}${today} ${total} ${drawBar(bar.total / most)}`.trimEnd();
  });
  if (columns === undefined) return lines.join('\n');
  const [today, total] = columns;
  const head = `${''.padEnd(LABEL_WIDTH)} ${today.padStart(COUNT_WIDTH)} ${total.padStart(COUNT_WIDTH)}`;
  return [head, ...lines].join('\n');
}

/** @param share from 0 to 1; whatever is above 0 can be seen */
function drawBar(share: number): string {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * BAR_WIDTH * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
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
