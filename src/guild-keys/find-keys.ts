import { hasKeyShape } from './guild-key.ts';
import type { KeyEntry } from './guild-keys.ts';

/** Compares names. Capital letters and the encoding of accents make no difference. */
export function isSameName(a: string, b: string): boolean {
  return toComparable(a) === toComparable(b);
}

function toComparable(name: string): string {
  return name.normalize().trim().toLowerCase();
}

/**
 * Finds a key by its id, its public part, the whole key, or its name. A name means the current key, or without one, the
 * replaced keys of that name that still work.
 * @param entries the keys to choose from
 * @param typed may contain a secret, which must not be shown again
 * @returns none, one, or several when nothing distinguishes them
 */
export function findKeys(entries: readonly KeyEntry[], typed: string): readonly KeyEntry[] {
  const wanted = toShownKey(typed);
  const exact = entries.find((entry) => entry.keyId === wanted || entry.publicPart === wanted);
  if (exact !== undefined) return [exact];
  const named = entries.filter((entry) => isSameName(entry.name, wanted));
  const current = named.filter(({ state }) => state === 'current');
  return current.length > 0 ? current : named.filter(({ state }) => state === 'replaced');
}

/** When a key that no longer works ended. */
export function endOf({ revokedAt, expiresAt, createdAt }: KeyEntry): number {
  return revokedAt ?? expiresAt ?? createdAt;
}

/** Finds the revoked or expired key that ended last, by its id, its public part, the whole key, or its name. */
export function findEndedKey(entries: readonly KeyEntry[], typed: string): KeyEntry | null {
  const wanted = toShownKey(typed);
  const [last] = entries
    .filter(({ state }) => state === 'revoked' || state === 'expired')
    .filter(
      ({ keyId, publicPart, name }) => keyId === wanted || publicPart === wanted || isSameName(name, wanted),
    )
    .toSorted((a, b) => endOf(b) - endOf(a));
  return last ?? null;
}

/** Matches any part of the name or the public part. */
export function mayMean({ name, publicPart }: KeyEntry, typed: string): boolean {
  return toComparable(`${name} ${publicPart}`).includes(toComparable(toShownKey(typed)));
}

/** Removes the secret of a whole key. Returns other text unchanged. */
export function toShownKey(typed: string): string {
  const trimmed = typed.trim();
  return hasKeyShape(trimmed) ? trimmed.slice(0, trimmed.lastIndexOf('_')) : trimmed;
}

/** Older secrets of the same name that still work. Rotating the current key ends them. */
export function findOlderSecrets(entries: readonly KeyEntry[], key: KeyEntry): readonly KeyEntry[] {
  return entries.filter(
    ({ keyId, name, state }) => keyId !== key.keyId && state === 'replaced' && isSameName(name, key.name),
  );
}
