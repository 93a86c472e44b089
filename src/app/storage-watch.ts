import type { Storage } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';

/** Asks whether the storage answers, and logs one line when an outage begins and one when it ends. */
export class StorageWatch {
  readonly #storage: Pick<Storage, 'ping'>;
  readonly #log: Log;
  #isAway = false;

  constructor(storage: Pick<Storage, 'ping'>, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** Rejects with the driver's own error when the storage does not answer. */
  async ping(): Promise<void> {
    try {
      await this.#storage.ping();
    } catch (cause) {
      if (!this.#isAway)
        this.#log.warn({ cause }, 'the storage is away: keys cannot be checked or changed until it is back');
      this.#isAway = true;
      throw cause;
    }
    if (this.#isAway) this.#log.info('the storage is back: keys can be checked and changed again');
    this.#isAway = false;
  }
}
