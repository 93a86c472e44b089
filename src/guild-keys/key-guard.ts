import { Problem } from '../problem.ts';
import type { GuildKeys, VerifiedKey } from './guild-keys.ts';

/** Limits the work that strangers can cause, by their address. */
export interface KeyAttempts {
  /**
   * Resolves when this address may have a record read. Call the function that it resolves with once you know whether
   * the key was a guess. Until then it counts as one, so that many parallel guesses do not slip in together.
   * @throws Problem `busy`
   */
  beginRead(address: string): Promise<(wasGuess: boolean) => void>;
  /** Counts a guess that needed no read. */
  count(address: string): void;
}

export interface KeyGuard {
  /**
   * Like GuildKeys, but limits the storage reads that strangers can cause.
   * @param address returns the caller's address; called only when it is needed
   * @throws Problem `key_…`, `busy`, `storage_unavailable`
   */
  verify(presented: string | undefined, address: () => string): Promise<VerifiedKey>;
}

/** Protects the keys from the open network. A key whose record is cached is never held up because of its address. */
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
        // A key that has ended was a real one, and a missing key is not an attempt: neither counts as a guess.
        const wasGuess =
          error instanceof Problem && (error.code === 'key_unknown' || error.code === 'key_malformed');
        if (endRead !== undefined) endRead(wasGuess);
        else if (wasGuess) attempts.count(address());
        throw error;
      }
    },
  };
}
