import { ProcessPauseDetector } from '../../../../src/members/gateway/process-pause-detector.ts';
import { ShardStates } from '../../../../src/members/gateway/shard-states.ts';
import { systemTimers, type Timers } from '../../../../src/members/timers.ts';

/**
 * States of shards whose dispatches are fed by hand: they are ready, and neither their silence nor a pause of
 * this process means anything, as no heartbeat is answered.
 */
export function manualShardStates(
  shardIds: readonly number[] = [0],
  timers: Timers = systemTimers,
): ShardStates {
  const processPauses = new ProcessPauseDetector({ thresholdMs: Infinity });
  const shardStates = new ShardStates({ processPauses, timers, silenceMarginMs: Infinity });
  shardStates.begin(shardIds, shardIds.length);
  for (const shardId of shardIds) shardStates.ready(shardId, `session ${shardId}`);
  return shardStates;
}
