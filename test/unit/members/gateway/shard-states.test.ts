import { describe, expect, test } from 'vitest';

import { ProcessPauseDetector } from '../../../../src/members/gateway/process-pause-detector.ts';
import { ShardStates } from '../../../../src/members/gateway/shard-states.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';

/** One shard that is let in, and its clock. */
function start() {
  const timers = new ManualTimers();
  const processPauses = new ProcessPauseDetector({ timers });
  const shardStates = new ShardStates({ timers, processPauses });
  shardStates.begin([0], 1);
  shardStates.hello(0, 41_250);
  shardStates.sessionRequested(0);
  shardStates.ready(0, 'session');
  return { timers, processPauses, shardStates };
}

describe('a shard', () => {
  test('is not ready until Discord has accepted it', () => {
    const timers = new ManualTimers();
    const shardStates = new ShardStates({ timers, processPauses: new ProcessPauseDetector({ timers }) });
    expect([shardStates.unreadyReason(0), shardStates.shards, shardStates.shardOfGuild('5')]).toEqual([
      'connecting',
      null,
      null,
    ]);
    shardStates.begin([0, 1], 2);
    shardStates.ready(0, 'session');
    expect([
      shardStates.unreadyReason(0),
      shardStates.unreadyReason(1),
      shardStates.shards,
      shardStates.shardsReady,
    ]).toEqual([null, 'connecting', 2, 1]);
    expect(shardStates.shardOfGuild(String(3n << 22n))).toBe(1);
  });

  test('counts as ready for 30 s after its connection was seen to end, until it is resumed', () => {
    const { timers, shardStates } = start();
    shardStates.lost(0, { isUpToDate: true });
    expect([shardStates.unreadyReason(0), shardStates.isConnected(0), shardStates.shardsReady]).toEqual([
      null,
      false,
      0,
    ]);
    timers.advance(29_999);
    expect(shardStates.unreadyReason(0)).toBe(null);
    timers.advance(1);
    expect(shardStates.unreadyReason(0)).toBe('lost');
    // Replayed events were missed before, so they do not show that everything has come.
    shardStates.heard(0);
    expect(shardStates.unreadyReason(0)).toBe('lost');
    shardStates.resumed(0);
    expect([shardStates.unreadyReason(0), shardStates.isConnected(0)]).toEqual([null, true]);
  });

  test('is lost immediately when it is silent for a heartbeat interval and 10 s', () => {
    const { timers, shardStates } = start();
    timers.advance(51_249);
    expect(shardStates.unreadyReason(0)).toBeNull();
    timers.advance(1);
    expect(shardStates.unreadyReason(0)).toBe('lost');
    shardStates.lost(0, { isUpToDate: false });
    expect(shardStates.unreadyReason(0)).toBe('lost');
  });

  test('counts as ready no longer than its silence allows when its socket breaks without notice', () => {
    const { timers, shardStates } = start();
    timers.advance(40_000);
    shardStates.lost(0, { isUpToDate: false });
    timers.advance(11_249);
    expect(shardStates.unreadyReason(0)).toBe(null);
    timers.advance(1);
    expect(shardStates.unreadyReason(0)).toBe('lost');
  });

  test('is never ready again when the connection ends for good, and neither are all others', () => {
    const { shardStates } = start();
    shardStates.end('The token was reset.');
    expect([
      shardStates.unreadyReason(0),
      shardStates.unreadyReason(7),
      shardStates.endReason,
      shardStates.shards,
    ]).toEqual(['ended', 'ended', 'The token was reset.', 0]);
  });
});

describe('a process that was paused', () => {
  test('calls its shards unready before any timer has run, until a later heartbeat is acknowledged', () => {
    const { timers, shardStates } = start();
    shardStates.heartbeatSent(0);
    timers.stop(3_001);
    expect(shardStates.unreadyReason(0)).toBe('paused');
    // What Discord had sent before the pause, and the answer to the heartbeat from before it.
    shardStates.heard(0);
    shardStates.heartbeatAcked(0);
    expect(shardStates.unreadyReason(0)).toBe('paused');
    shardStates.heartbeatSent(0);
    expect(shardStates.unreadyReason(0)).toBe('paused');
    shardStates.heartbeatAcked(0);
    expect(shardStates.unreadyReason(0)).toBe(null);
  });

  test('stays unready when the first of two heartbeats is acknowledged, which was sent before the pause', () => {
    const { timers, shardStates } = start();
    shardStates.heartbeatSent(0);
    timers.stop(3_001);
    shardStates.heartbeatSent(0);
    shardStates.heartbeatAcked(0);
    expect(shardStates.unreadyReason(0)).toBe('paused');
    shardStates.heartbeatAcked(0);
    expect(shardStates.unreadyReason(0)).toBe(null);
  });

  test('calls a session that was resumed before unready, and one that was resumed afterwards ready', () => {
    const { timers, shardStates } = start();
    shardStates.lost(0, { isUpToDate: true });
    shardStates.sessionRequested(0);
    timers.stop(10_000);
    shardStates.resumed(0);
    expect(shardStates.unreadyReason(0)).toBe('paused');
    shardStates.lost(0, { isUpToDate: true });
    shardStates.sessionRequested(0);
    shardStates.resumed(0);
    expect(shardStates.unreadyReason(0)).toBe(null);
  });

  test('reports a pause once, at the first check, whichever clock shows it', () => {
    const { timers, processPauses } = start();
    let pausesSeen = 0;
    processPauses.onPause(() => (pausesSeen += 1));
    const renewedAt = timers.monotonic();
    timers.advance(60_000);
    expect([processPauses.pausedSince(renewedAt), pausesSeen]).toEqual([false, 0]);
    timers.stop(3_001);
    expect([
      processPauses.pausedSince(renewedAt),
      processPauses.pausedSince(timers.monotonic()),
      pausesSeen,
    ]).toEqual([true, false, 1]);
    timers.sleep(60_000);
    timers.advance(1_000);
    expect(pausesSeen).toBe(2);
    timers.advance(60_000);
    expect(pausesSeen).toBe(2);
  });
});
