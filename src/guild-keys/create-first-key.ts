import { Problem } from '../problem.ts';
import { CLI } from './guild-record.ts';
import type { GuildKeyStore } from './guild-key-store.ts';
import { LOCAL_GUILD_ID, type IssuedKey } from './guild-keys.ts';

/**
 * Makes a key for the local guild if no guild has one yet, so that a first start can be tried at once; otherwise
 * returns null.
 */
export async function createFirstKey(
  keys: Pick<GuildKeyStore, 'isEmpty' | 'create'>,
): Promise<IssuedKey | null> {
  if (!(await keys.isEmpty())) return null;
  try {
    return await keys.create({
      guildId: LOCAL_GUILD_ID,
      name: 'first',
      createdBy: CLI,
      expiresInDays: null,
      flat: false,
      always200: false,
    });
  } catch (error) {
    // The name is taken: another process is starting at the same time. It has made the key, and shows it.
    if (error instanceof Problem && error.code === 'invalid_field') return null;
    throw error;
  }
}
