import { hasKeyShape } from './guild-key.ts';
import type { KeyEntry } from './guild-keys.ts';

/** As people read it: capital letters, and ways to write an accent, make no other name. */
export function isSameName(a: string, b: string): boolean {
  return toComparable(a) === toComparable(b);
}

function toComparable(name: string): string {
  return name.normalize().trim().toLowerCase();
}

/**
 * The key that somebody meant: by its id, its public part, the whole key, or its name. A name means the live key of
 * that name, since those that were replaced may share it, and only without one what still works of it.
 * @param entries the keys that may be meant
 * @param typed as it was typed; it may hold a secret, which must not be shown again
 * @returns none, one, or several when nothing tells them apart
 */
export function findKeys(entries: readonly KeyEntry[], typed: string): readonly KeyEntry[] {
  const wanted = toShownKey(typed);
  const exact = entries.find((entry) => entry.keyId === wanted || entry.publicPart === wanted);
  if (exact !== undefined) return [exact];
  const named = entries.filter((entry) => isSameName(entry.name, wanted));
  const live = named.filter(({ state }) => state === 'live');
  return live.length > 0 ? live : named.filter(({ state }) => state === 'replaced');
}

/** Whether what somebody has typed so far may become this key. */
export function mayMean({ name, publicPart }: KeyEntry, typed: string): boolean {
  return toComparable(`${name} ${publicPart}`).includes(toComparable(toShownKey(typed)));
}

/** What somebody typed for a key, without the secret of a whole key. */
export function toShownKey(typed: string): string {
  const trimmed = typed.trim();
  return hasKeyShape(trimmed) ? trimmed.slice(0, trimmed.lastIndexOf('_')) : trimmed;
}

/** Older secrets of the same name that still work: a rotation of the live key ends them. */
export function findOlderSecrets(entries: readonly KeyEntry[], key: KeyEntry): readonly KeyEntry[] {
  return entries.filter(
    ({ keyId, name, state }) => keyId !== key.keyId && state === 'replaced' && isSameName(name, key.name),
  );
}
