import * as z from 'zod';

import { nonNegativeInt } from '../kernel/schemas.ts';
import { DAY_MS, toUtcDay } from '../kernel/utc.ts';

/** UTC day as `2026-01-31` → name → count. */
const countsByDay = z.record(z.string(), z.record(z.string(), nonNegativeInt));
const keyUsage = z.looseObject({
  last_used_at: nonNegativeInt,
  /** Requests by operation. */
  days: countsByDay,
  /** Requests that were not answered as asked, by outcome. Versions that do not know this field keep it. */
  outcomes: countsByDay.optional(),
});
const usageRecord = z.looseObject({
  v: z.literal(1),
  keys: z.record(z.string(), keyUsage),
  /** Most requests that one process has seen in a minute, by limit. */
  peaks: countsByDay.optional(),
});

type StoredKeyUsage = z.infer<typeof keyUsage>;
type CountsByDay = z.infer<typeof countsByDay>;

/** By key id. Stored apart from the keys, so that counting can never undo a revocation. */
export type UsageRecord = z.infer<typeof usageRecord>;

export function isUsageRecord(value: unknown): value is UsageRecord {
  return usageRecord.safeParse(value).success;
}

/** UTC days, including today. */
export const DAYS_KEPT = 30;

/** More than the keys that a guild can have, including ended ones. */
const KEYS_MAX = 50;

/** Adds up the requests, and keeps the later of two instants and the higher of two peaks. */
export function addUsage(stored: UsageRecord | undefined, counted: UsageRecord): UsageRecord {
  const keys = { ...stored?.keys };
  for (const [keyId, added] of Object.entries(counted.keys)) {
    const known = keys[keyId];
    const outcomes = mergeDays(known?.outcomes ?? {}, added.outcomes ?? {}, sum);
    keys[keyId] = {
      ...known,
      last_used_at: Math.max(known?.last_used_at ?? 0, added.last_used_at),
      days: mergeDays(known?.days ?? {}, added.days, sum),
      ...(isEmpty(outcomes) ? {} : { outcomes }),
    };
  }
  const peaks = mergeDays(stored?.peaks ?? {}, counted.peaks ?? {}, Math.max);
  return { ...stored, ...(isEmpty(peaks) ? {} : { peaks }), v: 1, keys };
}

/**
 * Forgets old days and, when there are too many keys, the least recently used ones.
 * @param isListed keys that are not listed are forgotten along with their last day
 * @returns the same record when nothing was forgotten
 */
export function pruneUsage(
  record: UsageRecord,
  now: number,
  isListed: (keyId: string) => boolean = () => true,
): UsageRecord {
  const firstDay = toUtcDay(now - (DAYS_KEPT - 1) * DAY_MS);
  let isOld = false;
  const isKept = ([day]: readonly [string, unknown]) => {
    const kept = day >= firstDay;
    if (!kept) isOld = true;
    return kept;
  };
  const keep = (days: CountsByDay): CountsByDay => Object.fromEntries(Object.entries(days).filter(isKept));
  const peaks = record.peaks === undefined ? {} : { peaks: keep(record.peaks) };
  const all = Object.entries(record.keys);
  const kept = all
    .map(([keyId, usage]): [string, StoredKeyUsage] => [
      keyId,
      {
        ...usage,
        days: keep(usage.days),
        ...(usage.outcomes === undefined ? {} : { outcomes: keep(usage.outcomes) }),
      },
    ])
    .filter(([keyId, usage]) => isListed(keyId) || Object.keys(usage.days).length > 0)
    .toSorted(([, a], [, b]) => b.last_used_at - a.last_used_at)
    .slice(0, KEYS_MAX);
  return isOld || kept.length < all.length ? { ...record, ...peaks, keys: Object.fromEntries(kept) } : record;
}

type Merge = (one: number, other: number) => number;

function isEmpty(counts: CountsByDay): boolean {
  return Object.keys(counts).length === 0;
}

function sum(one: number, other: number): number {
  return one + other;
}

function mergeDays(stored: CountsByDay, counted: CountsByDay, merge: Merge): CountsByDay {
  const days = { ...stored };
  for (const [day, counts] of Object.entries(counted)) {
    const merged = { ...days[day] };
    for (const [name, value] of Object.entries(counts)) merged[name] = merge(merged[name] ?? 0, value);
    days[day] = merged;
  }
  return days;
}
