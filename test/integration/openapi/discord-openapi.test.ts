import { Routes } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { toRequest } from '../../../src/discord/commands/command-registry.ts';
import { COMMANDS } from '../../../src/discord/commands/index.ts';
import { checkDiscordBodies, isDiscordOpenapiMissing } from './discord-openapi.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';

async function send(discord: Simulator, method: string, path: string, body: unknown): Promise<void> {
  await fetch(`${discord.apiUrl}/v10${path}`, {
    method,
    headers: { Authorization: `Bot ${discord.bot().token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

// What other tests make the commands send is checked there, each time a harness is closed.
describe.skipIf(isDiscordOpenapiMissing())("Discord's own document", () => {
  test.each(COMMANDS.map(({ data }) => [data.name, data] as const))(
    'knows every field of "%s"',
    async (_name, data) => {
      await using discord = await startSimulator();
      await send(discord, 'PUT', Routes.applicationCommands(discord.bot().id), [toRequest(data)]);
      expect(discord.bot().commands).toHaveLength(1);
      checkDiscordBodies(discord);
    },
  );

  test.each([
    ['a name that is a number', [{ name: 1 }]],
    ['a description of 101 characters', [{ name: 'a', description: 'x'.repeat(101) }]],
    ['permissions as text', [{ name: 'a', description: 'x', default_member_permissions: '32' }]],
    ['an option of no type', [{ name: 'a', description: 'x', options: [{ name: 'b', description: 'c' }] }]],
  ])('rejects %s', async (_case, body) => {
    await using discord = await startSimulator();
    await send(discord, 'PUT', Routes.applicationCommands(discord.bot().id), body);
    expect(() => checkDiscordBodies(discord)).toThrow('is not what Discord documents');
  });

  test('rejects a reply with an empty container', async () => {
    await using discord = await startSimulator();
    const data = { components: [{ type: 17, components: [] }], flags: 32_768 };
    await send(discord, 'POST', Routes.interactionCallback('1', 'token'), { type: 4, data });
    expect(() => checkDiscordBodies(discord)).toThrow('callback');
  });
});
