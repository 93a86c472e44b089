import { DAY_MS, toUtcMinute } from '../kernel/utc.ts';
import { Problem } from '../kernel/problem.ts';
import { isSameName } from './find-keys.ts';
import { digestKey, generateKey, generateKeyId, toPublicPart } from './guild-key.ts';
import { prune, stateOf, type GuildRecord, type StoredKey } from './guild-record.ts';
import {
  KEY_NAME_LENGTH_MAX,
  CURRENT_KEYS_MAX,
  type CreateKeyOptions,
  type RotateKeyOptions,
} from './guild-keys.ts';

export interface Issued {
  readonly record: GuildRecord;
  readonly key: string;
  readonly stored: StoredKey;
}

/** No control characters, line breaks, invisible characters or lone surrogates. */
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u;

const NO_KEYS: GuildRecord = { v: 2, suspended_at: null, keys: [] };

/** @throws Problem `invalid_field`, `bad_request` */
export function createInRecord(
  current: GuildRecord | undefined,
  options: CreateKeyOptions,
  now: number,
): Issued {
  const record = current ?? NO_KEYS;
  const name = validName(options.name);
  const currentKeys = record.keys.filter((key) => stateOf(key, now) === 'current');
  if (currentKeys.some((key) => isSameName(key.name, name))) {
    throw new Problem('invalid_field/key_name_taken', { field: 'name', values: { name } });
  }
  if (currentKeys.length >= CURRENT_KEYS_MAX) {
    throw new Problem('bad_request/keys', { values: { max: CURRENT_KEYS_MAX } });
  }
  const { guildId, createdBy, flat, always200, builder = null, operations = null, expiresInDays } = options;
  return addNewKey(record, guildId, now, {
    name,
    created_by: createdBy,
    expires_at: expiresInDays === null ? null : now + expiresInDays * DAY_MS,
    flat,
    always_200: always200,
    builder,
    operations: operations === null ? null : [...operations],
  });
}

/** @throws Problem `not_found`, `invalid_field` */
export function rotateInRecord(
  current: GuildRecord | undefined,
  { guildId, keyId, overlapSeconds, createdBy, endsOlder = [] }: RotateKeyOptions,
  now: number,
): Issued {
  const { record, key: old } = findKey(current, keyId);
  const state = stateOf(old, now);
  if (state !== 'current') {
    const key = state === 'replaced' ? 'invalid_field/key_replaced' : 'invalid_field/key_ended';
    throw new Problem(key, { field: 'key' });
  }
  for (const key of record.keys) {
    if (isOlderSecret(key, old, now) && !endsOlder.includes(key.id)) throw endsPromised(guildId, key);
  }
  const issued = addNewKey(record, guildId, now, {
    name: old.name,
    created_by: createdBy,
    expires_at: old.expires_at === null ? null : now + (old.expires_at - old.created_at),
    flat: old.flat,
    always_200: old.always_200,
    builder: old.builder,
    operations: old.operations,
  });
  const { id: newId } = issued.stored;
  const keys = issued.record.keys.map((key): StoredKey => {
    if (key.id === keyId) {
      const endsAt = now + overlapSeconds * 1_000;
      return {
        ...key,
        replaced_by: newId,
        ...(overlapSeconds === 0 ? { revoked_at: now, ended_by: newId } : {}),
        expires_at: key.expires_at === null ? endsAt : Math.min(key.expires_at, endsAt),
      };
    }
    // Keys that were replaced earlier: a name has at most two valid secrets.
    return isOlderSecret(key, old, now) ? { ...key, revoked_at: now, ended_by: newId } : key;
  });
  return { ...issued, record: prune({ ...issued.record, keys }, now) };
}

/**
 * Ends the key. If it is the newest of its name, this also ends the replaced secrets that still work, because the one
 * that leaked is usually older. An older key ends alone. The revocation is also written for a key that has expired or
 * was ended by a rotation, because a rotation can be undone. Returns the same record when the key was revoked before.
 * @throws Problem `not_found`
 */
export function revokeInRecord(
  current: GuildRecord | undefined,
  keyId: string,
  now: number,
): { readonly record: GuildRecord; readonly stored: StoredKey } {
  const { record, key } = findKey(current, keyId);
  if (isRevokedForGood(key)) return { record, stored: key };
  const stored: StoredKey = { ...key, revoked_at: key.revoked_at ?? now, ended_by: null };
  const endsAll = stateOf(key, now) === 'current';
  const keys = record.keys.map((each) => {
    if (each.id === keyId) return stored;
    return endsAll && isOlderSecret(each, key, now) ? { ...each, revoked_at: now } : each;
  });
  return { record: prune({ ...record, keys }, now), stored };
}

/**
 * Withdraws a key that was never shown. If it came from a rotation, the previous key gets back its place and its
 * expiry, and so does the older key that the rotation ended. Revoked keys stay revoked. Returns the same record if the
 * key was revoked before.
 * @throws Problem `not_found`
 */
export function withdrawInRecord(current: GuildRecord | undefined, keyId: string, now: number): GuildRecord {
  const { record, key } = findKey(current, keyId);
  if (isRevokedForGood(key)) return record;
  const wasNewest = stateOf(key, now) === 'current';
  const keys = record.keys.map((each): StoredKey => {
    if (each.id === keyId) return { ...each, revoked_at: each.revoked_at ?? now, ended_by: null };
    if (!wasNewest || isRevokedForGood(each)) return each;
    const running = each.ended_by === keyId ? { ...each, revoked_at: null, ended_by: null } : each;
    if (each.replaced_by !== keyId) return running;
    // A rotation gives the new key the same total lifetime as the old one.
    const expiresAt = key.expires_at === null ? null : each.created_at + (key.expires_at - key.created_at);
    return { ...running, replaced_by: null, expires_at: expiresAt };
  });
  return prune({ ...record, keys }, now);
}

/** True if a person or a call revoked it, or if it could not be shown. False if a rotation ended it. */
function isRevokedForGood({ revoked_at: revokedAt, ended_by: endedBy }: StoredKey): boolean {
  return revokedAt !== null && endedBy === null;
}

function endsPromised(guildId: string, key: StoredKey): Problem {
  const until = toUtcMinute(key.expires_at ?? 0);
  return new Problem('invalid_field/key_ends_older', {
    field: 'key',
    values: { part: toPublicPart(guildId, key.id), until },
  });
}

function isOlderSecret(key: StoredKey, newest: StoredKey, now: number): boolean {
  return key.id !== newest.id && stateOf(key, now) === 'replaced' && isSameName(key.name, newest.name);
}

function addNewKey(
  record: GuildRecord,
  guildId: string,
  now: number,
  properties: Pick<
    StoredKey,
    'name' | 'created_by' | 'expires_at' | 'flat' | 'always_200' | 'builder' | 'operations'
  >,
): Issued {
  let id = generateKeyId();
  while (record.keys.some((key) => key.id === id)) id = generateKeyId();
  const key = generateKey(guildId, id);
  const stored: StoredKey = {
    id,
    hash: digestKey(key),
    created_at: now,
    revoked_at: null,
    replaced_by: null,
    ended_by: null,
    ...properties,
  };
  return { record: prune({ ...record, keys: [...record.keys, stored] }, now), key, stored };
}

function findKey(record: GuildRecord | undefined, keyId: string) {
  const key = record?.keys.find((each) => each.id === keyId);
  if (record === undefined || key === undefined) {
    throw new Problem('not_found/key');
  }
  return { record, key };
}

function validName(given: string): string {
  const name = given.normalize().trim();
  if (!VISIBLE.test(name) || Array.from(name).length > KEY_NAME_LENGTH_MAX) {
    throw new Problem('invalid_field/key_name', { field: 'name', values: { max: KEY_NAME_LENGTH_MAX } });
  }
  return name;
}
