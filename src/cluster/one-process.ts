import { gatewayMembersOff } from '../members/gateway/unavailable.ts';
import { Limiter, type Buckets } from '../rate-limit/limiter.ts';
import type { Cluster } from './cluster.ts';

/** A process that is alone and shares nothing. */
export function oneProcess(buckets: Buckets): Cluster {
  return {
    limiter: new Limiter(buckets),
    tellKeysChanged() {},
    onKeysChanged() {},
    takeIdentifyTurn: () => Promise.resolve(true),
    async holdShard() {},
    async releaseShards() {},
    joinMembers: (own) => own ?? gatewayMembersOff,
    joinDeliveries: () => null,
    state: () => null,
    async [Symbol.asyncDispose]() {},
  };
}
