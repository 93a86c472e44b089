import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connectRedis } from '../../src/storage/redis-connection.ts';
import { isMissing, POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';
import type { SimulatedGuild } from '../simulator/guild-model.ts';
import { ROLE, ROUTE, startOneShard, type ServiceProcess } from './cluster-setup.ts';

const isWithoutServices =
  (await isMissing('Redis', REDIS_URL, 6379)) || (await isMissing('PostgreSQL', POSTGRES_URL, 5432));

const BUSY_MACHINE_MS = 120_000;
/** Longer than the deadline of a question, and than what counts as a gap. */
const STOOD_STILL_MS = 4_000;
/** Far more than the sockets between two processes hold. */
const MEMBERS = 120_000;
const LIST_BYTES = MEMBERS * 8;
/** Leases are renewed by hand only, so that the addresses in them stay those of the gates. */
const CLUSTER = { renewMs: 3_600_000, leaseMs: 3_600_000, identifyWindowMs: 100 };

/** A proxy in front of an owner that can stop reading in the middle of an answer. */
class Gate {
  readonly #server = net.createServer((near) => this.#accept(near));
  readonly #owner: URL;
  readonly #sockets = new Set<net.Socket>();
  #left = Infinity;
  #held = Promise.withResolvers<void>();
  #goOn: () => void = () => {};
  /** Bytes that the owner has sent since `holdAfter`. */
  bytes = 0;

  constructor(owner: string) {
    this.#owner = new URL(owner);
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  /** Resolves when this number of bytes has passed. No more pass until `release`. */
  holdAfter(bytes: number): Promise<void> {
    this.bytes = 0;
    this.#left = bytes;
    this.#held = Promise.withResolvers();
    return this.#held.promise;
  }

  /** Drops what is held and ends the answer there: how much of it the sockets have taken in differs. */
  cut(): void {
    for (const socket of this.#sockets) if (socket.isPaused()) socket.destroy();
  }

  /** Lets pass what the owner has sent, and its end. */
  release(): void {
    this.#left = Infinity;
    this.#goOn();
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(near: net.Socket): void {
    const far = net.connect(Number(this.#owner.port), this.#owner.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroySoon());
    }
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => {
      // To the byte: a piece of the network may be longer than what is left.
      const passed = bytes.subarray(0, this.#left);
      near.write(passed);
      this.bytes += passed.length;
      this.#left -= passed.length;
      if (this.#left > 0) return;
      far.pause();
      this.#goOn = () => near.write(bytes.subarray(passed.length));
      this.#held.resolve();
    });
  }
}

describe.skipIf(isWithoutServices)(
  'a long list whose owner goes away in the middle',
  { timeout: BUSY_MACHINE_MS },
  () => {
    const parts = new AsyncDisposableStack();
    /** The oldest first. */
    const owners: ServiceProcess[] = [];
    const gates: Gate[] = [];
    let plain: ServiceProcess;
    let key = '';
    let guild: SimulatedGuild;
    let expected: readonly string[] = [];

    beforeAll(async () => {
      const shard = parts.use(await startOneShard(MEMBERS, CLUSTER));
      ({ guild } = shard);
      expected = guild.holdersOf(ROLE);
      const redis = await connectRedis(shard.redisUrl, { commandTimeoutMs: 5_000, connectTimeoutMs: 5_000 });
      parts.defer(() => redis.disconnect());
      for (let n = 0; n < 3; n += 1) owners.push(await shard.start('0'));
      const leases = Object.entries(await redis.hgetall('quartermaster:leases')).map(([id, json]) => {
        const lease = JSON.parse(json) as { origin: string; shards: [[number, number]] };
        return { id, lease, since: lease.shards[0][1] };
      });
      for (const { id, lease } of leases.toSorted((a, b) => a.since - b.since)) {
        const gate = new Gate(lease.origin);
        parts.defer(() => gate.close());
        gates.push(gate);
        const origin = await gate.open();
        await redis.hset('quartermaster:leases', id, JSON.stringify({ ...lease, origin }));
      }
      // It reads the leases when it starts.
      plain = await shard.start('none');
      key = await shard.createKey();
    }, BUSY_MACHINE_MS);
    afterAll(() => parts.disposeAsync(), BUSY_MACHINE_MS);

    /** Asks, and stops or kills the owner when a part of its answer has passed. */
    async function askWhile(owner: number, signal: 'SIGSTOP' | 'SIGKILL') {
      const gate = gates[owner]!;
      const held = gate.holdAfter(100_000);
      const answer = plain.call(ROUTE, key);
      await held;
      if (signal === 'SIGSTOP') owners[owner]?.signal('SIGSTOP');
      else {
        await owners[owner]?.stop('SIGKILL');
        gate.cut();
      }
      return answer;
    }

    test('comes from the older one when the newest stands still', async () => {
      const { status, body } = await askWhile(2, 'SIGSTOP');
      expect(status).toBe(200);
      // The difference between two such lists would be too long to print.
      expect(isDeepStrictEqual(body['members'], expected)).toBe(true);
      await owners[2]?.stop('SIGKILL');
    });

    test('comes from the older one when the newer is killed', async () => {
      const { status, body } = await askWhile(1, 'SIGKILL');
      expect(status).toBe(200);
      // The difference between two such lists would be too long to print.
      expect(isDeepStrictEqual(body['members'], expected)).toBe(true);
      expect(gates[1]?.bytes).toBeLessThan(LIST_BYTES);
    });

    test('is not answered as it was when the process that asked stood still', async () => {
      const [owner, gate] = [owners[0]!, gates[0]!];
      // What is left fits into the socket: all of it is there when the process goes on.
      const held = gate.holdAfter(LIST_BYTES - 30_000);
      const answer = plain.call(ROUTE, key);
      await held;
      plain.signal('SIGSTOP');
      guild.removeMember(expected[0] ?? '');
      expected = guild.holdersOf(ROLE);
      for (;;) {
        const { body } = await owner.call(`${ROUTE}&count_only=true`, key);
        if (body['count'] === expected.length) break;
      }
      gate.release();
      await delay(STOOD_STILL_MS);
      plain.signal('SIGCONT');
      const { status, body } = await answer;
      expect([status, body['code']]).toEqual([503, 'member_list_unavailable']);
      const next = await plain.call(ROUTE, key);
      expect(next.status).toBe(200);
      expect(isDeepStrictEqual(next.body['members'], expected)).toBe(true);
    });

    test('is refused when there is no other one', async () => {
      const { status, body } = await askWhile(0, 'SIGKILL');
      expect({ status, code: body['code'], members: body['members'] }).toEqual({
        status: 503,
        code: 'member_list_unavailable',
        members: undefined,
      });
      expect(gates[0]?.bytes).toBeLessThan(LIST_BYTES);
      expect(plain.output).not.toContain('"level":"error"');
    });
  },
);
