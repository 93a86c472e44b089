/** The part of Stryker's report that is read here. Lines and columns count from 1. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** A row for the table: how many mutants there were, and what became of them. */
export function scoreRow(name: string, report: Report): string {
  const statuses = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...kinds: readonly string[]) => statuses.filter((status) => kinds.includes(status)).length;
  // A mutant that hangs counts as noticed. One that is not a valid program does not count at all.
  const noticed = count('Killed', 'Timeout');
  const [survived, notReached] = [count('Survived'), count('NoCoverage')];
  const all = noticed + survived + notReached;
  const score = all === 0 ? '' : `${Math.round((100 * noticed) / all)} %`;
  return `| ${[name, all, noticed, survived, notReached, score].join(' | ')} |`;
}

/** A line for each mutant that no test noticed: where it was, and the code in its place. */
export function describeSurvivors({ files }: Report): string {
  const missed = Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ status, mutatorName, replacement = '', location: { start, end } }) => {
        const line = lines[start.line - 1] ?? '';
        const before = line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined);
        const reached = status === 'Survived' ? '' : ' (no test runs this)';
        return `${file}:${start.line} ${mutatorName}${reached}: ${shorten(before)} -> ${shorten(replacement)}`;
      });
  });
  return missed.join('\n');
}

function shorten(code: string): string {
  const text = code.replaceAll(/\s+/g, ' ').trim();
  return text.length <= 90 ? text : `${text.slice(0, 89)}…`;
}
