import { CLI, endedAt, type GuildRecord } from './guild-record.ts';

export const DAY_MS = 86_400_000;

export interface KeyPolicy {
  /** Revoked and expired keys stay in the list for this long. Default 90 days. */
  readonly endedKeptMs: number;
  /** Most ended keys in the list. Default 20. */
  readonly endedKeysMax: number;
  /** The keys of a server that the bot has left can come back for this long. Default 30 days. */
  readonly suspendedKeptMs: number;
}

export const KEY_POLICY: KeyPolicy = {
  endedKeptMs: 90 * DAY_MS,
  endedKeysMax: 20,
  suspendedKeptMs: 30 * DAY_MS,
};

/** Changes are pure: they read no clock and keep no state. */
export interface ChangeContext {
  readonly now: number;
  readonly policy: KeyPolicy;
}

/** Returns the same record when there is nothing to stop. */
export function suspendRecord(current: GuildRecord | undefined, { now }: ChangeContext) {
  if (current === undefined || current.suspended_at !== null) return current;
  if (current.keys.every((key) => key.created_by === CLI)) return current;
  return { ...current, suspended_at: now };
}

/** Keys that were suspended for too long are gone; the others work again. */
export function restoreRecord(current: GuildRecord | undefined, context: ChangeContext) {
  if (current === undefined || current.suspended_at === null) return current;
  return purgeRecord(
    { ...current, suspended_at: isLongSuspended(current, context) ? current.suspended_at : null },
    context,
  );
}

/** Drops keys past their time. Returns undefined when nothing is left, the same record when nothing changes. */
export function purgeRecord(current: GuildRecord | undefined, context: ChangeContext) {
  if (current === undefined) return undefined;
  const left = isLongSuspended(current, context)
    ? { ...current, suspended_at: null, keys: current.keys.filter((key) => key.created_by === CLI) }
    : current;
  const pruned = prune(left, context);
  return pruned.keys.length === 0 ? undefined : pruned;
}

function isLongSuspended(
  { suspended_at: suspendedAt }: GuildRecord,
  { now, policy }: ChangeContext,
): boolean {
  return suspendedAt !== null && now - suspendedAt >= policy.suspendedKeptMs;
}

/** Forgets keys that ended long ago, and all but the latest ended ones. Returns the same record when nothing changes. */
export function prune(record: GuildRecord, { now, policy }: ChangeContext): GuildRecord {
  const ended = record.keys
    .map((key) => ({ id: key.id, at: endedAt(key, now) }))
    .filter((key): key is { id: string; at: number } => key.at !== null)
    .toSorted((a, b) => b.at - a.at);
  const dropped = new Set(
    ended
      .filter((key, index) => index >= policy.endedKeysMax || now - key.at >= policy.endedKeptMs)
      .map((key) => key.id),
  );
  if (dropped.size === 0) return record;
  return { ...record, keys: record.keys.filter((key) => !dropped.has(key.id)) };
}
