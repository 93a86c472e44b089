import { describe, expect, test } from 'vitest';

import { GapWatch } from '../../../../src/members/gateway/gap-watch.ts';
import { ShardTruth } from '../../../../src/members/gateway/shard-truth.ts';
import { HandTimers } from '../../../fixtures/member-hand-timers.ts';

/** One shard that is let in, and its clock. */
function start() {
  const timers = new HandTimers();
  const gaps = new GapWatch({ timers });
  const truth = new ShardTruth({ timers, gaps });
  truth.begin([0], 1);
  truth.greeted(0, 41_250);
  truth.opening(0);
  truth.ready(0, 'session');
  return { timers, gaps, truth };
}

describe('a shard', () => {
  test('is in doubt until Discord has let it in', () => {
    const timers = new HandTimers();
    const truth = new ShardTruth({ timers, gaps: new GapWatch({ timers }) });
    expect([truth.doubt(0), truth.shards, truth.shardOfGuild('5')]).toEqual(['connecting', null, null]);
    truth.begin([0, 1], 2);
    truth.ready(0, 'session');
    expect([truth.doubt(0), truth.doubt(1), truth.shards, truth.shardsReady]).toEqual([
      null,
      'connecting',
      2,
      1,
    ]);
    expect(truth.shardOfGuild(String(3n << 22n))).toBe(1);
  });

  test('is believed for 30 s after its connection was seen to end, until it is resumed', () => {
    const { timers, truth } = start();
    truth.lost(0, { heard: true });
    expect([truth.doubt(0), truth.isConnected(0), truth.shardsReady]).toEqual([null, false, 0]);
    timers.advance(29_999);
    expect(truth.doubt(0)).toBe(null);
    timers.advance(1);
    expect(truth.doubt(0)).toBe('lost');
    // Replayed events were missed before, so they do not show that everything has come.
    truth.heard(0);
    expect(truth.doubt(0)).toBe('lost');
    truth.resumed(0);
    expect([truth.doubt(0), truth.isConnected(0)]).toEqual([null, true]);
  });

  test('that is silent for a heartbeat interval and 10 s is lost at once', () => {
    const { timers, truth } = start();
    timers.advance(51_249);
    expect(truth.doubt(0)).toBeNull();
    timers.advance(1);
    expect(truth.doubt(0)).toBe('lost');
    truth.lost(0, { heard: false });
    expect(truth.doubt(0)).toBe('lost');
  });

  test('whose socket breaks without a word is not believed for longer than its silence allows', () => {
    const { timers, truth } = start();
    timers.advance(40_000);
    truth.lost(0, { heard: false });
    timers.advance(11_249);
    expect(truth.doubt(0)).toBe(null);
    timers.advance(1);
    expect(truth.doubt(0)).toBe('lost');
  });

  test('is in doubt for good when the connection ends for good, and so are all others', () => {
    const { truth } = start();
    truth.end('The token was reset.');
    expect([truth.doubt(0), truth.doubt(7), truth.endReason, truth.shards]).toEqual([
      'ended',
      'ended',
      'The token was reset.',
      0,
    ]);
  });
});

describe('a process that was suspended', () => {
  test('doubts its shards before any timer has run, until a heartbeat of afterwards is answered', () => {
    const { timers, truth } = start();
    truth.heartbeatSent(0);
    timers.stop(3_001);
    expect(truth.doubt(0)).toBe('paused');
    // What Discord had sent before the pause, and the answer to the heartbeat from before it.
    truth.heard(0);
    truth.heartbeatAnswered(0);
    expect(truth.doubt(0)).toBe('paused');
    truth.heartbeatSent(0);
    expect(truth.doubt(0)).toBe('paused');
    truth.heartbeatAnswered(0);
    expect(truth.doubt(0)).toBe(null);
  });

  test('doubts a session that was taken up before, and believes one that was taken up afterwards', () => {
    const { timers, truth } = start();
    truth.lost(0, { heard: true });
    truth.opening(0);
    timers.stop(10_000);
    truth.resumed(0);
    expect(truth.doubt(0)).toBe('paused');
    truth.lost(0, { heard: true });
    truth.opening(0);
    truth.resumed(0);
    expect(truth.doubt(0)).toBe(null);
  });

  test('says so at the first check, by either clock, and once', () => {
    const { timers, gaps } = start();
    let gapsSeen = 0;
    gaps.onGap(() => (gapsSeen += 1));
    const renewedAt = timers.monotonic();
    timers.advance(60_000);
    expect([gaps.gapSince(renewedAt), gapsSeen]).toEqual([false, 0]);
    timers.stop(3_001);
    expect([gaps.gapSince(renewedAt), gaps.gapSince(timers.monotonic()), gapsSeen]).toEqual([true, false, 1]);
    timers.suspend(60_000);
    timers.advance(1_000);
    expect(gapsSeen).toBe(2);
    timers.advance(60_000);
    expect(gapsSeen).toBe(2);
  });
});
