import { EventEmitter, once } from 'node:events';

import { GuildKeyStore } from '../../../src/guild-keys/guild-key-store.ts';
import { GuildMembership } from '../../../src/guild-keys/guild-membership.ts';
import { KeyUsage } from '../../../src/guild-keys/key-usage.ts';
import { Gateway, type GatewayOptions } from '../../../src/discord/gateway.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { ProcessPauseDetector } from '../../../src/members/gateway/process-pause-detector.ts';
import { GatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import { ShardStates } from '../../../src/members/gateway/shard-states.ts';
import { GuardedImageFetcher } from '../../../src/images/guarded-image-fetcher.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { recordInteractions } from '../../../src/app/record-outcomes.ts';
import { NO_METRICS } from '../../../src/telemetry/metrics.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { checkDiscordBodies } from '../openapi/discord-openapi.ts';
import { KEY } from '../../fixtures/key-pattern.ts';
import { LIMITS } from '../../fixtures/limits.ts';
import { FAST } from '../../fixtures/test-app.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_REST_MEMBERS } from '../../fixtures/no-members.ts';

/** An admin (the owner of the guild), and somebody who may do nothing special. */
export const ADMIN_ID = '200000000000000001';
export const MEMBER_ID = '200000000000000002';
export const GUILD_ID = '300000000000000001';
export const ROLE_ID = '400000000000000001';

export const MEMBER = { userId: MEMBER_ID };
/** A server in which somebody uses the app that only they have installed. */
export const ELSEWHERE = { userId: MEMBER_ID, guildId: '300000000000000999', installedBy: 'user' as const };
export const DM = { guildId: null, userId: MEMBER_ID };

export interface DiscordHarness extends AsyncDisposable {
  readonly discord: Simulator;
  readonly gateway: Gateway;
  readonly keys: GuildKeyStore;
  readonly usage: KeyUsage;
  readonly membership: GuildMembership;
  readonly logLines: readonly string[];
  /** Resolves with the first line that holds the text, once there is one. */
  logged(text: string): Promise<string>;
  /** The interactions of users. */
  readonly users: Simulator['interact'];
}

export interface DiscordHarnessOptions {
  readonly simulator?: SimulatorOptions;
  readonly connection?: Partial<GatewayOptions['connection']>;
  readonly operationServices?: Partial<GatewayOptions['operationServices']>;
  readonly admit?: GatewayOptions['keyServices']['admission']['admitCommand'];
  /** Takes the place of other options of the gateway. */
  readonly gateway?: Partial<
    Pick<GatewayOptions, 'interactions' | 'onRefused' | 'onInteraction' | 'publicUrl'>
  >;
  /** Called before the gateway is opened. */
  readonly beforeOpen?: (discord: Simulator) => void;
  /** Called when there is a gateway, before it is opened. */
  readonly onCreated?: (gateway: Gateway) => void;
  /** Called when the gateway is open, before the commands are waited for. */
  readonly afterOpen?: (gateway: Gateway) => void;
}

/** The Discord shell over real keys in memory, connected to a simulated Discord. */
export async function openDiscordHarness(options: DiscordHarnessOptions = {}): Promise<DiscordHarness> {
  await using stack = new AsyncDisposableStack();
  const discord = stack.use(
    await startSimulator({
      guilds: [
        {
          id: GUILD_ID,
          ownerId: ADMIN_ID,
          roles: [{ id: ROLE_ID, name: 'Blue' }],
          members: [{ id: ADMIN_ID }, { id: MEMBER_ID, roles: [ROLE_ID] }],
        },
      ],
      ...options.simulator,
    }),
  );
  options.beforeOpen?.(discord);
  const logLines: string[] = [];
  const logEvents = new EventEmitter().setMaxListeners(0);
  const log = createLog('debug', {
    destination: {
      write(line) {
        logLines.push(line);
        logEvents.emit('line');
      },
    },
  });
  async function logged(text: string): Promise<string> {
    for (;;) {
      const found = logLines.find((line) => line.includes(text));
      if (found !== undefined) return found;
      await once(logEvents, 'line');
    }
  }
  const storage = stack.use(await openStorage('memory:'));
  const keys = new GuildKeyStore(storage);
  const usage = stack.adopt(new KeyUsage(storage), (each) => each.close());
  const membership = stack.adopt(new GuildMembership(keys, { log }), (each) => each.close());
  const images = stack.use(
    new GuardedImageFetcher({
      allowsPrivate: true,
      userAgent: 'test',
      // These tests are not about how fast a machine is.
      fitting: { limits: { stillTimeoutMs: 30_000 } },
    }),
  );
  const processPauses = new ProcessPauseDetector();
  stack.defer(() => processPauses.close());
  const shardStates = new ShardStates({ processPauses });
  const gateway: Gateway = new Gateway({
    apiUrl: discord.apiUrl,
    connection: {
      token: discord.bot().token,
      userAgent: 'test',
      shards: 'auto',
      shardCount: 'auto',
      shardStates,
      processPauses,
      ...FAST,
      ...options.connection,
    },
    log,
    createMembers: (requests) => new GatewayMembers({ ...requests, shardStates, log }),
    operations: OPERATIONS,
    keyServices: { keys, usage, admission: { admitCommand: options.admit ?? (async () => {}) } },
    guildMembership: membership,
    operationServices: {
      now: Date.now,
      images,
      deliveries: NO_DELIVERIES,
      members: {
        ask: (query, question, caller) => gateway.members.ask(query, question, caller),
        commitReaderOffset: (commit) => gateway.members.commitReaderOffset(commit),
      },
      restMembers: NO_REST_MEMBERS,
      ...options.operationServices,
    },
    limits: LIMITS,
    publicUrl: () => 'https://api.example',
    onInteraction: recordInteractions(log, NO_METRICS),
    ...options.gateway,
  });
  stack.defer(() => gateway.close(1_000));
  options.onCreated?.(gateway);
  await gateway.open();
  options.afterOpen?.(gateway);
  await discord.until(() => discord.bot().commands.length > 0);
  stack.defer(() => {
    checkDiscordBodies(discord);
    checkPings(discord);
  });
  const open = stack.move();
  return {
    discord,
    gateway,
    keys,
    usage,
    membership,
    logLines,
    logged,
    users: discord.interact,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Makes a key with the command; the key as its admin sees it. */
export async function createKey(harness: DiscordHarness, name: string): Promise<string> {
  const reply = await harness.users.slash('settings key create', { name }).reply();
  return KEY.exec(reply.text)?.[0] ?? reply.text;
}

/** `works`, or the code of the problem with a key. */
export const codeOf = (verified: Promise<unknown>): Promise<string> =>
  verified.then(
    () => 'works',
    (error: { code: string }) => error.code,
  );

/** Whatever was sent with components or content must not ping. */
function checkPings(discord: Simulator): void {
  for (const { route, body } of discord.rest.calls) {
    const text = JSON.stringify(body ?? null);
    const isMessage = /"(?:components|content)":/.test(text) && !text.startsWith('{"type":9');
    if (!/interactions|webhooks/.test(route ?? '') || !isMessage) continue;
    // Only a click on "Show and notify" notifies, and only users who are named.
    if (!/"allowed_mentions":\{"parse":\[\](?:,"users":\[["\d,]+\])?\}/.test(text))
      throw new Error(`This may ping: ${text}`);
  }
}
