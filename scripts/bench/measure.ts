import { readFileSync } from 'node:fs';
import os from 'node:os';

/** One line that says on what the figures were made. */
export function describeMachine(): string {
  const cpu = os.cpus()[0]?.model.trim() ?? 'unknown CPU';
  return `${os.cpus().length} cores of ${cpu}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.arch()}, Node ${process.version}`;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param q from 0 to 1; nearest rank */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? NaN;
}

/** Median milliseconds of one call of `work`, over `rounds` rounds of `calls` calls, after one round to warm up. */
export async function timeMs(work: () => unknown, { rounds = 7, calls = 1 } = {}): Promise<number> {
  const times: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const startedAt = performance.now();
    for (let call = 0; call < calls; call += 1) {
      const result = work();
      if (result instanceof Promise) await result;
    }
    if (round >= 0) times.push((performance.now() - startedAt) / calls);
  }
  return median(times);
}

/**
 * Microseconds of processor time that a process has used so far. Client and server share a machine, so this says more
 * than requests a second.
 */
export function cpuUs(pid: number | undefined): number {
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 14 and 15, in hundredths of a second.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Rows as a Markdown table, so that it can be pasted into the README as it is. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => String(row[column] ?? '').length)),
  );
  const line = (cells: readonly (string | number)[]) =>
    `| ${widths.map((width, column) => String(cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  );
}
