import type { Cluster, ClusterState } from '../cluster/cluster.ts';
import type { WebhookDeliveries } from '../deliveries/webhook-deliveries.ts';
import type { Gateway } from '../discord/gateway.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** @returns a function that counts one answer */
export function invalidRequestCounter(metrics: Metrics): (status: 401 | 403 | 429) => void {
  const count = metrics.counter(
    'discord_invalid_requests_total',
    "Answers of Discord with 401, 403 or 429 to calls with callers' tokens and webhooks",
    'status',
  );
  return (status) => count(String(status));
}

/** Reports the state that the processes share. */
export function reportCluster(metrics: Metrics, cluster: Cluster): void {
  if (cluster.state() === null) return;
  const gauge = (name: string, help: string, read: (state: ClusterState) => number) =>
    metrics.gauge(name, help, () => {
      const state = cluster.state();
      return state === null ? 0 : read(state);
    });
  gauge('cluster_redis_connected', 'Whether Redis is there', ({ redis }) => (redis === 'ok' ? 1 : 0));
  gauge(
    'cluster_shards_held_twice',
    'Shards that another process holds, too',
    ({ shardsHeldTwice }) => shardsHeldTwice.length,
  );
  gauge(
    'foreign_list_bytes',
    'Long lists of other processes that are held for callers',
    ({ remoteListBytes }) => remoteListBytes,
  );
}

/** Reports the images that are being fetched or wait for a slot. */
export function reportImages(
  metrics: Metrics,
  { jobs }: { jobs: { running: number; waiting: number } },
): void {
  metrics.gauge('image_jobs_running', 'Images being fetched or answered', () => jobs.running);
  metrics.gauge('image_jobs_waiting', 'Images waiting for a slot', () => jobs.waiting);
}

/** Reports the deliveries that are being posted or wait for a slot. */
export function reportDeliveries(metrics: Metrics, deliveries: Pick<WebhookDeliveries, 'stats'>): void {
  metrics.gauge('deliveries_running', 'Deliveries being posted', () => deliveries.stats.running);
  metrics.gauge('deliveries_waiting', 'Deliveries waiting for a slot', () => deliveries.stats.waiting);
}

/** Reports the gateway's connection and the member lists that it feeds. */
export function reportGateway(metrics: Metrics, gateway: Gateway): void {
  const { members } = gateway;
  metrics.gauge(
    'gateway_shards',
    'Shards of this process, connected or not; at least 1',
    // Before Discord has said how many, and after the connection has ended for good, none is known.
    () => Math.max(gateway.state().shards ?? 1, 1),
  );
  metrics.gauge('gateway_shards_ready', 'Shards that are connected', () => gateway.state().shardsReady);
  metrics.gauge(
    'gateway_logins_left',
    'Logins that Discord allows the bot until its day ends; -1 while it has not said so',
    () => gateway.state().identifiesLeft ?? -1,
  );
  metrics.gauge('gateway_guilds', 'Guilds on the shards of this process', () => gateway.state().guilds);
  metrics.gauge(
    'member_guilds_complete',
    'Guilds whose member list is complete',
    () => members.stats.guilds.complete,
  );
  metrics.gauge(
    'member_guilds_loading',
    'Guilds whose member list is being read',
    () => members.stats.guilds.loading,
  );
  metrics.gauge('member_guilds_stale', 'Guilds whose member list is stale', () => members.stats.guilds.stale);
  metrics.gauge('members', 'Members in all lists', () => members.stats.members);
  metrics.gauge('member_index_bytes', 'Memory of all member lists', () => members.stats.indexBytes);
  metrics.gauge(
    'member_lists_healed',
    'Lists that differed from what Discord counts and were fixed',
    () => members.stats.resynced,
  );
}
