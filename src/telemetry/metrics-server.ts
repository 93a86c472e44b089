import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { collectDefaultMetrics, Registry } from '@prometheus-io/client';

import { toListenFailure } from './listen-failure.ts';
import type { Metrics } from './metrics.ts';

/** A scraper is on the same network, so its request arrives at once. */
const REQUEST_TIMEOUT_MS = 5_000;

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `GET /metrics` on an address of its own, so that callers of the API can never reach it. Besides our metrics it shows
 * those of the process: memory, event loop, garbage collection.
 * @param requestTimeoutMs how long a request may take to arrive; default 5 s
 */
export async function openMetricsServer(
  metrics: Metrics,
  host: string,
  port: number,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): Promise<MetricsServer> {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    // Node looks for late requests every 30 s unless it is asked to look more often.
    connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs / 4),
  };
  const server = createServer(timeouts, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    ofProcess
      .metrics()
      .then((text) => `${text}\n${metrics.render()}`)
      .then(
        (text) => response.writeHead(200, { 'Content-Type': ofProcess.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
  });
  server.maxConnections = 20;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: unknown) => {
    throw toListenFailure(error, { hostSetting: 'METRICS_HOST', host, portSetting: 'METRICS_PORT', port });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
