import * as z from 'zod';

import { toPublicPart } from './guild-key.ts';
import type { KeyEntry, KeyState } from './guild-keys.ts';

/** Maker of keys from the command line, which do not depend on a bot being in the server. */
export const CLI = 'cli';

const instant = z.int().nonnegative();

// Loose: what a newer version adds stays in the record when this one changes it.
const storedKey = z.looseObject({
  id: z.string().regex(/^[0-9A-Za-z]{5}$/),
  /** SHA-256 of the whole key, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string(),
  created_by: z.string(),
  created_at: instant,
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  replaced_by: z.string().nullable(),
  flat: z.boolean(),
  always_200: z.boolean(),
});

const guildRecord = z.looseObject({
  v: z.literal(1),
  suspended_at: instant.nullable(),
  keys: z.array(storedKey),
});

/** A key at rest. Instants are milliseconds since 1970. */
export type StoredKey = z.infer<typeof storedKey>;

/** All keys of a guild, oldest first: one record, so that a change of it is one compare-and-set. */
export type GuildRecord = z.infer<typeof guildRecord>;

export function isGuildRecord(value: unknown): value is GuildRecord {
  return guildRecord.safeParse(value).success;
}

export function stateOf(key: StoredKey, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  return key.replaced_by === null ? 'live' : 'replaced';
}

/** When the key stopped working, or null while it works. */
export function endedAt(key: StoredKey, now: number): number | null {
  if (key.revoked_at !== null) return key.revoked_at;
  return key.expires_at !== null && key.expires_at <= now ? key.expires_at : null;
}

export function toKeyEntry(guildId: string, key: StoredKey, now: number): KeyEntry {
  return {
    keyId: key.id,
    publicPart: toPublicPart(guildId, key.id),
    name: key.name,
    createdBy: key.created_by,
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    replacedBy: key.replaced_by,
    flat: key.flat,
    always200: key.always_200,
    state: stateOf(key, now),
  };
}
