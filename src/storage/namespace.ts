import { setTimeout as wait } from 'node:timers/promises';

import { Keyv } from 'keyv';

import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import type { BackendAdapter } from './backend.ts';
import { retry } from './retry.ts';

/** The cause of the Problem when a record exists but cannot be read. Asking again would not help. */
class DamagedRecordError extends Error {}

export function isDamagedRecord(error: unknown): boolean {
  return error instanceof Problem && error.cause instanceof DamagedRecordError;
}

/**
 * Records of one kind. A failure of the database always rejects with Problem `storage_unavailable` and keeps its
 * cause; it never looks like "not found". The same goes for a record that cannot be read.
 * @example
 * const Notes = z.object({ lines: z.array(z.string()) });
 * type Notes = z.infer<typeof Notes>;
 * const notes = storage.namespace('notes', (value): value is Notes => Notes.safeParse(value).success);
 * // Two processes may do this at the same time, and both lines are kept.
 * await notes.update(guildId, (current = { lines: [] }) => ({ lines: [...current.lines, line] }));
 */
export interface Namespace<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value): Promise<void>;
  /** Resolves with whether there was something to delete. */
  delete(key: string): Promise<boolean>;
  /**
   * In no order, in small pages. Entries written in the meantime may be missing or appear twice.
   * @param onDamaged called for a record that cannot be read, which is skipped; without it, such a record is a failure
   */
  entries(
    onDamaged?: (key: string, error: unknown) => void,
  ): AsyncGenerator<readonly [key: string, value: Value], void>;
  /**
   * One atomic step.
   * @param expected as `get` gave it, unchanged; undefined for "no entry"
   * @param next undefined deletes
   * @returns whether `next` was written; false when the current value is a different one
   */
  compareAndSet(key: string, expected: Value | undefined, next: Value | undefined): Promise<boolean>;
  /**
   * Reads, changes and writes until no other writer came in between. After a failed write it reads again, because the
   * write may have happened and only its reply was lost.
   * @param change called again with the current value when another writer was faster or a write failed. It must not
   * modify its argument, and must recognise its own earlier change. Returning the argument itself writes nothing;
   * undefined deletes. Its errors are passed on.
   * @returns the value that is stored afterwards
   * @throws Problem `busy` when other writers were faster 50 times
   */
  update(key: string, change: (current: Value | undefined) => Value | undefined): Promise<Value | undefined>;
}

export interface NamespaceOptions<Value> {
  readonly name: string;
  /** Checks the result of JSON.parse. A value that does not pass counts as damaged. */
  readonly isValue: (value: unknown) => value is Value;
  /** After a failed write, reads are retried for this long to find out whether it happened. Default 3 s. */
  readonly outcomeMs?: number;
  /** Called for each failure, with its cause. */
  readonly onFailure: (cause: unknown) => void;
}

function describeUnknown(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('v' in value) || typeof value.v !== 'number') {
    return 'damaged';
  }
  return `damaged, or from a newer version of the service: it has the format ${value.v}`;
}

/** Callers are asked to wait this long when the storage fails. */
const RETRY_AFTER_SECONDS = 5;
/** The pauses below then take five seconds at most. */
const UPDATE_ATTEMPTS_MAX = 50;
/** Multiplied by the number of the attempt, to spread out writers that keep colliding. */
const UPDATE_PAUSE_MS = 4;
/**
 * A failed write is repeated once. If the first one arrives late, it then finds a different record and does nothing.
 */
const FAILED_WRITES_MAX = 2;
/** Drivers usually reconnect within this time. */
const OUTCOME_PAUSE_MS = 100;

/** The records of one kind in a database. */
export class StoredNamespace<Value> implements Namespace<Value> {
  readonly #adapter: BackendAdapter;
  readonly #options: Required<NamespaceOptions<Value>>;
  readonly #keyv: Keyv<unknown>;

  constructor(adapter: BackendAdapter, options: NamespaceOptions<Value>) {
    this.#adapter = adapter;
    this.#options = { outcomeMs: 3_000, ...options };
    // Two casts: Keyv's adapter type demands methods that it never calls here, such as those of an event emitter.
    const store = adapter as unknown as Map<string, string>;
    this.#keyv = new Keyv<unknown>({ store, namespace: options.name });
  }

  get(key: string): Promise<Value | undefined> {
    return this.#guard(async () => {
      const encoded = await this.#adapter.get(key);
      return encoded === undefined ? undefined : this.#decode(key, encoded);
    });
  }

  async set(key: string, value: Value): Promise<void> {
    await this.#write(() => this.#keyv.set(key, value));
  }

  delete(key: string): Promise<boolean> {
    return this.#write(() => this.#keyv.delete(key));
  }

  async *entries(
    onDamaged?: (key: string, error: unknown) => void,
  ): AsyncGenerator<readonly [key: string, value: Value], void> {
    const iterator = this.#adapter.iterator();
    for (;;) {
      const step = await this.#guard(() => iterator.next());
      if (step.done === true) return;
      const [key, encoded] = step.value;
      let value: Value;
      try {
        value = await this.#guard(() => this.#decode(key, encoded));
      } catch (error) {
        if (onDamaged === undefined) throw error;
        onDamaged(key, error);
        continue;
      }
      yield [key, value];
    }
  }

  compareAndSet(key: string, expected: Value | undefined, next: Value | undefined): Promise<boolean> {
    return this.#write(async () =>
      this.#adapter.compareAndSet(key, await this.#encode(expected), await this.#encode(next)),
    );
  }

  async update(
    key: string,
    change: (current: Value | undefined) => Value | undefined,
  ): Promise<Value | undefined> {
    const failures: unknown[] = [];
    for (let attempt = 1; attempt <= UPDATE_ATTEMPTS_MAX; attempt += 1) {
      const current = await (failures.length === 0 ? this.get(key) : this.#getAfterFailure(key));
      const next = change(current);
      if (next === current) return next;
      if (failures.length === FAILED_WRITES_MAX) throw failures.at(-1);
      try {
        if (await this.compareAndSet(key, current, next)) return next;
      } catch (error) {
        failures.push(error);
      }
      await wait(Math.random() * UPDATE_PAUSE_MS * attempt);
    }
    throw new Problem('busy/changes', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  async #encode(value: Value | undefined): Promise<string | undefined> {
    return value === undefined ? undefined : ((await this.#keyv.encode({ value })) as string);
  }

  /** Not `keyv.get`, which treats a record without a value as no record. */
  async #decode(key: string, encoded: string): Promise<Value> {
    const { name, isValue } = this.#options;
    let value: unknown;
    try {
      value = (await this.#keyv.decode(encoded))?.value;
    } catch (cause) {
      throw new DamagedRecordError(`The record ${name}/${key} cannot be decoded`, { cause });
    }
    if (!isValue(value))
      throw new DamagedRecordError(`The record ${name}/${key} is ${describeUnknown(value)}`);
    return value;
  }

  async #guard<Result>(
    work: () => Promise<Result>,
    key: ProblemTextKey = 'storage_unavailable',
  ): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      this.#options.onFailure(cause);
      throw new Problem(key, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    }
  }

  #write<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#guard(work, 'storage_unavailable/change');
  }

  /** Reads until the storage answers, because a connection that broke during a write may soon be back. */
  #getAfterFailure(key: string): Promise<Value | undefined> {
    return retry(
      () => this.get(key),
      this.#options.outcomeMs,
      () => OUTCOME_PAUSE_MS,
    ).catch((cause: unknown) => {
      throw new Problem('storage_unavailable/unknown', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
    });
  }
}
