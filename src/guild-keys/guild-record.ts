import * as z from 'zod';

import { nonNegativeInt } from '../kernel/schemas.ts';
import { DAY_MS } from '../kernel/utc.ts';
import { toPublicPart } from './guild-key.ts';
import type { KeyEntry, KeyState } from './guild-keys.ts';

/** The creator of keys made on the command line. They do not depend on the bot being in the server. */
export const CLI = 'cli';

/** Revoked and expired keys stay in the list for this long. */
const ENDED_KEPT_MS = 90 * DAY_MS;
/** Most ended keys in the list. */
const ENDED_KEYS_MAX = 20;
/** The keys of a server that the bot has left can come back for this long. */
const SUSPENDED_KEPT_MS = 30 * DAY_MS;

// Loose objects: fields that a newer version added survive a change by this version.
const storedKeyV1 = z.looseObject({
  id: z.string().regex(/^[0-9A-Za-z]{5}$/),
  /** SHA-256 of the whole key, hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  name: z.string(),
  created_by: z.string(),
  created_at: nonNegativeInt,
  expires_at: nonNegativeInt.nullable(),
  revoked_at: nonNegativeInt.nullable(),
  replaced_by: z.string().nullable(),
  flat: z.boolean(),
  always_200: z.boolean(),
});

const storedKey = storedKeyV1.extend({
  /** null until the guild has chosen one. Newer versions may know more builders. */
  builder: z.string().nullable(),
  /** Names of the operations that the key may call; null for all of them. */
  operations: z.array(z.string()).nullable(),
  /** Id of the key whose rotation revoked this one; absent once it was revoked explicitly. */
  ended_by: z.string().nullable(),
});

const guildRecordV1 = z.looseObject({
  v: z.literal(1),
  suspended_at: nonNegativeInt.nullable(),
  keys: z.array(storedKeyV1),
});
// A program that knows only version 1 refuses this one, so that a downgrade never gives a key more rights.
const guildRecord = guildRecordV1.extend({ v: z.literal(2), keys: z.array(storedKey) });
const anyGuildRecord = z.discriminatedUnion('v', [guildRecordV1, guildRecord]);

/** A key at rest. Instants are milliseconds since 1970. */
export type StoredKey = z.infer<typeof storedKey>;

/** All keys of a guild, oldest first. It is one record, so that any change is one compare-and-set. */
export type GuildRecord = z.infer<typeof guildRecord>;

/** The stored form. A record is migrated when it is changed, not when it is read. */
export type StoredGuildRecord = z.infer<typeof anyGuildRecord>;

export function isStoredGuildRecord(value: unknown): value is StoredGuildRecord {
  return anyGuildRecord.safeParse(value).success;
}

/** Returns the same record when it is already up to date. */
export function migrateGuildRecord(stored: StoredGuildRecord): GuildRecord {
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
function guessBuilder({ flat, always_200: always200 }: z.infer<typeof storedKeyV1>): string | null {
  if (!flat) return null;
  return always200 ? 'botghost' : 'bdfd';
}

export function stateOf(key: StoredKey, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at <= now) return 'expired';
  return key.replaced_by === null ? 'current' : 'replaced';
}

/** Milliseconds since 1970; null while the key works. */
function endedAt(key: StoredKey, now: number): number | null {
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
    builder: key.builder,
    operations: key.operations,
    state: stateOf(key, now),
  };
}

// Changes are pure: they read no clock and keep no state. The same goes for record-changes.ts.

/** Returns the same record when there is nothing to stop. */
export function suspendRecord(current: GuildRecord | undefined, now: number) {
  if (current === undefined || current.suspended_at !== null) return current;
  if (current.keys.every((key) => key.created_by === CLI)) return current;
  return { ...current, suspended_at: now };
}

/** Deletes keys that were suspended for too long. The others work again. */
export function restoreRecord(current: GuildRecord | undefined, now: number) {
  if (current === undefined || current.suspended_at === null) return current;
  return purgeRecord(
    { ...current, suspended_at: isLongSuspended(current, now) ? current.suspended_at : null },
    now,
  );
}

/** Drops keys past their time. Returns undefined when nothing is left, the same record when nothing changes. */
export function purgeRecord(current: GuildRecord | undefined, now: number) {
  if (current === undefined) return undefined;
  const left = isLongSuspended(current, now)
    ? { ...current, suspended_at: null, keys: current.keys.filter((key) => key.created_by === CLI) }
    : current;
  const pruned = prune(left, now);
  return pruned.keys.length === 0 ? undefined : pruned;
}

function isLongSuspended({ suspended_at: suspendedAt }: GuildRecord, now: number): boolean {
  return suspendedAt !== null && now - suspendedAt >= SUSPENDED_KEPT_MS;
}

/**
 * Forgets keys that ended long ago, and all but the latest ended ones. Returns the same record when nothing changes.
 */
export function prune(record: GuildRecord, now: number): GuildRecord {
  const ended = record.keys
    .map((key) => ({ id: key.id, at: endedAt(key, now) }))
    .filter((key): key is { id: string; at: number } => key.at !== null)
    .toSorted((a, b) => b.at - a.at);
  const dropped = new Set(
    ended
      .filter((key, index) => index >= ENDED_KEYS_MAX || now - key.at >= ENDED_KEPT_MS)
      .map((key) => key.id),
  );
  if (dropped.size === 0) return record;
  return { ...record, keys: record.keys.filter((key) => !dropped.has(key.id)) };
}
