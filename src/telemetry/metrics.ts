import { VERSION } from '../kernel/version.ts';

const PREFIX = 'quartermaster_';
/**
 * The most seconds in each. Operations without network answer within the first two; 8 and 10 s are the limits of the
 * others.
 */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8, 10, 15, Infinity];

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [suffix: string, labels: Labels, value: number];

interface Durations {
  /** Requests by the first bucket that fits their duration. */
  readonly buckets: number[];
  seconds: number;
}

/**
 * Counting costs next to nothing: a request finds its numbers by name and adds to them. All text is made when somebody
 * reads the metrics. Labels are our own names and numbers: no guild, key, address or token ever becomes one.
 */
export class Metrics {
  readonly #families = new Map<string, () => string>();
  readonly #countAnswer: (operation: string, status: string, code: string) => void;
  /** By operation. */
  readonly #durations = new Map<string, Durations>();
  /**
   * @param command one of our own names
   * @param outcome `ok`, a problem code, or why nobody got an answer
   */
  readonly countInteraction: (command: string, outcome: string) => void;

  constructor() {
    this.#add('build_info', 'gauge', 'Always 1; the version is a label', () => [
      ['', { version: VERSION }, 1],
    ]);
    const answers = 'Answers by operation, status and problem code';
    this.#countAnswer = this.labelledCounter('requests_total', answers, 'operation', 'status', 'code');
    const durations = 'Time from the request to the end of its answer';
    this.#add('request_duration_seconds', 'histogram', durations, () =>
      [...this.#durations].flatMap(([operation, counted]) => toSamples(operation, counted)),
    );
    const interactions = 'Commands, clicks and forms in Discord by outcome';
    this.countInteraction = this.labelledCounter('interactions_total', interactions, 'command', 'outcome');
  }

  /** The text format of Prometheus, https://prometheus.io/docs/instrumenting/exposition_formats. */
  render(): string {
    return `${[...this.#families.values()].map((render) => render()).join('\n\n')}\n`;
  }

  /** @param endpoint its name, or null for an address that we do not serve */
  countRequest(endpoint: string | null, status: number, code: string | null, durationMs: number): void {
    const operation = endpoint ?? 'none';
    this.#countAnswer(operation, String(status), code ?? '');
    const durations = this.#durations.get(operation) ?? { buckets: [], seconds: 0 };
    this.#durations.set(operation, durations);
    const seconds = durationMs / 1_000;
    const bucket = BUCKETS.findIndex((upTo) => seconds <= upTo);
    durations.buckets[bucket] = (durations.buckets[bucket] ?? 0) + 1;
    durations.seconds += seconds;
  }

  /** @returns a function that counts one */
  counter(name: string, help: string): () => void {
    let count = 0;
    this.total(name, help, () => count);
    return () => {
      count += 1;
    };
  }

  /** A count kept elsewhere, and read when the metrics are. */
  total(name: string, help: string, read: () => number): void {
    this.#add(name, 'counter', help, () => [['', {}, read()]]);
  }

  /**
   * With labels, whose values come from fixed lists of ours.
   * @returns a function that counts one, with a value for each label
   */
  labelledCounter(name: string, help: string, ...names: string[]): (...values: string[]) => void {
    const counts = new Map<string, { readonly labels: Labels; count: number }>();
    this.#add(name, 'counter', help, () =>
      [...counts.values()].map(({ labels, count }) => ['', labels, count]),
    );
    return (...values) => {
      const key = values.join(' ');
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else {
        const labels = Object.fromEntries(names.map((label, at) => [label, values[at] ?? '']));
        counts.set(key, { labels, count: 1 });
      }
    };
  }

  /** A value that is read when the metrics are. */
  gauge(name: string, help: string, read: () => number): void {
    this.#add(name, 'gauge', help, () => [['', {}, read()]]);
  }

  #add(name: string, type: string, help: string, read: () => readonly Sample[]): void {
    const whole = `${PREFIX}${name}`;
    if (this.#families.has(whole)) throw new Error(`There are two metrics named ${whole}.`);
    this.#families.set(whole, () => renderFamily(whole, type, help, read()));
  }
}

/** Prometheus adds each bucket to the ones below it. */
function toSamples(operation: string, { buckets, seconds }: Durations): Sample[] {
  let sum = 0;
  const upTo = BUCKETS.map((le, at): Sample => {
    sum += buckets[at] ?? 0;
    return ['_bucket', { le: formatNumber(le), operation }, sum];
  });
  return [...upTo, ['_sum', { operation }, seconds], ['_count', { operation }, sum]];
}

function renderFamily(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([suffix, labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
    const written = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
    return `${name}${suffix}${written} ${formatNumber(value)}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

function escapeLabel(text: string): string {
  return text.replace(/["\\\n]/g, (sign) => (sign === '\n' ? String.raw`\n` : `\\${sign}`));
}

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
