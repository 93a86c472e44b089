import { setImmediate as nextIteration } from 'node:timers/promises';

import type { Log } from '../telemetry/log.ts';
import type { GuildKeyStore } from './guild-key-store.ts';
import type { KeyUsage } from './key-usage.ts';

/** Six hours: often enough for records that are kept for days. */
const EVERY_MS = 6 * 3_600_000;

export interface HousekeepingOptions {
  readonly keys: Pick<GuildKeyStore, 'guilds' | 'purge' | 'list'>;
  readonly usage: Pick<KeyUsage, 'purge'>;
  readonly log: Log;
}

/** Deletes records past their time: once at the start, then periodically. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.run(), EVERY_MS).unref();
    void this.run();
  }

  /** One pass over all guilds. Several processes may do this at the same time. Never rejects. */
  run(): Promise<void> {
    return (this.#running ??= this.#purgeAll().finally(() => (this.#running = undefined)));
  }

  /** Stops a running pass at the next guild. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  async #purgeAll(): Promise<void> {
    try {
      await this.#purgeKeys();
      await this.#purgeUsage();
    } catch (cause) {
      this.#options.log.warn({ cause }, 'old keys cannot be deleted now; trying again later');
    }
  }

  async #purgeKeys(): Promise<void> {
    const { keys, log } = this.#options;
    const guilds = keys.guilds((guildId, err) =>
      log.error({ guild_id: guildId, err }, 'the keys of a server cannot be read'),
    );
    for await (const { guildId } of guilds) {
      if (this.#closing.signal.aborted) return;
      if (await keys.purge(guildId)) log.info({ guild_id: guildId }, 'old keys are deleted');
      // SQLite blocks the event loop while it works, so let requests run in between.
      await nextIteration();
    }
  }

  /** Logs one line per pass, even if many guilds failed, because lost counts are no emergency. */
  async #purgeUsage(): Promise<void> {
    const { keys, usage, log } = this.#options;
    const damaged: { guildId: string; error: unknown }[] = [];
    const listKeyIds = async (guildId: string) => new Set((await keys.list(guildId)).map((key) => key.keyId));
    await usage.purge(listKeyIds, this.#closing.signal, (guildId, error) => damaged.push({ guildId, error }));
    const [first] = damaged;
    if (first === undefined) return;
    log.warn(
      { guild_id: first.guildId, records: damaged.length, err: first.error },
      'usage counts cannot be read, for example those of this server',
    );
  }
}
