import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

import { toListenFailure } from '../listen-failure.ts';

/** Labels are names of ours and numbers: no guild, no key, no address, no token ever becomes one. */
export interface Metrics {
  readonly contentType: string;
  render(): Promise<string>;
  /** @param operation name of an endpoint, or null for an address that is none */
  countRequest(operation: string | null, status: number, code: string | null, durationMs: number): void;
  /** @param command a word of ours @param outcome `ok`, a problem code, or why nobody got an answer */
  countInteraction(command: string, outcome: string): void;
  /** @returns counts one */
  counter(name: string, help: string): () => void;
  /** One label, whose values are fixed words of ours. @returns counts one */
  labelledCounter(name: string, help: string, label: string): (value: string) => void;
  /** A value that is read when the metrics are. */
  gauge(name: string, help: string, read: () => number): void;
}

const PREFIX = 'quartermaster_';
/** Seconds; the operations without network answer within the first two, the bounds of the others are 8 and 10 s. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8, 10, 15];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: `${PREFIX}requests_total`,
    help: 'Answers by operation, status and problem code',
    labelNames: ['operation', 'status', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: `${PREFIX}request_duration_seconds`,
    help: 'Time from the request to the end of its answer',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS,
    registers,
  });

  const interactions = new Counter({
    name: `${PREFIX}interactions_total`,
    help: 'Commands, clicks and forms in Discord by outcome',
    labelNames: ['command', 'outcome'],
    registers,
  });

  /** Looking labels up costs more than counting. Bounded: operations, statuses and codes are ours. */
  const seen = new Map<string, { count: Counter.Internal; time: Histogram.Internal<'operation'> }>();

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    countRequest(operation, status, code, durationMs) {
      const name = operation ?? 'none';
      const key = `${name} ${status} ${code}`;
      let series = seen.get(key);
      if (series === undefined) {
        const labels = { operation: name, status: String(status), code: code ?? '' };
        series = { count: requests.labels(labels), time: durations.labels({ operation: name }) };
        seen.set(key, series);
      }
      series.count.inc();
      series.time.observe(durationMs / 1000);
    },
    countInteraction: (command, outcome) => interactions.inc({ command, outcome }),
    counter(name, help) {
      const counter = new Counter({ name: `${PREFIX}${name}`, help, registers });
      return () => counter.inc();
    },
    labelledCounter(name, help, label) {
      const counter = new Counter({ name: `${PREFIX}${name}`, help, labelNames: [label], registers });
      return (value) => counter.inc({ [label]: value });
    },
    gauge(name, help, read) {
      registry.registerMetric(
        new Gauge({
          name: `${PREFIX}${name}`,
          help,
          registers: [],
          collect() {
            this.set(read());
          },
        }),
      );
    },
  };
}

/** A scraper is on the same network: its request is there at once. */
const REQUEST_TIMEOUT_MS = 5_000;

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `GET /metrics` on an address of its own, so that it is never reachable where callers are.
 * @param requestTimeoutMs how long a request may take to arrive; default 5 s
 */
export async function openMetricsServer(
  metrics: Metrics,
  host: string,
  port: number,
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
): Promise<MetricsServer> {
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
    metrics.render().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
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
