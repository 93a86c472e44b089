import { reasonOf } from '../kernel/explained-failure.ts';

/**
 * The database of one namespace: the part of Keyv's adapter that we use, and compare-and-set. Values are opaque
 * strings. Every call has its own deadline and rejects on failure, so "not found" always means that the database has
 * answered.
 *
 * There is no `on` method on purpose: with one, Keyv would turn errors into events and answer "not found".
 */
export interface BackendAdapter {
  /** Tells Keyv to use this object as it is, without its bridge for older adapters. */
  readonly capabilities: { readonly expires: true };
  /** Keyv writes this, which is why every namespace has its own adapter object. */
  namespace: string | undefined;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<true>;
  /** Resolves with whether there was something to delete. */
  delete(key: string): Promise<boolean>;
  /** All entries of the namespace, in small pages. Entries written in the meantime may be missing or appear twice. */
  iterator(): AsyncGenerator<[key: string, value: string], void>;
  /**
   * One atomic step: writes `next` only if the current value is `expected`. For both, `undefined` means "no entry".
   * @returns whether it was written
   */
  compareAndSet(key: string, expected: string | undefined, next: string | undefined): Promise<boolean>;
}

export interface Backend {
  createAdapter(namespace: string): BackendAdapter;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface BackendOptions {
  /** A call that takes longer counts as failed. */
  readonly commandTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** One sentence for operators. It shows the host of the URL, but neither the user nor the password. */
export function describeFailure(database: string, url: string, error: unknown): string {
  const host = URL.canParse(url) ? new URL(url).host : 'the given address';
  return `${database} at ${host} cannot be used: ${reasonOf(error)}`;
}
