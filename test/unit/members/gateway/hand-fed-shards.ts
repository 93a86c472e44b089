import { SuspensionDetector } from '../../../../src/members/gateway/suspension-detector.ts';
import { ShardStates } from '../../../../src/members/gateway/shard-states.ts';
import { systemTimers, type Timers } from '../../../../src/members/timers.ts';

/**
 * The truth about shards whose dispatches are fed by hand: they are let in, and neither their silence nor a pause of
 * this process means anything, as no heartbeat is answered.
 */
export function handFedShards(shardIds: readonly number[] = [0], timers: Timers = systemTimers): ShardStates {
  const gaps = new SuspensionDetector({ gapMs: Infinity });
  const shardStates = new ShardStates({ gaps, timers, silenceMarginMs: Infinity });
  shardStates.begin(shardIds, shardIds.length);
  for (const shardId of shardIds) shardStates.ready(shardId, `session ${shardId}`);
  return shardStates;
}
