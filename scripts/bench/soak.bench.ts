import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { Pool } from 'undici';

import { startSimulator, type Simulator } from '../../test/simulator/simulator.ts';
import { png } from '../../test/fixtures/image-files.ts';
import { describeMachine, markdownTable, quantile } from './measure.ts';
import { startService, type ServiceProcess } from './service-process.ts';
import { describeTenant } from './soak/describe-tenant.ts';
import { doTheWorst } from './soak/do-the-worst.ts';

interface Request {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** Statuses that are right for it. */
  readonly expected: readonly number[];
}

interface Tally {
  readonly statuses: Map<string, number>;
  readonly times: Map<string, number[]>;
  readonly wrong: string[];
  /** Requests whose connection ended without an answer. */
  lost: number;
  refusedConnections: number;
}

/** The guild of the service's key. */
const KEY_GUILD = '987654321098765432';
const KEY_ROLE = '987654321098765433';
/** As many changes of a role as a record keeps, but for a few. */
const CHANGES = 9_900;

const CONNECTIONS = 200;
const HOSTILE_SHARE = 0.05;
const TIMES_MAX = 50_000;
/**
 * The memory that a small machine has left for the service. Beyond that it is killed, as a cgroup would do it, except
 * with `worst`.
 */
const RSS_MEBIBYTES_MAX = 384;

/**
 * All operations at once over 200 connections, one request in twenty hostile; then SIGTERM in the middle of it.
 * Options: seconds of load (default 180); `worst` adds another server and a stranger that do their worst.
 */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 180);
  const hasWorst = args.includes('worst');
  const guildId = '300000000000000001';
  const roleId = '400000000000000001';
  await using discord = await startSimulator({
    guilds: [
      {
        id: guildId,
        roles: [{ id: roleId, name: 'Blue' }],
        members: { count: 5_000, rolesOf: (index) => (index % 5 === 0 ? [roleId] : []) },
      },
      { id: KEY_GUILD, roles: [{ id: KEY_ROLE }], members: { count: CHANGES, rolesOf: () => [] } },
    ],
  });
  const image = png(64, 64);
  const origin = createServer((_request, response) => response.end(image)).listen(0, '127.0.0.1');
  const service = await startService({
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
    IMAGE_ALLOW_PRIVATE: 'true',
    SHUTDOWN_TIMEOUT_MS: '15000',
    // About what Node takes by itself in a container of 512 MiB; with more memory, it lets more garbage wait.
    NODE_OPTIONS: '--max-old-space-size=256',
  });
  const imageUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/a.png`;
  const token = discord.bot().token;
  const changesPath = await makeChanges(discord, service);
  const [good, hostile] = makeRequests(service, { guildId, roleId, imageUrl, token, changesPath });

  const pool = new Pool(service.url, { connections: CONNECTIONS, pipelining: 1, bodyTimeout: 30_000 });
  const tally: Tally = { statuses: new Map(), times: new Map(), wrong: [], lost: 0, refusedConnections: 0 };
  const memory: [seconds: number, mebibytes: number][] = [];
  const startedAt = performance.now();
  const stop = new AbortController();
  const stopWorst = new AbortController();
  const worst = hasWorst ? doTheWorst(service.url, service.otherKey, stopWorst.signal) : null;
  const load = Array.from({ length: CONNECTIONS }, async (_, index) => {
    for (let turn = index; !stop.signal.aborted; turn += 1) {
      const isHostile = turn % (1 / HOSTILE_SHARE) === 0;
      const list = isHostile ? hostile : good;
      const request = list[(isHostile ? turn * HOSTILE_SHARE : turn) % list.length];
      if (request !== undefined) await send(pool, request, tally);
      if (tally.refusedConnections > 0) return;
    }
  });
  while (performance.now() - startedAt < seconds * 1000) {
    await wait(Math.min(1000, seconds * 50));
    const mebibytes = readRssMebibytes(service);
    memory.push([(performance.now() - startedAt) / 1000, mebibytes]);
    if (!hasWorst && mebibytes > RSS_MEBIBYTES_MAX) {
      service.process.kill('SIGKILL');
      throw new Error(`${mebibytes.toFixed(0)} MiB are resident, more than ${RSS_MEBIBYTES_MAX}: killed`);
    }
  }

  stopWorst.abort();
  await worst;
  const tenant = describeTenant(tally.statuses, tally.lost);
  const exited = new Promise<number | null>((resolve) => service.process.once('exit', resolve));
  const stoppedAt = performance.now();
  service.process.kill('SIGTERM');
  const code = await exited;
  const stopMs = performance.now() - stoppedAt;
  stop.abort();
  await Promise.all(load);
  await pool.destroy();
  origin.close();
  await service.stop();

  report(tally, memory, { seconds, tenant, code, stopMs });
}

/** @returns the path of a question about many changes */
async function makeChanges(discord: Simulator, service: ServiceProcess): Promise<string> {
  const path = `/api/role-changes?role_id=${KEY_ROLE}`;
  for (;;) {
    const answer = await fetch(service.url + path, { headers: { authorization: service.key } });
    const { cursor } = (await answer.json()) as { cursor?: string };
    if (cursor !== undefined) {
      const guild = discord.guild(KEY_GUILD);
      for (const id of guild.holdersOf(KEY_GUILD).slice(0, CHANGES))
        guild.updateMember(id, { roles: [KEY_ROLE] });
      return `${path}&since=${cursor}`;
    }
    await wait(100);
  }
}

function makeRequests(
  service: ServiceProcess,
  at: { guildId: string; roleId: string; imageUrl: string; token: string; changesPath: string },
): [good: Request[], hostile: Request[]] {
  const headers = { authorization: service.key };
  const json = { ...headers, 'content-type': 'application/json' };
  const post = (operation: string, path: string, value: unknown, expected = [200]): Request => ({
    operation,
    method: 'POST',
    path,
    headers: json,
    body: typeof value === 'string' ? value : JSON.stringify(value),
    expected,
  });
  const get = (
    operation: string,
    path: string,
    expected = [200],
    more: Record<string, string> = {},
  ): Request => ({
    operation,
    method: 'GET',
    path,
    headers: { ...headers, ...more },
    expected,
  });
  const members = `/api/role-members?guild_id=${at.guildId}&role_id=${at.roleId}`;
  const line = '!tempban <@123456789012345678> 7d spamming links';
  return [
    [
      post('parse-args', '/api/parse-args', { text: line, textstatus: true }),
      post('permission-encoder', '/api/chat/permission-encoder', {
        permissions: ['SEND_MESSAGES', 'BAN_MEMBERS'],
      }),
      get('permission-decoder', '/api/chat/permission-decoder?bitfield=2112'),
      post('text-splitter', '/api/text-splitter', { text: '**bold** words, and `code`. '.repeat(300) }),
      // Eight jobs at once and two a guild: most of this load has to wait, some of it too long.
      post('image-to-base64', '/api/image-to-base64', { url: at.imageUrl }, [200, 503]),
      get('role-members, token', `${members}&source=token`, [200, 202, 429, 503], { token: at.token }),
      get('role-members, count', `${members}&source=token&count_only=true`, [200, 202, 429, 503], {
        token: at.token,
      }),
      get('key', '/api/key'),
    ],
    [
      post('hostile', '/api/parse-args', '{"text": "a "quote""}', [400]),
      post('hostile', '/api/parse-args', { text: `!ban ${'1'.repeat(3_990)}` }),
      post('hostile', '/api/parse-args', { text: 'a'.repeat(5_000) }, [413]),
      post('hostile', '/api/parse-args', 'a'.repeat(300_000), [413]),
      post('hostile', '/api/text-splitter', { text: '`*_~|>['.repeat(5_000) }),
      // Just below the length from which texts wait for each other.
      post('hostile', '/api/text-splitter', { text: '中文。'.repeat(5_461) }, [200, 503]),
      get('hostile', at.changesPath),
      post('hostile', '/api/image-to-base64', { url: 'http://127.0.0.1:1/x.png' }, [502, 503]),
      post('hostile', '/api/image-to-base64', { url: 'gopher://x' }, [422]),
      get('hostile', `/api/role-members?role_id=${at.roleId}&source=gateway`, [404, 503]),
      get('hostile', '/api/role-members?role_id=1', [400]),
      get('hostile', `${members}&source=token`, [400], { token: 'mfa.nothing' }),
      get('hostile', '/%00/../../etc/passwd', [404]),
      {
        ...get('hostile', '/api/key', [401, 503]),
        headers: { authorization: `${service.key.slice(0, 57)}_` },
      },
    ],
  ];
}

async function send(pool: Pool, request: Request, tally: Tally): Promise<void> {
  const startedAt = performance.now();
  try {
    const response = await pool.request({
      method: request.method,
      path: request.path,
      headers: request.headers,
      body: request.body ?? null,
    });
    await response.body.dump();
    const name = `${request.operation} ${response.statusCode}`;
    tally.statuses.set(name, (tally.statuses.get(name) ?? 0) + 1);
    if (!request.expected.includes(response.statusCode))
      tally.wrong.push(`${request.path.slice(0, 60)} ${name}`);
    const times = tally.times.get(request.operation) ?? [];
    tally.times.set(request.operation, times);
    if (times.length < TIMES_MAX) times.push(performance.now() - startedAt);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
      tally.refusedConnections += 1;
    else tally.lost += 1;
  }
}

function readRssMebibytes(service: ServiceProcess): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Mebibytes a minute over the second half, by least squares: the first half fills caches. */
function slopePerMinute(memory: readonly (readonly [number, number])[]): number {
  const half = memory.slice(Math.floor(memory.length / 2));
  const meanX = half.reduce((sum, [x]) => sum + x, 0) / half.length;
  const meanY = half.reduce((sum, [, y]) => sum + y, 0) / half.length;
  const above = half.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = half.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return (60 * above) / below;
}

function report(
  tally: Tally,
  memory: readonly (readonly [number, number])[],
  end: { seconds: number; tenant: string; code: number | null; stopMs: number },
): void {
  const total = [...tally.statuses.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${describeMachine()}\n${CONNECTIONS} connections, ${end.seconds} s, ${total} requests\n`);
  const rows = [...tally.times]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([operation, times]) => [
      operation,
      [...tally.statuses]
        .filter(([name]) => name.startsWith(`${operation} `))
        .map(([name, count]) => `${name.slice(operation.length + 1)}: ${count}`)
        .join(', '),
      quantile(times, 0.5).toFixed(1),
      quantile(times, 0.99).toFixed(1),
    ]);
  console.log(markdownTable(['operation', 'answers', 'p50 ms', 'p99 ms'], rows));
  const rss = memory.map(([, mebibytes]) => mebibytes);
  console.log(
    `\nRSS ${rss[0]?.toFixed(0)} MiB at first, ${Math.max(...rss).toFixed(0)} MiB at most, ${rss.at(-1)?.toFixed(0)} MiB at last; slope of the second half ${slopePerMinute(memory).toFixed(1)} MiB a minute`,
  );
  console.log(`\nwithout \`worst\`, a watch kills it beyond ${RSS_MEBIBYTES_MAX} MiB resident`);
  console.log(end.tenant);
  console.log(`answers that are not documented for their request: ${tally.wrong.length}`);
  for (const wrong of new Set(tally.wrong.slice(0, 10))) console.log(`  ${wrong}`);
  console.log(
    `SIGTERM under load: exit ${end.code} after ${end.stopMs.toFixed(0)} ms; requests without an answer: ${tally.lost}`,
  );
}
