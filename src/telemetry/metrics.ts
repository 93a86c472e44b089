/**
 * The metrics of the service. Labels are our own names and numbers: never a guild, key, IP address or token.
 */
export interface Metrics {
  /** @returns a function that counts one, with a value for each label */
  counter(name: string, help: string, ...labels: string[]): (...values: string[]) => void;
  /** A count kept elsewhere, and read when the metrics are. */
  total(name: string, help: string, read: () => number): void;
  /** A value that is read when the metrics are. */
  gauge(name: string, help: string, read: () => number): void;
  /** @returns a function that records how long something took, with the value of its label */
  durations(name: string, help: string, label: string): (value: string, ms: number) => void;
}

/** For processes without metrics. */
export const NO_METRICS: Metrics = {
  counter: () => () => {},
  total() {},
  gauge() {},
  durations: () => () => {},
};
