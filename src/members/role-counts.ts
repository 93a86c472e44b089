import { createHash } from 'node:crypto';

import * as z from 'zod';

import type { LargeIds } from '../large-value.ts';
import type { RoleCount } from './index/member-index.ts';
import type { RoleListing } from './member-directory.ts';

export interface CountsFacts {
  readonly memberCount: number;
  /** Unix seconds. */
  readonly asOf: number;
  /** Opaque; null to make one of the counts themselves. */
  readonly version: string | null;
}

/**
 * Makes a listing of counts, so that they travel the same way as lists do: `members` has each role's id and count in
 * turn.
 * @param counts ascending by id
 */
export function countsListing(
  counts: readonly RoleCount[],
  { memberCount, asOf, version }: CountsFacts,
): RoleListing {
  const members = new WrittenCounts(counts);
  return {
    pending: false,
    count: memberCount,
    returned: counts.length,
    nextAfter: null,
    asOf,
    version: version ?? hashOf(`${memberCount} ${members.text}`),
    members,
  };
}

const digits = z.array(z.string());

/** Reads a listing of `countsListing`, from this process or another one. */
export function readRoleCounts({ members }: RoleListing): readonly RoleCount[] {
  if (members instanceof WrittenCounts) return members.counts;
  const turns = digits.parse(members.toJSON());
  return Array.from({ length: turns.length >>> 1 }, (_, index) => ({
    roleId: turns[index * 2] ?? '',
    count: Number(turns[index * 2 + 1]),
  }));
}

/** The JSON is only made for another process. */
class WrittenCounts implements LargeIds {
  readonly counts: readonly RoleCount[];
  #text: string | null = null;

  constructor(counts: readonly RoleCount[]) {
    this.counts = counts;
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.toJSON());
    return this.#text;
  }

  get idCount(): number {
    return this.counts.length * 2;
  }

  get jsonByteLength(): number {
    return this.text.length;
  }

  toJSON(): readonly string[] {
    return this.counts.flatMap(({ roleId, count }) => [roleId, String(count)]);
  }

  jsonBytes(): Iterable<Uint8Array> {
    return [Buffer.from(this.text, 'latin1')];
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
