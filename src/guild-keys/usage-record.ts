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
  /** Ids of the batches that were added last, oldest first: one whose reply was lost is not added twice. */
  batches: z.array(z.string()).optional(),
});

type StoredKeyUsage = z.infer<typeof keyUsage>;

/** How the keys of one guild were used, by key id. Apart from the keys, so that counting never undoes a revoke. */
export type UsageRecord = z.infer<typeof usageRecord>;

export function isUsageRecord(value: unknown): value is UsageRecord {
  return usageRecord.safeParse(value).success;
}

export interface UsagePolicy {
  readonly now: number;
  /** UTC days that are kept, today included. */
  readonly daysKept: number;
}

/** More than processes that store counts of one guild between a lost reply and the next try, which is minutes. */
const BATCHES_KEPT = 32;

/** Keys of one guild that are remembered: more than a guild can have, ended ones included. */
const KEYS_MAX = 50;

export function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Requests of one guild that were counted and are stored together. */
export interface UsageBatch {
  readonly id: string;
  readonly counted: UsageRecord;
}

/** Gives the same record back when the batch is in it. */
export function addBatch(stored: UsageRecord | undefined, { id, counted }: UsageBatch): UsageRecord {
  if (stored?.batches?.includes(id) === true) return stored;
  const batches = [...(stored?.batches ?? []), id].slice(-BATCHES_KEPT);
  return { ...addUsage(stored, counted), batches };
}

/** Adds up the requests and keeps the later instants. */
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
 * Forgets old days, and the keys that were used the longest ago where there are too many.
 * @param isListed other keys are forgotten with their last day
 * @returns the same record when nothing is forgotten
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
