import { Problem } from '../problem.ts';
import type { GuildKeys, VerifiedKey } from './guild-keys.ts';

/** Who limits what strangers can cost, by the address they come from. */
export interface KeyAttempts {
  /**
   * Resolves when this address may have a record read, with what must be called when it is known whether the key
   * was a guess. Until then it counts as one, so that many at once are not let in together.
   * @throws Problem `busy`
   */
  beginRead(address: string): Promise<(wasGuess: boolean) => void>;
  /** A guess that cost no read. */
  count(address: string): void;
}

export interface KeyGuard {
  /**
   * As GuildKeys; strangers can cause only so many reads of the storage.
   * @param address of the caller; asked for only when it is needed
   * @throws Problem `key_…`, `busy`, `storage_unavailable`
   */
  verify(presented: string | undefined, address: () => string): Promise<VerifiedKey>;
}

/** Stands between the open network and the keys. A key whose record is cached never waits for its address. */
export function createKeyGuard(keys: Pick<GuildKeys, 'verify'>, attempts: KeyAttempts): KeyGuard {
  return {
    async verify(presented, address) {
      let endRead: ((wasGuess: boolean) => void) | undefined;
      const beforeRead = async () => {
        endRead = await attempts.beginRead(address());
      };
      try {
        const key = await keys.verify(presented, { beforeRead });
        endRead?.(false);
        return key;
      } catch (error) {
        // Keys that have ended were real ones, and a missing key is no attempt: neither is guessing.
        const wasGuess =
          error instanceof Problem && (error.code === 'key_unknown' || error.code === 'key_malformed');
        if (endRead !== undefined) endRead(wasGuess);
        else if (wasGuess) attempts.count(address());
        throw error;
      }
    },
  };
}
