import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { runDeployCommands } from '../../scripts/deploy-commands/run-deploy-commands.ts';
import { loadConfig } from '../../src/config/config.ts';
import { COMMANDS } from '../../src/discord/commands/index.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { CHILD_ENV } from './service-process.ts';

const run = promisify(execFile);

/** Runs it in this process. `deployProcess` starts it as an operator does. */
async function deploy(env: Readonly<Record<string, string>>) {
  let stderr = '';
  const code = await runDeployCommands(
    () => loadConfig(env),
    (sentence) => void (stderr += `${sentence}\n`),
  );
  return { code, stderr };
}

function deployProcess(env: Readonly<Record<string, string>>) {
  return run(process.execPath, ['scripts/deploy-commands.ts'], {
    env: { ...CHILD_ENV, ...env },
  });
}

test('deploy-commands registers the commands once, and prints the invite link of the bot', async () => {
  await using discord = await startSimulator();
  const env = { DISCORD_TOKEN: discord.bot().token, DISCORD_API_URL: discord.apiUrl };
  const first = await deployProcess(env);
  expect(first.stderr).toContain(`${COMMANDS.length} commands were registered.`);
  expect(first.stderr).toContain(`client_id=${discord.bot().id}`);
  expect(discord.bot().commands).toHaveLength(COMMANDS.length);
  const again = await deploy(env);
  expect(again).toEqual({ code: 0, stderr: expect.stringContaining('up to date') });
  expect(discord.rest.callsTo('PUT /applications/:application/commands')).toHaveLength(1);
});

test('deploy-commands explains a missing token and a wrong one', async () => {
  await using discord = await startSimulator();
  await expect(deployProcess({})).rejects.toMatchObject({
    code: 1,
    stderr: 'DISCORD_TOKEN must be set to the token of the bot.\n',
  });
  const wrong = await deploy({ DISCORD_TOKEN: 'x'.repeat(60), DISCORD_API_URL: discord.apiUrl });
  expect(wrong).toEqual({ code: 1, stderr: expect.stringContaining('401') });
});
