import type { Cluster } from '../cluster/cluster.ts';
import type { ClusterOptions } from '../cluster/open-cluster.ts';
import { oneProcess } from '../cluster/one-process.ts';
import type { Config } from '../config/config.ts';
import { whyUnreachable } from '../config/unreachable-url.ts';
import type { ConnectionPeriods } from '../discord/connection/kept-connection.ts';
import {
  createGuildKeys,
  type GuildKeyStore,
  type GuildKeyStoreOptions,
} from '../guild-keys/guild-key-store.ts';
import { createGuildPresence } from '../guild-keys/guild-presence.ts';
import { startHousekeeping } from '../guild-keys/housekeeping.ts';
import { createKeyUsage } from '../guild-keys/key-usage.ts';
import { openHttp, type HttpOptions } from '../http/open-http.ts';
import type { ImageFetchLimits } from '../images/image-fetch-limits.ts';
import { createImageFetcher } from '../images/create-image-fetcher.ts';
import { toListenFailure } from '../listen-failure.ts';
import type { Log } from '../telemetry/log.ts';
import { GapWatch } from '../members/gateway/gap-watch.ts';
import type { GatewayMembersOptions } from '../members/gateway/gateway-members-options.ts';
import { InvalidAnswerBreaker } from '../members/token/invalid-answer-breaker.ts';
import type { TokenDirectoryOptions } from '../members/token/token-directory-options.ts';
import { CallerTokenDirectory } from '../members/token/token-directory.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { MetricsServer } from '../telemetry/metrics-server.ts';
import { VERSION } from '../version.ts';
import { OPERATIONS } from '../operations/index.ts';
import { toBuckets, type BucketOptions } from '../rate-limit/limiter.ts';
import { createAdmission } from './admission.ts';
import { DiscordPart } from './discord-part.ts';
import { offerFirstKey } from './offer-first-key.ts';
import { checkReadiness } from './readiness.ts';
import { recordInteractions, recordRequests } from './record-outcomes.ts';
import {
  clusterMetrics,
  reportCluster,
  reportGateway,
  reportImages,
  tokenMetrics,
} from './report-metrics.ts';
import { openStorage } from '../storage/storage.ts';
import { unlessStopped } from './unless-stopped.ts';

/** What differs from the defaults; for tests and development. */
export interface AppOptions {
  readonly http?: Partial<HttpOptions>;
  readonly cluster?: Partial<ClusterOptions>;
  readonly keys?: Partial<GuildKeyStoreOptions>;
  readonly limits?: BucketOptions;
  readonly images?: Partial<ImageFetchLimits>;
  readonly imageNameServers?: readonly string[];
  readonly members?: Partial<Omit<GatewayMembersOptions, 'truth'>>;
  readonly tokenMembers?: Partial<TokenDirectoryOptions>;
  /**
   * Shows the key that a first start makes, with the address of the API. Without it no such key is made: what is
   * shown must not end in a log.
   */
  readonly showFirstKey?: (key: string, publicUrl: string) => void;
  /** See GatewayOptions. */
  readonly gateway?: ConnectionPeriods;
  /** Ends a start that is under way: what is open is closed, and `startApp` rejects with the reason of the signal. */
  readonly stop?: AbortSignal;
  /** Told of each part before it is closed. */
  readonly onClosing?: (part: string) => void;
}

export interface App {
  readonly port: number;
  /** null when metrics are off. */
  readonly metricsPort: number | null;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: GuildKeyStore;
  /** Answers what is running, then closes all parts. A second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Opens every part in order; closing is the same list backwards.
 * @throws ExplainedFailure with one clear sentence when a part cannot be opened; what was open is closed then
 */
export async function startApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const { stop, onClosing, showFirstKey } = options;
  await using opening = new AsyncDisposableStack();
  const whenClosing = (part: string, close: () => Promise<unknown> | void) =>
    opening.defer(async () => {
      onClosing?.(part);
      await close();
    });
  let { port } = config;
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`;

  /** Requests and interactions have one deadline, which begins with the first that is asked for. */
  let stopAt: number | null = null;
  const timeLeftMs = () => {
    stopAt ??= performance.now() + config.shutdownTimeoutMs;
    return Math.max(0, stopAt - performance.now());
  };

  const metrics = createMetrics();
  metrics.total('masked_log_lines_total', 'Log lines with a secret that was masked', () => log.counts.masked);
  metrics.total('dropped_log_lines_total', 'Log lines that nobody read in time', () => log.counts.dropped);
  const metricsServer =
    config.metricsPort === null ? null : await serveMetrics(metrics, config.metricsHost, config.metricsPort);
  whenClosing('metrics', async () => metricsServer?.close());

  const onFailure = metrics.counter('storage_errors_total', 'Calls to the storage that failed');
  const storage = await unlessStopped(stop, openStorage(config.storageUrl, { onFailure }));
  whenClosing('storage', () => storage.close());
  const buckets = toBuckets({
    requestsPerMinute: config.rateLimit,
    imagesPerMinute: config.imageRateLimit,
    ...options.limits,
  });
  const gaps = new GapWatch();
  whenClosing('clocks', () => gaps.close());
  const cluster = opening.use(
    config.redisUrl === null
      ? oneProcess(buckets)
      : await joinCluster(stop, config.redisUrl, {
          buckets,
          log,
          host: config.clusterHost,
          port: config.clusterPort,
          lastGapAt: () => gaps.lastGapAt,
          ...clusterMetrics(metrics),
          ...options.cluster,
        }),
  );
  reportCluster(metrics, cluster);
  const keys = createGuildKeys(storage, {
    ...options.keys,
    onChange: (guildId) => cluster.tellKeysChanged(guildId),
  });
  cluster.onKeysChanged((guildId) => keys.forget(guildId));
  const admission = createAdmission(keys, cluster.limiter);
  const usage = createKeyUsage(storage, {
    onFlushFailed: (err) => log.warn({ err }, 'usage counts could not be stored'),
  });
  whenClosing('usage counts', () => usage.close());
  const housekeeping = startHousekeeping({ keys, usage, log });
  whenClosing('housekeeping', () => housekeeping.close());

  const images = opening.use(
    createImageFetcher({
      allowPrivate: config.imageAllowPrivate,
      // Asked for at each fetch: with PORT=0 the address is only known once HTTP is open.
      get userAgent() {
        return `Quartermaster/${VERSION} (+${publicUrl()})`;
      },
      ...(options.imageNameServers === undefined ? {} : { nameServers: options.imageNameServers }),
      ...(options.images === undefined ? {} : { limits: options.images }),
    }),
  );
  reportImages(metrics, images);
  const breaker = options.tokenMembers?.breaker ?? new InvalidAnswerBreaker();
  const tokenMembers = new CallerTokenDirectory({
    apiUrl: config.discordApiUrl,
    allowCallerTokens: config.allowCallerTokens,
    ownToken: config.discordToken,
    metrics: tokenMetrics(metrics),
    ...options.tokenMembers,
    breaker,
  });
  whenClosing('member lists with tokens', () => tokenMembers.close());

  const shared = {
    keys,
    usage,
    operations: OPERATIONS,
    now: Date.now,
    images,
    tokenMembers,
    requestsPerMinute: config.rateLimit,
    imagesPerMinute: config.imageRateLimit,
  };
  let discord: DiscordPart | null = null;
  if (config.discordToken === null || config.gatewayShards === 'none') {
    const lists = config.redisUrl === null ? 'only with a token of the caller' : 'of other processes';
    log.info(`Discord is off: no slash commands, and member lists ${lists}`);
  } else {
    const presence = createGuildPresence(keys, { log });
    whenClosing('keys of servers that were left', () => presence.close());
    const part = new DiscordPart({
      ...options.gateway,
      stop,
      gaps,
      token: config.discordToken,
      apiUrl: config.discordApiUrl,
      shards: config.gatewayShards === 'all' ? 'auto' : config.gatewayShards,
      shardCount: config.gatewayShardCount,
      log,
      presence: {
        joined: (guildId) => presence.joined(guildId),
        left: (guildId) => presence.left(guildId),
        shardReady(shardId, shardCount, guildIds) {
          presence.shardReady(shardId, shardCount, guildIds);
          void cluster.holdShard(shardId, shardCount);
        },
      },
      keys,
      members: options.members,
      onInvalidAnswer: () => breaker.record(),
      takeIdentifyTurn: (bucket, signal, allowance) => cluster.takeIdentifyTurn(bucket, signal, allowance),
      onEnd: () => void cluster.releaseShards(),
      services: { ...shared, publicUrl },
      admit: (userId, bucket) => admission.admitCommand(userId, bucket),
      onInteraction: recordInteractions(log, metrics),
      onCreated: (gateway) => reportGateway(metrics, gateway),
    });
    discord = part;
    whenClosing('gateway', () => part.close(timeLeftMs()));
    whenClosing('shards', () => cluster.releaseShards());
  }
  const members = cluster.joinMembers(discord?.members ?? null);

  const http = await openHttp({
    ...shared,
    ...options.http,
    host: config.host,
    port: config.port,
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    log,
    collaborators: { now: Date.now, images, members, tokenMembers },
    admission,
    onRequest: recordRequests(log, metrics, usage),
    onDropped: metrics.counter('connections_dropped_total', 'Connections beyond the limit'),
    inviteUrl: () => discord?.inviteUrl() ?? null,
    readiness: () => checkReadiness(storage, discord, cluster),
  }).catch((error: unknown) => {
    throw toListenFailure(error, { hostSetting: 'HOST', host: config.host, portSetting: 'PORT', port });
  });
  port = http.port;
  whenClosing('requests', async () => {
    const cut = await http.drain(timeLeftMs());
    if (cut > 0) log.warn({ connections: cut }, 'connections were cut at the deadline');
  });
  if (discord !== null) {
    const reason = whyUnreachable(publicUrl());
    if (reason !== null) {
      log.warn(
        { public_url: publicUrl() },
        `bot builders cannot reach PUBLIC_URL, because ${reason}: set it to the https address of this service`,
      );
    }
    await unlessStopped(stop, discord.open());
  }
  stop?.throwIfAborted();
  // Last, because it is shown only once: a start that fails must not have made it.
  if (config.discordToken === null) {
    await offerFirstKey(keys, {
      show: showFirstKey === undefined ? null : (key) => showFirstKey(key, publicUrl()),
      isShared: config.storageUrl !== 'memory:',
      log,
    });
  }
  log.info({ version: VERSION, port, host: config.host, docs: `${publicUrl()}/docs` }, 'ready');

  const parts = opening.move();
  let closing: Promise<void> | null = null;
  return {
    port,
    metricsPort: metricsServer?.port ?? null,
    publicUrl: publicUrl(),
    keys,
    close: () => (closing ??= parts.disposeAsync()),
  };
}

/** Where nobody reads metrics, what only they need is not loaded. */
async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<MetricsServer> {
  const { openMetricsServer } = await import('../telemetry/metrics-server.ts');
  return openMetricsServer(metrics, host, port);
}

/** Without other processes there is no Redis, and its driver is not loaded. */
async function joinCluster(
  stop: AbortSignal | undefined,
  redisUrl: string,
  options: ClusterOptions,
): Promise<Cluster> {
  const { openCluster } = await import('../cluster/open-cluster.ts');
  return unlessStopped(stop, openCluster(redisUrl, options));
}
