import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { quickOrFull } from '../fixtures/full-run.ts';
import { isMissing, POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { ROUTE, ROLE, startOneShard, type ServiceHere, type ServiceProcess } from './cluster-setup.ts';

const isWithoutServices =
  (await isMissing('Redis', REDIS_URL, 6379)) || (await isMissing('PostgreSQL', POSTGRES_URL, 5432));

const BUSY_MACHINE_MS = 120_000;
/** A machine with other work may let a process wait for seconds: that must not end its lease, or its turn to answer. */
const LEASE_MS = 5_000;
const CLUSTER = { renewMs: 250, leaseMs: LEASE_MS, identifyWindowMs: 100, limits: { answerMs: 6_000 } };
/** Longer than a lease, and than what counts as a pause of the process. */
const STOOD_STILL_MS = LEASE_MS + 1_000;

describe.skipIf(isWithoutServices)(
  'two processes with the same shard never answer wrongly',
  { timeout: BUSY_MACHINE_MS },
  () => {
    const parts = new AsyncDisposableStack();
    let discord: Simulator;
    let older: ServiceProcess;
    let newer: ServiceProcess;
    let plain: ServiceHere;
    /** The older one's to Discord. */
    let connection: Simulator['gateway']['live'][number];
    let key = '';
    const guild = () => discord.guilds[0]!;

    beforeAll(async () => {
      const shard = parts.use(await startOneShard(500, CLUSTER));
      discord = shard.discord;
      older = await shard.start();
      connection = discord.gateway.live[0]!;
      newer = await shard.start();
      plain = await shard.startPlainHere();
      key = await shard.createKey();
      await plain.callUntil(200, ROUTE, key);
    }, BUSY_MACHINE_MS);
    afterAll(() => parts.disposeAsync(), BUSY_MACHINE_MS);

    /** Answers of the HTTP-only process from now on, each either right or not there. */
    function ask() {
      const expected = guild().holdersOf(ROLE).length;
      const found = { right: 0, unavailable: 0, wrong: [] as unknown[] };
      const running = new AbortController();
      const loops = Array.from({ length: quickOrFull(2, 4) }, async () => {
        while (!running.signal.aborted) {
          const { status, body } = await plain.call(ROUTE, key);
          if (status === 200 && body['returned'] === expected) found.right += 1;
          else if (status === 503 && body['code'] === 'member_list_unavailable') found.unavailable += 1;
          else found.wrong.push({ status, returned: body['returned'], code: body['code'] });
          await delay(quickOrFull(40, 10));
        }
      });
      return {
        found,
        async untilRight(more: number) {
          const wanted = found.right + more;
          while (found.right < wanted) await delay(40);
        },
        async stop() {
          running.abort();
          await Promise.all(loops);
          return found;
        },
      };
    }

    test('when the newer one is paused, and none is missing, because the older one answers', async () => {
      newer.signal('SIGSTOP');
      try {
        const [left = ''] = guild().holdersOf(ROLE);
        guild().removeMember(left);
        // The older one has heard it when it answers so itself.
        await older.listsUntil(guild().holdersOf(ROLE).length, key);
        const asking = ask();
        await asking.untilRight(quickOrFull(40, 150));
        expect(await asking.stop()).toMatchObject({ unavailable: 0, wrong: [] });
      } finally {
        newer.signal('SIGCONT');
      }
      await newer.readyUntil({ member_lists: { complete: 1, loading: 0, stale: 0 } });
    });

    test('when the newer one lost its connection while paused', async () => {
      const itsConnection = discord.gateway.live.find((live) => live !== connection);
      newer.signal('SIGSTOP');
      itsConnection?.drop();
      const [left = ''] = guild().holdersOf(ROLE);
      guild().removeMember(left);
      await delay(STOOD_STILL_MS);
      await older.listsUntil(guild().holdersOf(ROLE).length, key);
      const asking = ask();
      await asking.untilRight(quickOrFull(10, 50));
      newer.signal('SIGCONT');
      await asking.untilRight(quickOrFull(40, 150));
      expect(await asking.stop()).toMatchObject({ unavailable: 0, wrong: [] });
      await newer.readyUntil({ member_lists: { complete: 1, loading: 0, stale: 0 } });
      expect(await newer.call(ROUTE, key)).toMatchObject({
        status: 200,
        body: { returned: guild().holdersOf(ROLE).length },
      });
    });

    test('when the older one was paused until its lease had ended', async () => {
      older.signal('SIGSTOP');
      connection.drop();
      const [left = ''] = guild().holdersOf(ROLE);
      guild().removeMember(left);
      await newer.callUntil(200, ROUTE, key);
      await delay(STOOD_STILL_MS);
      await newer.listsUntil(guild().holdersOf(ROLE).length, key);
      const asking = ask();
      await asking.untilRight(quickOrFull(10, 50));
      // What it has missed comes only when its connection to Discord is back.
      older.signal('SIGCONT');
      await asking.untilRight(quickOrFull(40, 150));
      expect(await asking.stop()).toMatchObject({ unavailable: 0, wrong: [] });
    });
  },
);
