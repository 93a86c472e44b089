/**
 * What a database has to offer, once for each namespace: the part of Keyv's adapter that is used here, and
 * compare-and-set. Values are opaque strings. Every call has a deadline of its own and rejects on failure;
 * "not found" is only ever said by a database that was asked.
 *
 * There is no `on` method on purpose: with one, Keyv takes errors for events and answers "not found".
 */
export interface BackendAdapter {
  /** Tells Keyv to use this object as it is, without its bridge for older adapters. */
  readonly capabilities: { readonly expires: true };
  /** Written by Keyv, which is why every namespace has an adapter object of its own. */
  namespace: string | undefined;
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<true>;
  /** Resolves with whether there was something to delete. */
  delete(key: string): Promise<boolean>;
  /** All entries of the namespace in small pages; those written meanwhile may be missing or come twice. */
  iterator(): AsyncGenerator<[key: string, value: string], void>;
  /**
   * One atomic step: writes `next` only where `expected` stands. `undefined` means "no entry", for both.
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
  /** How long a call may take before it counts as failed. */
  readonly commandTimeoutMs: number;
  /** How long connecting may take. */
  readonly connectTimeoutMs: number;
}
