import { VERSION } from '../version.ts';

const PREFIX = 'quartermaster_';
/** Seconds. Operations without network answer within the first two; 8 and 10 s are the limits of the others. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8, 10, 15];

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [suffix: string, labels: Labels, value: number];

/**
 * Counting costs next to nothing: a request finds its numbers by name and adds to them. All text is made when somebody
 * reads the metrics. Labels are our own names and numbers: no guild, key, address or token ever becomes one.
 */
export class Metrics {
  readonly #families = new Map<string, () => string>();
  readonly #requests = new Requests();
  readonly #interactions = new Map<string, { readonly labels: Labels; count: number }>();

  constructor() {
    this.#add('build_info', 'gauge', 'Always 1; the version is a label', () => [
      ['', { version: VERSION }, 1],
    ]);
    this.#add('requests_total', 'counter', 'Answers by operation, status and problem code', () =>
      this.#requests.counts(),
    );
    const durations = 'Time from the request to the end of its answer';
    this.#add('request_duration_seconds', 'histogram', durations, () => this.#requests.durations());
    this.#add('interactions_total', 'counter', 'Commands, clicks and forms in Discord by outcome', () =>
      [...this.#interactions.values()].map(({ labels, count }) => ['', labels, count]),
    );
  }

  /** The text format of Prometheus, https://prometheus.io/docs/instrumenting/exposition_formats. */
  render(): string {
    return `${[...this.#families.values()].map((render) => render()).join('\n\n')}\n`;
  }

  /** @param operation name of an endpoint, or null for an address that we do not serve */
  countRequest(operation: string | null, status: number, code: string | null, durationMs: number): void {
    this.#requests.count(operation ?? 'none', status, code, durationMs / 1000);
  }

  /**
   * @param command one of our own names
   * @param outcome `ok`, a problem code, or why nobody got an answer
   */
  countInteraction(command: string, outcome: string): void {
    const key = `${command} ${outcome}`;
    const known = this.#interactions.get(key);
    if (known === undefined) this.#interactions.set(key, { labels: { command, outcome }, count: 1 });
    else known.count += 1;
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
   * With one label, whose values come from a fixed list of ours.
   * @returns a function that counts one
   */
  labelledCounter(name: string, help: string, label: string): (value: string) => void {
    const counts = new Map<string, number>();
    this.#add(name, 'counter', help, () =>
      [...counts].map(([value, count]) => ['', { [label]: value }, count]),
    );
    return (value) => {
      counts.set(value, (counts.get(value) ?? 0) + 1);
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

interface OperationCounts {
  /** By problem code, or by status where there is none: a code always has the same status. */
  readonly outcomes: Map<string | number, { readonly labels: Labels; count: number }>;
  /** Requests by the first bucket that fits their duration. The last bucket takes the slower ones. */
  readonly buckets: number[];
  seconds: number;
}

/** Requests by operation. Its size is bounded, because operations, statuses and codes come from lists of ours. */
class Requests {
  readonly #operations = new Map<string, OperationCounts>();

  count(operation: string, status: number, code: string | null, seconds: number): void {
    let counts = this.#operations.get(operation);
    if (counts === undefined) {
      counts = { outcomes: new Map(), buckets: [0, ...DURATION_BUCKETS.map(() => 0)], seconds: 0 };
      this.#operations.set(operation, counts);
    }
    const outcome = counts.outcomes.get(code ?? status);
    if (outcome === undefined) {
      const labels = { operation, status: String(status), code: code ?? '' };
      counts.outcomes.set(code ?? status, { labels, count: 1 });
    } else {
      outcome.count += 1;
    }
    let bucket = 0;
    while (bucket < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[bucket] ?? Infinity)) bucket += 1;
    counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
    counts.seconds += seconds;
  }

  counts(): Sample[] {
    return [...this.#operations.values()].flatMap(({ outcomes }) =>
      [...outcomes.values()].map(({ labels, count }): Sample => ['', labels, count]),
    );
  }

  durations(): Sample[] {
    return [...this.#operations].flatMap(([operation, { buckets, seconds }]) => {
      let sum = 0;
      const upTo = buckets.map((count, at): Sample => {
        sum += count;
        return ['_bucket', { le: formatNumber(DURATION_BUCKETS[at] ?? Infinity), operation }, sum];
      });
      return [...upTo, ['_sum', { operation }, seconds], ['_count', { operation }, sum]];
    });
  }
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
