import type { Backend, BackendAdapter } from '../../../src/storage/backend.ts';
import { openMemoryBackend } from '../../../src/storage/memory-backend.ts';
import { createNamespace } from '../../../src/storage/namespace.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { createGuildKeys, type GuildKeyStoreOptions } from '../../../src/guild-keys/guild-key-store.ts';
import type { CreateKeyOptions } from '../../../src/guild-keys/guild-keys.ts';

export const GUILD = '123456789012345678';
export const OTHER_GUILD = '234567890123456789';
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** A clock that stands still until it is told to move. */
export class Clock {
  at = Date.UTC(2026, 0, 31, 12);
  readonly now = (): number => this.at;
  advance(ms: number): void {
    this.at += ms;
  }
}

/** Storage in memory that counts its reads, can be told to fail, and holds reads back. */
export class TestStorage implements Storage {
  reads = 0;
  writes = 0;
  failure: Error | undefined;
  /** Called for each call that fails. */
  onFailedCall: (() => void) | undefined;
  /** Whether the reply to this write is lost: the change is stored, and the writer is told that it failed. */
  losesReply: (() => boolean) | undefined;
  /** Awaited by each read between asking and answering. */
  beforeAnswer: (() => Promise<void>) | undefined;
  readonly #backend: Backend = openMemoryBackend();
  readonly #outcomeMs: number;

  constructor({ outcomeMs = 1_000 }: { outcomeMs?: number } = {}) {
    this.#outcomeMs = outcomeMs;
  }

  namespace: Storage['namespace'] = (name, isValue) => {
    const inner = this.#backend.createAdapter(name);
    const adapter: BackendAdapter = {
      ...inner,
      get: async (key) => {
        this.reads += 1;
        this.#failIfTold();
        const value = await inner.get(key);
        await this.beforeAnswer?.();
        return value;
      },
      compareAndSet: async (...args) => {
        this.writes += 1;
        this.#failIfTold();
        const isWritten = await inner.compareAndSet(...args);
        if (this.losesReply?.() === true) throw new Error('Connection terminated unexpectedly');
        return isWritten;
      },
      iterator: () => {
        this.#failIfTold();
        return inner.iterator();
      },
    };
    return createNamespace(adapter, {
      name,
      isValue,
      retryAfterSeconds: 5,
      outcomeMs: this.#outcomeMs,
      onFailure: () => {},
    });
  };

  #failIfTold(): void {
    if (this.failure === undefined) return;
    this.onFailedCall?.();
    throw this.failure;
  }

  async ping(): Promise<void> {
    this.#failIfTold();
  }
  async close(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}
}

export function setUp(options: GuildKeyStoreOptions = {}, storageOptions: { outcomeMs?: number } = {}) {
  const clock = new Clock();
  const storage = new TestStorage(storageOptions);
  const keys = createGuildKeys(storage, { now: clock.now, ...options });
  const create = (changes: Partial<CreateKeyOptions> = {}) =>
    keys.create({
      guildId: GUILD,
      name: 'bot',
      createdBy: '42',
      expiresInDays: null,
      flat: false,
      always200: false,
      ...changes,
    });
  return { clock, storage, keys, create };
}
