import { GapWatch } from '../../../../src/members/gateway/gap-watch.ts';
import { ShardTruth } from '../../../../src/members/gateway/shard-truth.ts';
import { systemTimers, type Timers } from '../../../../src/members/timers.ts';

/**
 * The truth about shards whose dispatches are fed by hand: they are let in, and neither their silence nor a pause of
 * this process means anything, as no heartbeat is answered.
 */
export function handFedShards(shardIds: readonly number[] = [0], timers: Timers = systemTimers): ShardTruth {
  const gaps = new GapWatch({ gapMs: Infinity });
  const truth = new ShardTruth({ gaps, timers, silenceMarginMs: Infinity });
  truth.begin(shardIds, shardIds.length);
  for (const shardId of shardIds) truth.ready(shardId, `session ${shardId}`);
  return truth;
}
