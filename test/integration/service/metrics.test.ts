import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { openMetricsServer } from '../../../src/telemetry/metrics-server.ts';
import { POLL } from '../../fixtures/poll.ts';
import { isProgramMissing } from '../../fixtures/programs.ts';
import { startDiscordApp, startTestApp } from '../../fixtures/test-app.ts';

describe('the metrics', () => {
  test('count requests by operation, status and code on a port of their own', async () => {
    await using app = await startTestApp({ METRICS_PORT: '0' });
    expect(app.logLines.at(-1)).toContain(
      `"metrics":"http://127.0.0.1:${app.app.metricsPort}/metrics","msg":"ready"`,
    );
    await app.call('/api/parse-args?text=a');
    await app.call('/api/parse-args');
    await app.call('/nowhere');
    const text = await app.metrics();
    expect(text).toContain('quartermaster_requests_total{operation="parse-args",status="200",code=""} 1');
    expect(text).toContain(
      'quartermaster_requests_total{operation="parse-args",status="400",code="missing_field"} 1',
    );
    expect(text).toContain('quartermaster_requests_total{operation="none",status="404",code="not_found"} 1');
    expect((await app.call('/metrics')).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${app.app.metricsPort}/other`)).status).toBe(404);
  });

  test('do not wait for a request that does not arrive in its time', async () => {
    const server = await openMetricsServer('127.0.0.1', 0, '1.0.0', 40);
    // Nothing is sent: what is sent to a connection that was just closed would reset it before its answer is read.
    const socket = net.connect(server.port, '127.0.0.1');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 /);
    await once(socket, 'close');
    await server.close();
  });

  test('do not wait for a request under way when the service stops', async () => {
    const server = await openMetricsServer('127.0.0.1', 0, '1.0.0');
    const socket = net.connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    // The answer to a second request shows that the first part of this one has arrived.
    socket.write('GET /metrics HTTP/1.1\r\n');
    await fetch(`http://127.0.0.1:${server.port}/metrics`);
    const cut = once(socket, 'close');
    await server.close();
    await expect(cut).resolves.toEqual([false]);
  });

  test('include all that the dashboard shows', async () => {
    const dashboard = readFileSync(
      path.resolve(import.meta.dirname, '../../../deploy/grafana-dashboard.json'),
      'utf8',
    );
    const names = new Set(dashboard.match(/\b(?:quartermaster|nodejs|process)_[a-z0-9_]+/g));
    expect(names.size).toBeGreaterThan(15);
    const guilds = [{ members: { count: 10, rolesOf: () => [] } }];
    await using app = await startDiscordApp({ guilds }, { METRICS_PORT: '0' });
    await app.call('/api/parse-args');
    const text = await app.metrics();
    for (const name of names) expect(text).toContain(name);
  });

  test('tell how many shards are expected, and how many of them are connected', async () => {
    await using app = await startDiscordApp(
      { guilds: [{}] },
      { METRICS_PORT: '0', GATEWAY_SHARD_COUNT: '2' },
    );
    const { gateway } = app.discord;
    const readShards = async () => {
      const values = (await app.metrics()).matchAll(/^quartermaster_gateway_shards(?:_ready)? (\d+)$/gm);
      return [...values].map(([, value]) => Number(value));
    };
    await expect.poll(readShards, POLL).toEqual([2, 2]);
    gateway.refuseHandshakes(520, 100_000);
    gateway.shard(1).drop();
    await expect.poll(readShards, POLL).toEqual([2, 1]);
    gateway.acceptHandshakes();
    await expect.poll(readShards, POLL).toEqual([2, 2]);
    // The token was reset: an alert that compares the two must not fall silent.
    gateway.shard(0).close(4004);
    await expect.poll(async () => (await readShards())[1], POLL).toBe(0);
    expect((await readShards())[0]).toBeGreaterThan(0);
  });

  test.skipIf(isProgramMissing('promtool'))('are accepted by Prometheus (promtool)', async () => {
    const server = await openMetricsServer('127.0.0.1', 0, '1.0.0');
    const { metrics } = server;
    const note = metrics.durations('request_duration_seconds', 'One', 'operation');
    note('parse-args', 3);
    note('parse-args', 20_000);
    metrics.counter('more_total', 'Two', 'kind')('odd "name"\\\n');
    metrics.counter('odd_total', 'Three')();
    metrics.total('kept_total', 'Four', () => 7);
    metrics.gauge('endless', 'Five', () => Infinity);
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    await server.close();
    const read = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    // What it says about names of the library is about nobody else's.
    expect(read.stderr.split('\n').filter((line) => !/^(?:nodejs_|$)/.test(line))).toEqual([]);
    expect([0, 3]).toContain(read.status);
    const series = 'quartermaster_request_duration_seconds';
    expect(text).toContain(`${series}_bucket{le="0.0025",operation="parse-args"} 0`);
    expect(text).toContain(`${series}_bucket{le="0.005",operation="parse-args"} 1`);
    expect(text).toContain(`${series}_bucket{le="+Inf",operation="parse-args"} 2`);
    expect(text).toContain(`${series}_count{operation="parse-args"} 2`);
    expect(text).toContain('quartermaster_kept_total 7');
  });

  test('have no label of a guild, a key, an IP address or a token', async () => {
    await using app = await startTestApp({ METRICS_PORT: '0' });
    const token = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`;
    await app.call(`/api/role-members?role_id=123456789012345678`);
    await app.call(`/api/role-members?role_id=123456789012345678&token=${token}`);
    await app.call('/api/key', { headers: { authorization: `${app.key.slice(0, 57)}0` } });
    await app.call('/api/image-to-base64?url=http://127.0.0.1/secret-path.png');
    const text = await app.metrics();
    for (const secret of [
      app.guildId,
      app.key.slice(20, 40),
      token.slice(0, 20),
      '127.0.0.1',
      'secret-path',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
