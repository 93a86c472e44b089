import type { GuildKeyStore } from '../guild-keys/guild-key-store.ts';
import { NO_GUILD_ID } from '../guild-keys/guild-keys.ts';
import { CLI } from '../guild-keys/guild-record.ts';
import { Problem } from '../kernel/problem.ts';
import type { Log } from '../telemetry/log.ts';

export interface FirstKeyOptions {
  /** Shows the key at a terminal; null without one, so that no key ends in a log. */
  readonly show: ((key: string) => void) | null;
  /** Other processes can make keys in the same storage. */
  readonly isShared: boolean;
  readonly log: Log;
}

/**
 * While there is no key, makes a key of no server and shows it, so that a first start can be tried immediately, or says
 * how to make one. Only its hash is kept, so it cannot be shown again: a later start at a terminal says how to make
 * another.
 */
export async function offerFirstKey(
  keys: Pick<GuildKeyStore, 'isEmpty' | 'create'>,
  { show, isShared, log }: FirstKeyOptions,
): Promise<void> {
  if (!(await keys.isEmpty())) {
    if (show !== null) log.info('there are API keys: make another one with npm run --silent key -- create 0');
    return;
  }
  if (show === null) {
    if (isShared) log.info('there is no API key yet: make one with npm run --silent key -- create 0');
    else log.warn('there is no API key, and STORAGE_URL=memory: gets one only from a start at a terminal');
    return;
  }
  try {
    const { key } = await keys.create({
      guildId: NO_GUILD_ID,
      name: 'first',
      createdBy: CLI,
      expiresInDays: null,
      flat: false,
      always200: false,
    });
    show(key);
  } catch (error) {
    // The name is taken, so another process is starting too, and has made and shown the key.
    if (!(error instanceof Problem && error.code === 'invalid_field')) throw error;
  }
}
