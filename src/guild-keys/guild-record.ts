import * as z from 'zod';

import { toPublicPart } from './guild-key.ts';
import { BUILDERS, isBuilderId } from './builders.ts';
import type { KeyEntry, KeyState } from './guild-keys.ts';

/** The creator of keys made on the command line. They do not depend on the bot being in the server. */
export const CLI = 'cli';

const instant = z.int().nonnegative();

// Loose objects: fields that a newer version added survive a change by this version.
const firstStoredKey = z.looseObject({
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

const storedKey = firstStoredKey.extend({
  /** null when nobody has chosen one. Newer versions may know more tools. */
  builder: z.string().nullable(),
  /** Names of the operations that the key may call; null for all of them. */
  operations: z.array(z.string()).nullable(),
  /** Id of the key whose rotation revoked this one; absent once somebody has revoked it explicitly. */
  ended_by: z.string().nullable(),
});

const firstGuildRecord = z.looseObject({
  v: z.literal(1),
  suspended_at: instant.nullable(),
  keys: z.array(firstStoredKey),
});
// A program that knows only version 1 refuses this one, so that a downgrade never widens what a key may do.
const guildRecord = firstGuildRecord.extend({ v: z.literal(2), keys: z.array(storedKey) });
const anyGuildRecord = z.discriminatedUnion('v', [firstGuildRecord, guildRecord]);

/** A key at rest. Instants are milliseconds since 1970. */
export type StoredKey = z.infer<typeof storedKey>;

/** All keys of a guild, oldest first. It is one record, so that any change is one compare-and-set. */
export type GuildRecord = z.infer<typeof guildRecord>;

/** The stored form. A record is upgraded when it is changed, not when it is read. */
export type StoredGuildRecord = z.infer<typeof anyGuildRecord>;

export function isStoredGuildRecord(value: unknown): value is StoredGuildRecord {
  return anyGuildRecord.safeParse(value).success;
}

/** Returns the same record when it is already up to date. */
export function updateGuildRecord(stored: StoredGuildRecord): GuildRecord {
  if (stored.v === 2) return stored;
  const keys = stored.keys.map((key) => ({
    ...key,
    builder: guessBuilder(key),
    operations: null,
    ended_by: null,
  }));
  return { ...stored, v: 2, keys };
}

/** Version 1 did not store the builder, but two of them can be recognised by their answer format. */
function guessBuilder({ flat, always_200: always200 }: z.infer<typeof firstStoredKey>): string | null {
  const guess = (['bdfd', 'botghost'] as const).find(
    (id) => BUILDERS[id].flat === flat && BUILDERS[id].always200 === always200,
  );
  return guess ?? null;
}

export function stateOf(key: StoredKey, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  return key.replaced_by === null ? 'live' : 'replaced';
}

/** Milliseconds since 1970; null while the key works. */
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
    builder: key.builder !== null && isBuilderId(key.builder) ? key.builder : null,
    operations: key.operations,
    state: stateOf(key, now),
  };
}
