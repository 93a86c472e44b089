import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { startSimulator } from '../../simulator/simulator.ts';

test('neither a sent text nor the token of its webhook stays in memory', async () => {
  await using discord = await startSimulator();
  const webhook = discord.addWebhook({ guildId: null });
  const child = path.join(import.meta.dirname, 'send-heap-child.ts');
  const hex = Buffer.from(webhook.token).toString('hex');
  const { stdout } = await promisify(execFile)(process.execPath, [child, discord.apiUrl, webhook.id, hex]);
  expect(webhook.texts).toEqual([Buffer.from(webhook.token).reverse().toString(), 'two']);
  const { state, token, text, control } = JSON.parse(stdout) as Record<string, unknown>;
  expect([state, token, text]).toEqual(['sent', 0, 0]);
  // Such a search does find what is kept.
  expect(control).toBeGreaterThan(0);
});
