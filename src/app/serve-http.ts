import { whyUnreachable } from '../config/unreachable-url.ts';
import { HttpService } from '../http/http-service.ts';
import { toListenFailure } from './listen-failure.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { AppContext } from './app-context.ts';
import type { DiscordPart } from './discord-part.ts';
import type { SharedParts } from './shared-parts.ts';
import { checkReadiness } from './readiness.ts';
import { recordRequests } from './record-outcomes.ts';
import { StorageWatch } from './storage-watch.ts';

/** Opens the API. @returns its port @throws ExplainedFailure when it cannot listen there */
export async function serveHttp(
  { config, log, options, parts }: AppContext,
  sharedParts: SharedParts,
  discord: DiscordPart | null,
): Promise<number> {
  const { publicUrl, metrics, storage, cluster, keyServices, operationServices, limits } = sharedParts;
  const { host, port } = config;
  const storageWatch = new StorageWatch(storage, log);
  const members = cluster.shareMembers(discord?.members ?? null);
  const http = await HttpService.open({
    host,
    port,
    settings: options.http,
    app: {
      log,
      operations: OPERATIONS,
      keyServices,
      operationServices: { ...operationServices, members },
      limits,
      publicUrl: () => publicUrl.value,
      whyUnreachable: () => whyUnreachable(publicUrl.value),
      version: config.version,
      sourceUrl: config.sourceUrl,
      inviteUrl: () => discord?.inviteUrl() ?? null,
      trustProxy: config.trustProxy,
      onRequest: recordRequests(log, metrics, keyServices.usage),
    },
    onDropped: metrics.counter('connections_dropped_total', 'Connections beyond the limit'),
    readiness: () => checkReadiness(config.version, storageWatch, discord, cluster),
  }).catch((error: unknown) => {
    throw toListenFailure(error, { hostSetting: 'HOST', host, portSetting: 'PORT', port });
  });
  publicUrl.opened(http.port);
  parts.whenClosing('requests', async () => {
    const timeLeftMs = parts.timeLeftMs();
    const [cut] = await Promise.all([http.drain(timeLeftMs), operationServices.deliveries.drain(timeLeftMs)]);
    if (cut > 0) log.warn({ connections: cut }, 'connections were cut at the deadline');
  });
  return http.port;
}
