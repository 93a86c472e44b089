import * as z from 'zod';

import { DAY_MS } from './record-upkeep.ts';

const count = z.int().nonnegative();
const keyUsage = z.looseObject({
  last_used_at: count,
  /** UTC day as `2026-01-31` → operation → requests. */
  days: z.record(z.string(), z.record(z.string(), count)),
});
const usageRecord = z.looseObject({
  v: z.literal(1),
  keys: z.record(z.string(), keyUsage),
  /** Ids of the latest batches, oldest first, so that a batch whose reply was lost is not added twice. */
  batches: z.array(z.string()).optional(),
});

type StoredKeyUsage = z.infer<typeof keyUsage>;

/** How a guild's keys were used, by key id. Stored apart from the keys, so that counting can never undo a revocation. */
export type UsageRecord = z.infer<typeof usageRecord>;

export function isUsageRecord(value: unknown): value is UsageRecord {
  return usageRecord.safeParse(value).success;
}

export interface UsagePolicy {
  readonly now: number;
  /** How many UTC days are kept, including today. */
  readonly daysKept: number;
}

/** More than the processes that may store counts of one guild in the minutes between a lost reply and the retry. */
const BATCHES_KEPT = 32;

/** How many keys of a guild are remembered: more than it can have, including ended ones. */
const KEYS_MAX = 50;

export function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Counted requests of one guild that are stored together. */
export interface UsageBatch {
  readonly id: string;
  readonly counted: UsageRecord;
}

/** Returns the same record when it already contains the batch. */
export function addBatch(stored: UsageRecord | undefined, { id, counted }: UsageBatch): UsageRecord {
  if (stored?.batches?.includes(id) === true) return stored;
  const batches = [...(stored?.batches ?? []), id].slice(-BATCHES_KEPT);
  return { ...addUsage(stored, counted), batches };
}

/** Adds up the requests, and keeps the later of two instants. */
export function addUsage(stored: UsageRecord | undefined, counted: UsageRecord): UsageRecord {
  const keys = { ...stored?.keys };
  for (const [keyId, added] of Object.entries(counted.keys)) {
    const known = keys[keyId];
    keys[keyId] = {
      ...known,
      last_used_at: Math.max(known?.last_used_at ?? 0, added.last_used_at),
      days: addDays(known?.days ?? {}, added.days),
    };
  }
  return { ...stored, v: 1, keys };
}

/**
 * Forgets old days and, when there are too many keys, the least recently used ones.
 * @param isListed keys that are not listed are forgotten along with their last day
 * @returns the same record when nothing was forgotten
 */
export function pruneUsage(
  record: UsageRecord,
  { now, daysKept }: UsagePolicy,
  isListed: (keyId: string) => boolean = () => true,
): UsageRecord {
  const firstDay = toDay(now - (daysKept - 1) * DAY_MS);
  let isOld = false;
  const isKept = ([day]: readonly [string, unknown]) => {
    const kept = day >= firstDay;
    if (!kept) isOld = true;
    return kept;
  };
  const all = Object.entries(record.keys);
  const kept = all
    .map(([keyId, usage]): [string, StoredKeyUsage] => [
      keyId,
      { ...usage, days: Object.fromEntries(Object.entries(usage.days).filter(isKept)) },
    ])
    .filter(([keyId, usage]) => isListed(keyId) || Object.keys(usage.days).length > 0)
    .toSorted(([, a], [, b]) => b.last_used_at - a.last_used_at)
    .slice(0, KEYS_MAX);
  return isOld || kept.length < all.length ? { ...record, keys: Object.fromEntries(kept) } : record;
}

function addDays(stored: StoredKeyUsage['days'], counted: StoredKeyUsage['days']): StoredKeyUsage['days'] {
  const days = { ...stored };
  for (const [day, operations] of Object.entries(counted)) {
    const sums = { ...days[day] };
    for (const [operation, requests] of Object.entries(operations)) {
      sums[operation] = (sums[operation] ?? 0) + requests;
    }
    days[day] = sums;
  }
  return days;
}
