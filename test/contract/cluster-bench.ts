import { createLog } from '../../src/telemetry/log.ts';
import { openCluster, type ClusterOptions } from '../../src/cluster/open-cluster.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { answerQuestion } from '../../src/members/answer-question.ts';
import type { MemberDirectory, RoleListing } from '../../src/members/member-directory.ts';
import { askMembers, type MembersQuestion, type RoleQuestion } from '../../src/members/role-question.ts';
import { MemberIndex } from '../../src/members/index/member-index.ts';
import { PageCache } from '../../src/members/index/page-cache.ts';
import type { Problem } from '../../src/problem.ts';
import { toBuckets } from '../../src/rate-limit/limiter.ts';
import { REDIS_URL } from './storage-services.ts';

const ROLE = '901000000000000000';

/** An address under which nobody else is: the same Redis, with names of its own. */
export function newRedisUrl(base = REDIS_URL): string {
  const url = new URL(base);
  url.searchParams.set('keyPrefix', `test-${crypto.randomUUID()}:`);
  return url.href;
}

/** The id of a guild of a shard. */
export function guildOf(shardId: number, shardCount: number, number = 1): string {
  return String(BigInt(shardId + number * shardCount) << 22n);
}

/** What a process logs, and what it is in the cluster. */
export interface ClusterNode extends Cluster {
  readonly lines: readonly string[];
}

export async function joinCluster(
  redisUrl: string,
  options: Partial<ClusterOptions> = {},
): Promise<ClusterNode> {
  const lines: string[] = [];
  const log = createLog('debug', { destination: { write: (line) => void lines.push(line) } });
  const cluster = await openCluster(redisUrl, {
    buckets: toBuckets(),
    log,
    onQuestion: () => {},
    ...options,
  });
  return Object.assign(cluster, { lines });
}

/** Guilds with so many holders of ROLE; others are unknown. */
export class Lists implements MemberDirectory {
  readonly #indexes = new Map<string, MemberIndex>();
  readonly #pages = new PageCache();
  /** Thrown instead of an answer while it is set. */
  problem: Problem | null = null;
  /** Changes the list on its way out. */
  wrap: (listing: RoleListing) => RoleListing = (listing) => listing;

  constructor(holders: Readonly<Record<string, number>> = {}) {
    for (const [guildId, count] of Object.entries(holders)) {
      const index = new MemberIndex({ guildId });
      index.addRole(ROLE);
      for (let at = 0; at < count; at += 1) index.upsert(String(10n ** 17n + BigInt(at) * 7_919n), [ROLE]);
      this.#indexes.set(guildId, index);
    }
  }

  /** Somebody joins. */
  change(guildId: string): void {
    this.#indexes.get(guildId)?.upsert('99', [ROLE]);
  }

  async find(query: RoleQuestion): Promise<RoleListing> {
    if (this.problem !== null) throw this.problem;
    const index = this.#indexes.get(query.guildId);
    if (index === undefined) throw new Error(`There is no guild ${query.guildId}.`);
    return this.wrap(answerQuestion(index, query, this.#pages));
  }
}

export function query(guildId: string, more: Partial<MembersQuestion> = {}): MembersQuestion {
  return askMembers({ guildId, all: [ROLE], ...more });
}

/** Everything that a caller gets of a listing. */
export async function read(listing: Promise<RoleListing>) {
  const { members, ...rest } = await listing;
  const bytes = Buffer.concat([...members.jsonBytes()]);
  return { ...rest, bytes: bytes.toString(), byteLength: members.jsonByteLength };
}

export function problemOf(listing: Promise<RoleListing>): Promise<Problem> {
  return listing.then(
    () => Promise.reject(new Error('There was a list.')),
    (problem: Problem) => problem,
  );
}

export const anyone = new AbortController().signal;
