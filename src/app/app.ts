import { isIPv6 } from 'node:net';

import type { Config } from '../config/config.ts';
import { whyUnreachable } from '../config/unreachable-url.ts';
import type { GuildKeyStore } from '../guild-keys/guild-key-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { AppOptions } from './app-options.ts';
import { openSharedParts } from './shared-parts.ts';
import { offerFirstKey } from './offer-first-key.ts';
import { OpenParts } from './open-parts.ts';
import { prepareDiscord } from './prepare-discord.ts';
import { serveHttp } from './serve-http.ts';

export interface App {
  readonly port: number;
  /** null when metrics are off. */
  readonly metricsPort: number | null;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly keys: GuildKeyStore;
  /** Finishes running requests, then closes all parts. A second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Opens every part in order; closing is the same list backwards.
 * @throws ExplainedFailure with one clear sentence if a part cannot be opened, after closing the others
 */
export async function startApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const { stop, onClosing, showFirstKey } = options;
  const parts = new OpenParts({ timeoutMs: config.shutdownTimeoutMs, stop, onClosing });
  const context = { config, log, options, parts };
  if (config.hostNote !== null) log.info(config.hostNote);
  if (config.diskWarning !== null) log.warn(config.diskWarning);
  if (config.proxyNote !== null) log.warn(config.proxyNote);
  try {
    const sharedParts = await openSharedParts(context);
    const discord = prepareDiscord(context, sharedParts);
    const port = await serveHttp(context, sharedParts, discord);
    const { publicUrl, keyServices, metricsPort } = sharedParts;
    const { keys } = keyServices;
    if (discord !== null) {
      warnIfUnreachable(publicUrl.value, log);
      await parts.unlessStopped(discord.open());
    }
    stop?.throwIfAborted();
    // Make it last: it is shown only once, so a failed start must not have made it.
    if (config.discordToken === null) {
      await offerFirstKey(keys, {
        show: showFirstKey === undefined ? null : (key) => showFirstKey(key, publicUrl.value, config.version),
        isShared: config.storageUrl !== 'memory:',
        log,
      });
    }
    const { version, host, metricsHost, storage } = config;
    const metrics = metricsPort === null ? 'off' : `${urlOf(metricsHost, metricsPort)}/metrics`;
    log.info({ version, port, host, docs: `${publicUrl.value}/docs`, storage, metrics }, 'ready');
    return { port, metricsPort, publicUrl: publicUrl.value, keys, close: () => parts.close() };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function urlOf(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function warnIfUnreachable(publicUrl: string, log: Log): void {
  const reason = whyUnreachable(publicUrl);
  if (reason === null) return;
  log.warn(
    { public_url: publicUrl },
    `bot builders cannot reach PUBLIC_URL, because ${reason}: set it to the https URL of this service`,
  );
}
