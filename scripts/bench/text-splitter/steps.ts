import { makeGithubPatterns } from '../../../test/fixtures/text-corpus/github-patterns.ts';
import { makeHostile } from '../../../test/fixtures/text-corpus/hostile.ts';
import { conversionFor, convertGithub } from '../../../src/operations/text-splitter/github/convert-github.ts';
import { DEFAULT_OPTIONS } from '../../../src/operations/text-splitter/split-options.ts';
import { chooseChunks, readText, writeChunks } from '../../../src/operations/text-splitter/split-text.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { markdownTable } from '../measure.ts';

const SHOWN = 8;

interface Time {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * The patterns with the longest steps between two turns of the event loop. Each is the least of some rounds, because
 * whatever else runs on the machine can only add. Processor time includes the threads of the garbage collector.
 */
export function longestSteps(length: number, rounds: number): string {
  const patterns = [...makeHostile(length), ...makeGithubPatterns(length)];
  const rows = (['discord', 'github'] as const).flatMap((dialect) => {
    const measured = patterns.map(([name, text]) => ({
      name,
      ...longestStep(text.slice(0, length), dialect, rounds),
    }));
    measured.sort((a, b) => b.cpuMs - a.cpuMs);
    return measured
      .slice(0, SHOWN)
      .map(({ name, step, wallMs, cpuMs }) => [dialect, name, step, wallMs.toFixed(0), cpuMs.toFixed(0)]);
  });
  return markdownTable(
    ['dialect', `pattern, of ${patterns.length}`, 'longest step', 'ms', 'processor ms'],
    rows,
  );
}

function longestStep(
  text: string,
  dialect: 'discord' | 'github',
  rounds: number,
): Time & { readonly step: string } {
  const least = new Map<string, Time>();
  for (let round = 0; round < rounds; round += 1) {
    const timed = <Result>(step: string, work: () => Result): Result => {
      const [startedAt, before] = [performance.now(), process.cpuUsage()];
      try {
        return work();
      } finally {
        const wallMs = performance.now() - startedAt;
        const { user, system } = process.cpuUsage(before);
        const last = least.get(step) ?? { wallMs: Infinity, cpuMs: Infinity };
        const cpuMs = Math.min(last.cpuMs, (user + system) / 1000);
        least.set(step, { wallMs: Math.min(last.wallMs, wallMs), cpuMs });
      }
    };
    try {
      splitInSteps(text, dialect, timed);
    } catch (error) {
      // Some grow too long, or into too many chunks.
      if (!(error instanceof Problem)) throw error;
    }
  }
  const [step, time] = [...least].reduce((a, b) => (b[1].cpuMs > a[1].cpuMs ? b : a));
  return { step, ...time };
}

function splitInSteps(
  text: string,
  dialect: 'discord' | 'github',
  timed: <Result>(step: string, work: () => Result) => Result,
): void {
  const conversion = conversionFor(DEFAULT_OPTIONS, { tables: 'auto', latex: false });
  const converted =
    dialect === 'github'
      ? timed('convert', () => convertGithub(text, conversion))
      : { text, unbreakable: [] };
  const options = { ...DEFAULT_OPTIONS, unbreakable: converted.unbreakable };
  const read = timed('read', () => readText(converted.text, options));
  const chosen = timed('find and choose', () => chooseChunks(read));
  timed('write', () => writeChunks(chosen));
}
