import type { Backend, BackendOptions } from './backend.ts';
import { openMemoryBackend } from './memory-backend.ts';
import { createNamespace, type Namespace } from './namespace.ts';

export interface StorageOptions {
  /** How long a call may take before it counts as failed. Default 1,000 ms. */
  readonly commandTimeoutMs?: number;
  /** How long connecting may take. Default 2,000 ms. */
  readonly connectTimeoutMs?: number;
  /** How long to try to find out what became of a change whose reply was lost. Default 3,000 ms. */
  readonly outcomeMs?: number;
  /** What callers are told to wait when the storage fails. Default 5 s. */
  readonly retryAfterSeconds?: number;
  /** Told of each failed call, with its cause, so that failures can be counted. */
  readonly onFailure?: (cause: unknown) => void;
}

/** Where records live. Everything that is acknowledged survives the process, except in memory. */
export interface Storage extends AsyncDisposable {
  /**
   * @param name `[a-z_]+`; one kind of record
   * @param isValue whether what was read is such a record; it must not change it
   */
  namespace<Value>(name: string, isValue: (value: unknown) => value is Value): Namespace<Value>;
  /** Rejects with the database's own error when it does not answer. */
  ping(): Promise<void>;
  /** Calls that are still running may fail; to be called after all users are done. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Drivers are imported when they are needed, since ioredis and pg cost start-up time.
 *
 * @param storageUrl `sqlite://data/file.sqlite` (relative), `sqlite:///absolute/path`, `memory:`, `redis://…`,
 *   `rediss://…`, `postgres://…`
 * @throws Error with a sentence for operators that names the setting, when the storage cannot be opened; it never holds the password
 */
export async function openStorage(storageUrl: string, options: StorageOptions = {}): Promise<Storage> {
  const {
    commandTimeoutMs = 1_000,
    connectTimeoutMs = 2_000,
    outcomeMs = 3_000,
    retryAfterSeconds = 5,
    onFailure = () => {},
  } = options;
  const backend = await openBackend(storageUrl, { commandTimeoutMs, connectTimeoutMs }).catch(
    (cause: unknown) => {
      throw new Error(`STORAGE_URL: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    },
  );

  let closing: Promise<void> | undefined;
  const close = () => (closing ??= backend.close());
  return {
    namespace: (name, isValue) => {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" cannot be the name of a namespace`);
      return createNamespace(backend.createAdapter(name), {
        name,
        isValue,
        retryAfterSeconds,
        outcomeMs,
        onFailure,
      });
    },
    ping: () => backend.ping(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws Error with a sentence for operators */
export async function openBackend(storageUrl: string, options: BackendOptions): Promise<Backend> {
  const scheme = /^[a-z]+:/.exec(storageUrl)?.[0] ?? '';
  switch (scheme) {
    case 'memory:':
      return openMemoryBackend();
    case 'sqlite:': {
      const { openSqliteBackend } = await import('./sqlite-backend.ts');
      return openSqliteBackend(storageUrl, options);
    }
    case 'redis:':
    case 'rediss:': {
      const { openRedisBackend } = await import('./redis-backend.ts');
      return openRedisBackend(storageUrl, options);
    }
    case 'postgres:':
    case 'postgresql:': {
      const { openPostgresBackend } = await import('./postgres-backend.ts');
      return openPostgresBackend(storageUrl, options);
    }
    default:
      throw new Error(
        'it must begin with sqlite://, memory:, redis://, rediss://, postgres:// or postgresql://',
      );
  }
}
