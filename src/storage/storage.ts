import { ExplainedFailure, reasonOf } from '../kernel/explained-failure.ts';
import type { Backend, BackendOptions } from './backend.ts';
import { openMemoryBackend } from './memory-backend.ts';
import { StoredNamespace, type Namespace } from './namespace.ts';

export interface StorageOptions {
  /** A call that takes longer counts as failed. Default 1,000 ms. */
  readonly commandTimeoutMs?: number;
  /** Default 2,000 ms. */
  readonly connectTimeoutMs?: number;
  /** Called for each failed call, with its cause, so that failures can be counted. */
  readonly onFailure?: (cause: unknown) => void;
}

/** Every acknowledged change survives the process, except with `memory:`. */
export interface Storage extends AsyncDisposable {
  /**
   * @param name `[a-z_]+`; one kind of record
   * @param isValue checks that a value that was read is a record of this kind; it must not modify it
   */
  namespace<Value>(name: string, isValue: (value: unknown) => value is Value): Namespace<Value>;
  /** Rejects with the driver's own error when the database does not answer. */
  ping(): Promise<void>;
  /** Call it after all users are done: calls that are still running may fail. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Imports only the driver that it needs, because ioredis and pg cost start-up time.
 *
 * @param storageUrl `sqlite://data/file.sqlite` (relative), `sqlite:///absolute/path`, `memory:`, `redis://…`,
 *   `rediss://…`, `postgres://…`
 * @throws ExplainedFailure when the storage cannot be opened: a sentence for operators that names the setting, without the password
 */
export async function openStorage(storageUrl: string, options: StorageOptions = {}): Promise<Storage> {
  const { commandTimeoutMs = 1_000, connectTimeoutMs = 2_000, onFailure = () => {} } = options;
  const backend = await openBackend(storageUrl, { commandTimeoutMs, connectTimeoutMs }).catch(
    (cause: unknown) => {
      throw new ExplainedFailure(`STORAGE_URL: ${reasonOf(cause)}`, {
        cause,
        isFinal: cause instanceof ExplainedFailure && cause.isFinal,
      });
    },
  );

  let closing: Promise<void> | undefined;
  const close = () => (closing ??= backend.close());
  return {
    namespace: (name, isValue) => {
      if (!/^[a-z_]+$/.test(name)) throw new Error(`"${name}" cannot be the name of a namespace`);
      return new StoredNamespace(backend.createAdapter(name), {
        name,
        isValue,
        onFailure,
      });
    },
    async ping() {
      try {
        await backend.ping();
      } catch (cause) {
        onFailure(cause);
        throw cause;
      }
    },
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
