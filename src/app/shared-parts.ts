import type { Cluster } from '../cluster/cluster.ts';
import { singleProcess } from '../cluster/single-process.ts';
import { GuildKeyStore } from '../guild-keys/guild-key-store.ts';
import { Housekeeping } from '../guild-keys/housekeeping.ts';
import { KeyUsage } from '../guild-keys/key-usage.ts';
import { WebhookDeliveries } from '../deliveries/webhook-deliveries.ts';
import { GuardedImageFetcher } from '../images/guarded-image-fetcher.ts';
import { ProcessPauseDetector } from '../members/gateway/process-pause-detector.ts';
import { InvalidRequestBreaker } from '../upstream/invalid-request-breaker.ts';
import { RestMembers } from '../members/rest/rest-members.ts';
import { toBuckets, type Limits } from '../rate-limit/limiter.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { NO_METRICS, type Metrics } from '../telemetry/metrics.ts';
import { createAdmission } from './admission.ts';
import type { AppContext } from './app-context.ts';
import { toListenFailure } from './listen-failure.ts';
import { PublicUrl } from './public-url.ts';
import { recordDeliveries } from './record-outcomes.ts';
import { reportCluster, reportDeliveries, reportImages, invalidRequestCounter } from './report-metrics.ts';

export type SharedParts = Awaited<ReturnType<typeof openSharedParts>>;

/** What both HTTP and Discord need: metrics, storage, limits, keys, and the sources of images and members. */
export async function openSharedParts(context: AppContext) {
  const { config, log, parts } = context;
  const publicUrl = new PublicUrl(config.publicUrl, config.port);
  const { metrics, metricsPort } = await openMetrics(context);
  metrics.total('masked_log_lines_total', 'Log lines with a secret that was masked', () => log.counts.masked);
  metrics.total('dropped_log_lines_total', 'Log lines that were not read in time', () => log.counts.dropped);

  const countFailure = metrics.counter('storage_errors_total', 'Calls to the storage that failed');
  const storage = await parts.unlessStopped(
    openStorage(config.storageUrl, { onFailure: () => countFailure() }),
  );
  parts.whenClosing('storage', () => storage.close());
  const processPauses = new ProcessPauseDetector();
  parts.whenClosing('process pauses', () => processPauses.close());
  const limits = {
    requestsPerMinute: config.rateLimit,
    imagesPerMinute: config.imageRateLimit,
    sendsPerMinute: config.sendRateLimit,
  };
  const cluster = await joinCluster(context, limits, metrics, processPauses);
  parts.whenClosing('other processes', () => cluster[Symbol.asyncDispose]());

  const keyServices = openKeys(context, storage, cluster);
  const images = openImages(context, publicUrl, metrics);
  const { breaker, restMembers, deliveries } = openDiscordCallers(context, publicUrl, metrics, cluster);
  return {
    publicUrl,
    metrics,
    metricsPort,
    storage,
    processPauses,
    cluster,
    breaker,
    limits,
    keyServices,
    /** All except members, whose lists the gateway holds. */
    operationServices: { now: Date.now, deliveries, images, restMembers },
  };
}

/** The keys of servers, how often they are used, and who may call. */
function openKeys({ log, options, parts }: AppContext, storage: Storage, cluster: Cluster) {
  const keys = new GuildKeyStore(storage, {
    ...options.keys,
    onChange: (guildId) => cluster.publishKeysChanged(guildId),
  });
  cluster.onKeysChanged((guildId) => keys.forget(guildId));
  const usage = new KeyUsage(storage, {
    onFlushFailed: (cause) => log.warn({ cause }, 'usage counts could not be stored'),
  });
  parts.whenClosing('usage counts', () => usage.close());
  const housekeeping = new Housekeeping({ keys, usage, log });
  parts.whenClosing('housekeeping', () => housekeeping.close());
  return { keys, usage, admission: createAdmission(keys, cluster.limiter, options.failedKeys) };
}

function openImages(
  { config, options, parts }: AppContext,
  publicUrl: PublicUrl,
  metrics: Metrics,
): GuardedImageFetcher {
  const images = new GuardedImageFetcher({
    allowsPrivate: config.imageAllowPrivate,
    // Read at each fetch: with PORT=0 the URL is only known once HTTP is open.
    get userAgent() {
      return `Quartermaster/${config.version} (+${publicUrl.value})`;
    },
    ...(options.imageNameServers === undefined ? {} : { nameServers: options.imageNameServers }),
    ...(options.images === undefined ? {} : { limits: options.images }),
  });
  parts.whenClosing('images', () => images[Symbol.asyncDispose]());
  reportImages(metrics, images);
  return images;
}

/** What calls Discord with the secrets of callers. */
function openDiscordCallers(
  { config, log, options, parts }: AppContext,
  publicUrl: PublicUrl,
  metrics: Metrics,
  cluster: Cluster,
) {
  const breaker = options.restMembers?.breaker ?? new InvalidRequestBreaker();
  const onInvalidRequest = invalidRequestCounter(metrics);
  const restMembers = new RestMembers({
    apiUrl: config.discordApiUrl,
    allowsCallerTokens: config.allowsCallerTokens,
    ownToken: config.discordToken,
    onInvalidRequest,
    ...options.restMembers,
    breaker,
  });
  parts.whenClosing('member lists with tokens', () => restMembers.close());
  metrics.gauge(
    'token_listings_running',
    "Member listings with callers' tokens under way",
    () => restMembers.listings,
  );
  const deliveries = new WebhookDeliveries({
    apiUrl: config.discordApiUrl,
    userAgent: () => `DiscordBot (${publicUrl.value}, ${config.version})`,
    settings: options.deliveries ?? {},
    onEnd: recordDeliveries(log, metrics),
    onInvalidRequest,
    breaker,
    store: cluster.deliveryStore,
  });
  parts.whenClosing('webhooks', () => deliveries.close());
  reportDeliveries(metrics, deliveries);
  return { breaker, restMembers, deliveries };
}

interface OpenMetrics {
  readonly metrics: Metrics;
  /** Null when metrics are off. */
  readonly metricsPort: number | null;
}

/** Without METRICS_PORT it counts nothing and does not load the Prometheus library. */
async function openMetrics({ config, parts }: AppContext): Promise<OpenMetrics> {
  if (config.metricsPort === null) return { metrics: NO_METRICS, metricsPort: null };
  const { openMetricsServer } = await import('../telemetry/metrics-server.ts');
  const { metricsHost: host, metricsPort: port } = config;
  const server = await openMetricsServer(host, port, config.version).catch((error: unknown) => {
    throw toListenFailure(error, { hostSetting: 'METRICS_HOST', host, portSetting: 'METRICS_PORT', port });
  });
  parts.whenClosing('metrics', () => server.close());
  return { metrics: server.metrics, metricsPort: server.port };
}

/** Without REDIS_URL this process is alone and does not load the Redis driver. */
async function joinCluster(
  { config, log, options, parts }: AppContext,
  limits: Limits,
  metrics: Metrics,
  processPauses: ProcessPauseDetector,
): Promise<Cluster> {
  const buckets = toBuckets({ ...limits, ...options.limits });
  if (config.redisUrl === null) return singleProcess(buckets);
  const { openCluster } = await import('../cluster/open-cluster.ts');
  const cluster = await parts.unlessStopped(
    openCluster(config.redisUrl, {
      buckets,
      log,
      lastProcessPauseAt: () => processPauses.lastPauseAt,
      ...options.cluster,
    }),
  );
  reportCluster(metrics, cluster);
  return cluster;
}
