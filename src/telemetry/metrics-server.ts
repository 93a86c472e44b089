import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

import type { Metrics } from './metrics.ts';

const PREFIX = 'quartermaster_';
/**
 * Upper bounds of the buckets, in seconds. Operations without network calls fall into the first two; 8 and 10 s are the
 * deadlines of the others.
 */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8, 10, 15];

/** A scraper is on the same network, so its request arrives immediately. */
const REQUEST_TIMEOUT_MS = 5_000;

export interface MetricsServer {
  readonly metrics: Metrics;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `GET /metrics` on its own host and port, so that callers of the API can never reach it. Besides our metrics it shows
 * those of the process: memory, event loop, garbage collection.
 * @param requestTimeoutMs how long a request may take to arrive; default 5 s
 * @throws Error with Node's code when it cannot listen there
 */
export async function openMetricsServer(
  host: string,
  port: number,
  version: string,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): Promise<MetricsServer> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 20;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    metrics: metricsIn(registry, version),
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function metricsIn(registry: Registry, version: string): Metrics {
  const build = named('build_info', 'Always 1; the version is a label');
  const info = new Gauge({ ...build, labelNames: ['version'] });
  info.labels(version).set(1);
  registry.registerMetric(info);
  return {
    counter(name, help, ...labelNames) {
      const counter = new Counter({ ...named(name, help), labelNames });
      registry.registerMetric(counter);
      return (...values) => counter.labels(...values).inc();
    },
    total(name, help, read) {
      registry.registerMetric(
        new Counter({
          ...named(name, help),
          collect() {
            this.reset();
            this.inc(read());
          },
        }),
      );
    },
    gauge(name, help, read) {
      registry.registerMetric(
        new Gauge({
          ...named(name, help),
          collect() {
            this.set(read());
          },
        }),
      );
    },
    durations(name, help, label) {
      const histogram = new Histogram({ ...named(name, help), labelNames: [label], buckets: BUCKETS });
      registry.registerMetric(histogram);
      return (value, ms) => histogram.labels(value).observe(ms / 1_000);
    },
  };
}

function named(name: string, help: string) {
  return { name: PREFIX + name, help, registers: [] };
}
