import { createFirstKey } from '../guild-keys/create-first-key.ts';
import type { GuildKeyStore } from '../guild-keys/guild-key-store.ts';
import type { Log } from '../telemetry/log.ts';

export interface FirstKeyOptions {
  /** Shows the key to somebody at a terminal; null where only a log would keep it. */
  readonly show: ((key: string) => void) | null;
  /** Other processes can make keys in the same storage. */
  readonly isShared: boolean;
  readonly log: Log;
}

/** Makes the first key and shows it, or says how to make one. The key is kept nowhere. */
export async function offerFirstKey(
  keys: Pick<GuildKeyStore, 'isEmpty' | 'create'>,
  { show, isShared, log }: FirstKeyOptions,
): Promise<void> {
  if (show !== null) {
    const first = await createFirstKey(keys);
    if (first !== null) show(first.key);
    return;
  }
  if (!(await keys.isEmpty())) return;
  if (isShared) log.info('there is no API key yet: make one with npm run --silent key -- create 0');
  else log.warn('there is no API key, and STORAGE_URL=memory: gets one only from a start at a terminal');
}
