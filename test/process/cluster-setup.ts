import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { Client } from 'pg';

import type { ClusterOptions } from '../../src/cluster/open-cluster.ts';
import { quickOrFull } from '../fixtures/full-run.ts';
import { startTestApp, type TestApp } from '../fixtures/test-app.ts';
import { POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';
import type { SimulatedGuild } from '../simulator/guild-model.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { CHILD_ENV } from './service-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Many times what a start takes on a busy machine. */
const WAIT_MS = 50_000;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Redis and PostgreSQL under names that nobody else uses.
 * @param redisUrl of another Redis than the shared one
 */
export async function newServices(
  redisUrl = REDIS_URL,
): Promise<{ env: Record<string, string> } & AsyncDisposable> {
  const name = `cluster_${crypto.randomUUID().replaceAll('-', '')}`;
  await runInPostgres(`CREATE SCHEMA ${name}`);
  const redis = new URL(redisUrl);
  redis.searchParams.set('keyPrefix', `${name}:`);
  const postgres = new URL(POSTGRES_URL);
  postgres.searchParams.set('options', `-c search_path=${name}`);
  return {
    env: { REDIS_URL: redis.href, STORAGE_URL: postgres.href },
    [Symbol.asyncDispose]: () => runInPostgres(`DROP SCHEMA ${name} CASCADE`),
  };
}

async function runInPostgres(command: string): Promise<void> {
  const client = new Client({ connectionString: POSTGRES_URL });
  await client.connect();
  await client.query(command);
  await client.end();
}

/** What the tests ask of a service. */
class ServiceClient {
  protected url = '';

  /** @param token of the caller's bot */
  async call(route: string, key: string, { method = 'GET', token = '' } = {}): Promise<Answer> {
    const headers = { authorization: key, ...(token === '' ? {} : { token }) };
    const response = await fetch(this.url + route, { method, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Sends a text through a webhook. */
  async send(text: string, webhook: string, key: string): Promise<Answer> {
    const headers = { authorization: key, webhook, 'content-type': 'text/plain' };
    const response = await fetch(`${this.url}/api/send`, { method: 'POST', body: text, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** The raw bytes of a list and its version. */
  async list(route: string, key: string): Promise<{ text: string; etag: string | null }> {
    const headers = { authorization: key };
    const response = await fetch(this.url + route, { headers });
    return { text: await response.text(), etag: response.headers.get('etag') };
  }

  /** Asks until the answer has this status, for as long as a busy machine may need. */
  async callUntil(status: number, route: string, key: string): Promise<Answer> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const answer = await this.call(route, key);
      if (answer.status === status) return answer;
      if (performance.now() > giveUpAt) throw new Error(`Still ${JSON.stringify(answer)}`);
      await pause();
    }
  }

  /** Waits until readiness says this of a part, by default of the connection to Discord. */
  async readyUntil(wanted: Readonly<Record<string, unknown>>, part = 'discord'): Promise<void> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const { body } = await this.call('/health/ready', '');
      // A service that is not ready for another reason says only that.
      const state = (body[part] ?? {}) as Record<string, unknown>;
      if (Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(state[name], value))) return;
      if (performance.now() > giveUpAt) throw new Error(`Still ${JSON.stringify(body)}`);
      await pause();
    }
  }

  /** Asks until the list that it answers with has this many members. */
  async listsUntil(count: number, key: string): Promise<void> {
    const giveUpAt = performance.now() + WAIT_MS;
    for (;;) {
      const { body } = await this.call(`${ROUTE}&count_only=true`, key);
      if (body['count'] === count) return;
      if (performance.now() > giveUpAt) throw new Error(`Still ${JSON.stringify(body)}`);
      await pause();
    }
  }
}

/** The service in the process of the tests. */
export class ServiceHere extends ServiceClient {
  readonly #app: TestApp;

  constructor(app: TestApp) {
    super();
    this.#app = app;
    this.url = app.url;
  }

  static async start(...args: Parameters<typeof startTestApp>): Promise<ServiceHere> {
    return new ServiceHere(await startTestApp(...args));
  }

  get output(): string {
    return this.#app.logLines.join('\n');
  }

  stop(): Promise<void> {
    return this.#app.app.close();
  }
}

/** One `node src/main.ts`. */
export class ServiceProcess extends ServiceClient {
  output = '';
  readonly #child;
  readonly #exited: Promise<unknown>;

  /** @param prefix of the command, which starts it somewhere else */
  constructor(env: Record<string, string>, script = 'src/main.ts', prefix: readonly string[] = []) {
    super();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-cluster-'));
    const [command, ...args] = [...prefix, process.execPath, path.join(ROOT, script)];
    this.#child = spawn(command ?? '', args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...CHILD_ENV, PORT: '0', ...env },
    });
    this.#child.stdout.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#child.stderr.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.#exited = once(this.#child, 'close').finally(() => rmSync(folder, { recursive: true }));
  }

  /**
   * Starts one and waits until it takes requests.
   * @param machine where it runs and is called; default: here
   */
  static async start(
    env: Record<string, string>,
    script?: string,
    { prefix, address }: { prefix: readonly string[]; address: string } = {
      prefix: [],
      address: '127.0.0.1',
    },
  ): Promise<ServiceProcess> {
    const service = new ServiceProcess(env, script, prefix);
    const ready = /"port":(\d+).*"msg":"ready"/;
    while (!ready.test(service.output)) {
      const what = await Promise.race([
        once(service.#child.stdout, 'data').then(() => 'output'),
        service.#exited.then(() => 'end'),
      ]);
      if (what === 'end') throw new Error(`It ended before it was ready: ${service.output}`);
    }
    service.url = `http://${address}:${ready.exec(service.output)?.[1]}`;
    return service;
  }

  /** Pauses the process, as a sleeping machine does, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  /** As an operator does: SIGTERM, and resolves with the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill(signal);
      await this.#exited;
    }
    return this.#child.exitCode;
  }
}

export const ADMIN = '200000000000000001';
export const ROLE = '400000000000000001';
export const ROUTE = `/api/role-members?role_id=${ROLE}`;
export const KEY = /qm_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}/;

type ClusterPeriods = Partial<Pick<ClusterOptions, 'renewMs' | 'leaseMs' | 'identifyWindowMs' | 'limits'>>;

/** One guild whose members all hold ROLE, for processes that may all have its shard. */
export async function startOneShard(members: number, cluster: ClusterPeriods, redisUrl = REDIS_URL) {
  await using opening = new AsyncDisposableStack();
  const services = opening.use(await newServices(redisUrl));
  const discord = opening.use(
    await startSimulator({
      guilds: [
        {
          id: String(160_000_000_000n << 22n),
          ownerId: ADMIN,
          roles: [{ id: ROLE, name: 'Blue' }],
          members: { count: members, rolesOf: () => [ROLE] },
        },
      ],
      gateway: { maxConcurrency: 16 },
    }),
  );
  const guild = discord.guilds[0]!;
  const parts = opening.move();
  const settings = { ...services.env, RATE_LIMIT: '1000000', DISCORD_API_URL: discord.apiUrl };
  const startChild = async (env: Record<string, string>) => {
    const service = await ServiceProcess.start(
      { ...settings, APP_OPTIONS: JSON.stringify({ cluster }), ...env },
      'test/process/cluster-child.ts',
    );
    parts.defer(() => void service.stop('SIGKILL'));
    return service;
  };
  return {
    discord,
    guild,
    redisUrl: services.env['REDIS_URL'] ?? '',
    /**
     * A shard holder. Resolves when its list is complete.
     * @param env other settings than those of the rest
     */
    async start(env: Record<string, string> = {}): Promise<ServiceProcess> {
      const service = await startChild({
        DISCORD_TOKEN: discord.bot().token,
        GATEWAY_SHARDS: '0',
        GATEWAY_SHARD_COUNT: '1',
        ...env,
      });
      await service.readyUntil({ member_lists: { complete: 1, loading: 0, stale: 0 } });
      return service;
    },
    /** One without a shard. */
    startPlain: (env: Record<string, string> = {}) => startChild({ GATEWAY_SHARDS: 'none', ...env }),
    /** One without a shard, in the process of the tests. */
    async startPlainHere(): Promise<ServiceHere> {
      const service = await ServiceHere.start({ ...settings, GATEWAY_SHARDS: 'none' }, { cluster });
      parts.defer(() => service.stop());
      return service;
    },
    async createKey(): Promise<string> {
      const asked = discord.interact.slash(
        'settings key create',
        { name: 'cluster' },
        { guildId: guild.id, userId: ADMIN },
      );
      return KEY.exec((await asked.reply()).text)?.[0] ?? '';
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Asks for the list of a guild over and over, through several processes, until it is stopped. */
export class Load {
  /** Right answers. */
  right = 0;
  /** `member_list_unavailable` with a time to come back. */
  unavailable = 0;
  /** Everything else: there must be nothing. */
  readonly wrong: unknown[] = [];
  #running = true;
  readonly #loops: Promise<void>[];

  constructor(
    services: readonly ServiceClient[],
    guilds: readonly { guild: SimulatedGuild; key: string }[],
    roleId: string,
  ) {
    this.#loops = services.flatMap((service) =>
      guilds.map(async ({ guild, key }) => {
        const expected = JSON.stringify(guild.holdersOf(roleId));
        while (this.#running) {
          await pause(quickOrFull(400, 40));
          await service.call(`/api/role-members?role_id=${roleId}`, key).then(
            (answer) => this.#judge(answer, expected),
            (error: unknown) => this.wrong.push(error),
          );
        }
      }),
    );
  }

  /** Resolves after this many more right answers. */
  async untilRight(more: number): Promise<void> {
    const wanted = this.right + more;
    const giveUpAt = performance.now() + WAIT_MS;
    while (this.right < wanted) {
      if (performance.now() > giveUpAt) throw new Error(`Only ${this.right} of ${wanted} right answers`);
      await pause();
    }
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  #judge({ status, body }: Answer, expected: string): void {
    if (status === 200 && JSON.stringify(body['members']) === expected) this.right += 1;
    else if (
      status === 503 &&
      body['code'] === 'member_list_unavailable' &&
      Number(body['retry_after']) > 0
    ) {
      this.unavailable += 1;
    } else if (this.wrong.length < 10) this.wrong.push({ status, body });
  }
}

/** Leaves the others time to answer when this process asks. */
function pause(ms = 50): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
