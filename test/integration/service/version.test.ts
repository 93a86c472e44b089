import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';

import { readBuildVersion } from '../../../src/config/build-version.ts';
import { VERSION } from '../../../src/kernel/version.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { toReadableLine } from '../../../src/telemetry/readable-line.ts';
import { startTestApp } from '../../fixtures/test-app.ts';

const version = readBuildVersion({});

test('the version and its commit appear where operators and callers look', async () => {
  await using app = await startTestApp({ METRICS_PORT: '0', IMAGE_ALLOW_PRIVATE: 'true' });
  const start = app.logLines.find((line) => line.includes('"msg":"ready"')) ?? '{}';
  expect(JSON.parse(start)).toMatchObject({ version, docs: `http://localhost:${app.port}/docs` });
  expect((await app.call('/health/ready')).body).toMatchObject({ version });
  expect((await app.call('/openapi.json')).body).toMatchObject({ info: { version: VERSION } });
  const metrics = await fetch(`http://127.0.0.1:${app.app.metricsPort}/metrics`);
  expect(await metrics.text()).toContain(`quartermaster_build_info{version="${version}"} 1`);
  const page = await fetch(`${app.url}/docs`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain(`>Version ${version}</a>`);
});

test.each([
  ['the address in PUBLIC_URL', { PUBLIC_URL: 'https://qm.example' }, () => 'https://qm.example'],
  ['the port that was free', {}, (port: number) => `http://localhost:${port}`],
])('the service sends its version and %s to the hosts of images', async (_, env, publicUrl) => {
  const origin = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void origin.close());
  await once(origin, 'listening');
  const seen = once(origin, 'request').then(([request, response]) => {
    (response as ServerResponse).end();
    return (request as IncomingMessage).headers['user-agent'];
  });
  await using app = await startTestApp({ IMAGE_ALLOW_PRIVATE: 'true', ...env });
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/0.png`;
  await app.postJson('/api/image-to-base64', { url });
  expect(await seen).toBe(`Quartermaster/${version} (+${publicUrl(app.port)})`);
});

test('the newest version in the changelog is the running one', () => {
  const text = readFileSync(new URL('../../../docs/changelog.md', import.meta.url), 'utf8');
  expect(/^## (\d\S*)/m.exec(text)?.[1]).toBe(VERSION);
});

test('the service writes a readable line for a terminal, in which secrets are masked as elsewhere', () => {
  const lines: string[] = [];
  const log = createLog('info', {
    destination: { write: (line) => void lines.push(line) },
    format: toReadableLine,
  });
  log.info({ port: 3000 }, `token MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('INFO');
  expect(lines[0]).toContain('{"port":3000}');
  expect(lines[0]).toContain('token');
  expect(lines[0]).not.toContain('xxxxx');
});
