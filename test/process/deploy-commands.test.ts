import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { COMMANDS } from '../../src/discord/commands/index.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { CHILD_ENV } from './service-process.ts';

const run = promisify(execFile);

function deploy(env: Readonly<Record<string, string>>) {
  return run(process.execPath, ['scripts/deploy-commands.ts'], {
    env: { ...CHILD_ENV, ...env },
  });
}

test('deploy-commands registers the commands once, and prints the invite link of the bot', async () => {
  await using discord = await startSimulator();
  const env = { DISCORD_TOKEN: discord.bot().token, DISCORD_API_URL: discord.apiUrl };
  const first = await deploy(env);
  expect(first.stderr).toContain(`${COMMANDS.length} commands were registered.`);
  expect(first.stderr).toContain(`client_id=${discord.bot().id}`);
  expect(discord.bot().commands).toHaveLength(COMMANDS.length);
  expect((await deploy(env)).stderr).toContain('up to date');
  expect(discord.rest.callsTo('PUT /applications/:application/commands')).toHaveLength(1);
});

test('deploy-commands explains a missing token and a wrong one', async () => {
  await using discord = await startSimulator();
  await expect(deploy({})).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DISCORD_TOKEN'),
  });
  const wrong = deploy({ DISCORD_TOKEN: 'x'.repeat(60), DISCORD_API_URL: discord.apiUrl });
  await expect(wrong).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('401') });
});
