import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { POST } from '../integration/send/deliveries-setup.ts';
import { longText } from '../integration/send/send-http-setup.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import type { SimulatedWebhook } from '../simulator/webhooks.ts';
import { makeKey, newFolder, startProcess } from './service-process.ts';

type Body = Readonly<Record<string, unknown>>;

const read = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as Body,
});

/** Two starts of the service on the same storage, and a key that may use any webhook. */
async function openWorld(discord: Simulator, env: Record<string, string> = {}) {
  const folder = newFolder();
  const STORAGE_URL = `sqlite://${folder}/store.sqlite`;
  const key = await makeKey(STORAGE_URL);
  const webhook = discord.addWebhook({ guildId: null });
  return {
    webhook,
    folder,
    start: async () => {
      const service = startProcess({ STORAGE_URL, DISCORD_API_URL: discord.apiUrl, ...env });
      const url = `http://127.0.0.1:${await service.ready()}/api/send`;
      return {
        ...service,
        send: async (text: string, to: SimulatedWebhook = webhook, headers: Record<string, string> = {}) =>
          read(
            await fetch(url, {
              method: 'POST',
              body: text,
              headers: { authorization: key, webhook: to.url, 'content-type': 'text/plain', ...headers },
            }),
          ),
      };
    },
  };
}

test('SIGTERM stops a text after the current message and reports the rest, which can be sent after the restart', async () => {
  await using discord = await startSimulator();
  const { webhook, start } = await openWorld(discord);
  const first = await start();
  const gate = discord.rest.faults.hold(POST);
  const sending = first.send(longText(4));
  await gate.reached;
  const waiting = first.send('waits for the same webhook');
  // It has reached the service by the time at which a later one is done.
  const other = discord.addWebhook({ guildId: null });
  expect((await first.send('passes', other)).body).toMatchObject({ state: 'sent' });
  first.child.kill('SIGTERM');
  await first.line('"msg":"stopping"');
  // What only waited ends at once.
  expect((await waiting).body).toMatchObject({ status: 503, code: 'shutting_down' });
  gate.release();
  const { status, body } = await sending;
  expect([status, body]).toMatchObject([200, { state: 'stopped', sent: 1, total: 4, uncertain: false }]);
  expect(await first.exited).toBe(0);
  expect(webhook.messages).toHaveLength(1);

  const second = await start();
  expect((await second.send(String(body['rest']))).body).toMatchObject({ state: 'sent', sent: 3 });
  expect(webhook.texts.join('\n\n')).toBe(longText(4));
});

test('a message without an answer is reported as uncertain before the shutdown ends', async () => {
  await using discord = await startSimulator();
  const { start } = await openWorld(discord, { SHUTDOWN_TIMEOUT_MS: '3500' });
  const service = await start();
  const gate = discord.rest.faults.hold(POST);
  const sending = service.send(longText(2));
  await gate.reached;
  service.child.kill('SIGTERM');
  expect((await sending).body).toMatchObject({ state: 'stopped', sent: 0, uncertain: true });
  expect(await service.exited).toBe(0);
  gate.release();
});

test('storage and output never contain a text, a webhook or an Idempotency-Key', async () => {
  await using discord = await startSimulator();
  const { webhook, folder, start } = await openWorld(discord, { LOG_LEVEL: 'trace' });
  const service = await start();
  const wrong = { 'idempotency-key': 'my-key-2', webhook: `${webhook.id}/${'w'.repeat(68)}` };
  const sent = await service.send(longText(2), webhook, { 'idempotency-key': 'my-key-1' });
  expect(sent.body).toMatchObject({ state: 'sent' });
  expect((await service.send(longText(2), webhook, wrong)).body).toMatchObject({ code: 'unknown_webhook' });
  discord.rest.faults.drop(POST);
  const stopped = await service.send(longText(2), webhook, { 'idempotency-key': 'my-key-3' });
  expect(stopped.body).toMatchObject({ state: 'stopped', uncertain: true });
  service.child.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
  expect(files).not.toEqual([]);
  const everything = [...files, service.output.stdout, service.output.stderr].join('\n');
  expect(everything).toContain('"msg":"delivery"');
  for (const secret of [webhook.token, 'w'.repeat(68), 'word word', 'my-key-']) {
    expect(everything).not.toContain(secret);
  }
});
