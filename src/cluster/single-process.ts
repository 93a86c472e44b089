import { Problem } from '../kernel/problem.ts';
import type { MemberDirectory } from '../members/member-directory.ts';
import { Limiter, type Buckets } from '../rate-limit/limiter.ts';
import type { Cluster } from './cluster.ts';

/** For a process without a connection to Discord. */
const noLists: MemberDirectory = {
  ask: () => Promise.reject(new Problem('member_list_unavailable/off')),
  commitReaderOffset() {},
};

/** A process that is alone and shares nothing. */
export function singleProcess(buckets: Buckets): Cluster {
  return {
    limiter: new Limiter(buckets),
    publishKeysChanged() {},
    onKeysChanged() {},
    waitForIdentify: () => Promise.resolve(true),
    async holdShard() {},
    async releaseShards() {},
    shareMembers: (own) => own ?? noLists,
    deliveryStore: null,
    state: () => null,
    async [Symbol.asyncDispose]() {},
  };
}
