import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Log } from '../telemetry/log.ts';
import type { GuildKeyStore } from './guild-key-store.ts';
import type { KeyUsage } from './key-usage.ts';

export interface HousekeepingOptions {
  readonly keys: Pick<GuildKeyStore, 'guilds' | 'purge' | 'list'>;
  readonly usage: Pick<KeyUsage, 'purge'>;
  readonly log: Log;
  /** Default 6 hours. */
  readonly everyMs?: number;
}

export interface Housekeeping extends AsyncDisposable {
  /** One pass over all guilds. Several processes may do this at the same time. Never rejects. */
  run(): Promise<void>;
  /** Stops a running pass at the next guild. */
  close(): Promise<void>;
}

/** Deletes what has been kept for long enough: once at the start, then periodically. */
export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { keys, usage, log, everyMs = 6 * 3_600_000 } = options;
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  const onDamaged = (guildId: string, err: unknown) =>
    log.error({ guild_id: guildId, err }, 'the keys of a server cannot be read');

  async function purgeKeys(): Promise<void> {
    for await (const { guildId } of keys.guilds(onDamaged)) {
      if (closing.signal.aborted) return;
      if (await keys.purge(guildId)) log.info({ guild_id: guildId }, 'old keys are deleted');
      // SQLite blocks the event loop while it works, and a pass must not keep requests waiting.
      await nextTurn();
    }
  }
  const listKeyIds = async (guildId: string) => new Set((await keys.list(guildId)).map((key) => key.keyId));

  /** One line per pass, however many failed: lost counts are no reason to wake anybody up. */
  async function purgeUsage(): Promise<void> {
    const damaged: { guildId: string; error: unknown }[] = [];
    let count = 0;
    await usage.purge(listKeyIds, closing.signal, (guildId, error) => {
      count += 1;
      if (count === 1) damaged.push({ guildId, error });
    });
    for (const { guildId, error } of damaged) {
      log.warn(
        { guild_id: guildId, records: count, err: error },
        'usage counts cannot be read, as of this server',
      );
    }
  }

  async function purgeAll(): Promise<void> {
    try {
      await purgeKeys();
      await purgeUsage();
    } catch (err) {
      log.warn({ err }, 'old keys cannot be deleted now; trying again later');
    }
  }
  const run = () => (running ??= purgeAll().finally(() => (running = undefined)));
  const timer = setInterval(() => void run(), everyMs).unref();
  void run();

  async function close(): Promise<void> {
    clearInterval(timer);
    closing.abort();
    await running;
  }
  return { run, close, [Symbol.asyncDispose]: close };
}
