import { expect, test } from 'vitest';

import type { DiscordState, Readiness } from '../../../src/http/endpoints/health.ts';
import { StatusHistory } from '../../../src/http/endpoints/status-history.ts';
import { Problem } from '../../../src/kernel/problem.ts';

const CONNECTED = {
  connected: true,
  guilds: 1,
  member_lists: { complete: 1, loading: 0, stale: 0 },
  reason: null,
};
const LOST = {
  connected: false,
  guilds: 1,
  reason: 'Discord closed the connection.',
  member_lists: { complete: 0, loading: 0, stale: 1 },
};

const withDiscord = (discord: DiscordState | null) => ({ version: '1.0.0', discord, cluster: null });

/** A service whose state and clock the test sets. */
function watch() {
  let now = 1_000;
  let readiness: Readiness = { problem: null, parts: withDiscord(CONNECTED) };
  const history = new StatusHistory(
    () => Promise.resolve(readiness),
    () => now,
  );
  return {
    at: (time: number, discord: DiscordState | null, problem: Problem | null = null) => {
      now = time;
      readiness = { problem, parts: withDiscord(discord) };
      return history.readStatus();
    },
  };
}

test('the status reports since when each part works', async () => {
  const service = watch();
  await service.at(2_000, CONNECTED);
  const { startedAt, checkedAt, parts, lastOutage } = await service.at(9_000, CONNECTED);
  expect([startedAt, checkedAt, lastOutage]).toEqual([1_000, 9_000, null]);
  expect(parts).toEqual([
    { name: 'API', works: true, sentence: 'takes calls', since: 2_000 },
    { name: 'Keys', works: true, sentence: 'can be checked and changed', since: 2_000 },
    { name: 'Discord', works: true, sentence: 'connected; in 1 server, commands answer', since: 2_000 },
    { name: 'Member lists', works: true, sentence: 'complete for 1 of 1 server', since: 2_000 },
  ]);
});

test('the status remembers the last failure, from its start to its end', async () => {
  const service = watch();
  await service.at(2_000, CONNECTED);
  const away = await service.at(5_000, LOST);
  expect(away.parts.filter(({ works }) => !works).map(({ name, since }) => [name, since])).toEqual([
    ['Discord', 5_000],
    ['Member lists', 5_000],
  ]);
  expect(away.lastOutage).toMatchObject({ from: 5_000, to: null });
  const back = await service.at(8_000, CONNECTED);
  expect(back.lastOutage).toMatchObject({
    part: 'Discord',
    sentence: 'Discord closed the connection.',
    from: 5_000,
    to: 8_000,
  });
  expect(back.parts.map(({ since }) => since)).toEqual([2_000, 2_000, 8_000, 8_000]);
  expect((await service.at(9_000, CONNECTED)).lastOutage).toMatchObject({ from: 5_000, to: 8_000 });
});

test('the status reports no failure for parts that are still starting', async () => {
  const service = watch();
  const starting = { connected: false, reason: 'the service is starting' };
  expect((await service.at(2_000, starting)).lastOutage).toBeNull();
  const { lastOutage, parts } = await service.at(3_000, CONNECTED);
  expect(lastOutage).toBeNull();
  expect(parts.find(({ name }) => name === 'Discord')?.since).toBe(3_000);
});

test('when Discord is connected again, the status ends the failure, even if the session was not resumed', async () => {
  const service = watch();
  await service.at(2_000, CONNECTED);
  await service.at(5_000, LOST);
  const reading = { ...CONNECTED, member_lists: { complete: 0, loading: 0, stale: 1 } };
  const { parts, lastOutage, isReadingLists } = await service.at(8_000, reading);
  expect(parts.filter(({ works }) => !works)).toEqual([]);
  expect(parts.at(-1)).toMatchObject({ sentence: 'complete for 0 of 1 server' });
  expect(lastOutage).toMatchObject({ part: 'Discord', from: 5_000, to: 8_000 });
  expect(isReadingLists).toBe(true);
  expect(await service.at(30_000, CONNECTED)).toMatchObject({ isReadingLists: false });
});

test('the status counts neither a server whose members are being read nor a disabled bot as a failure', async () => {
  const service = watch();
  await service.at(2_000, CONNECTED);
  const reading = { ...CONNECTED, guilds: 2, member_lists: { complete: 1, loading: 1, stale: 0 } };
  const { lastOutage, parts } = await service.at(3_000, reading);
  expect(lastOutage).toBeNull();
  expect(parts.at(-1)).toMatchObject({ works: true, sentence: 'complete for 1 of 2 servers' });
  const off = await watch().at(2_000, null);
  expect(off.parts.map(({ name, works }) => [name, works])).toEqual([
    ['API', true],
    ['Keys', true],
    ['Discord', true],
  ]);
});

test('the status reports that keys cannot be checked while the state of Discord is still known', async () => {
  const { parts } = await watch().at(2_000, CONNECTED, new Problem('storage_unavailable'));
  expect(parts.map(({ name, works }) => [name, works])).toEqual([
    ['API', false],
    ['Keys', false],
    ['Discord', true],
    ['Member lists', true],
  ]);
});
