import { Collection, type APIApplicationCommand } from 'discord.js';
import { expect, test } from 'vitest';

import { COMMANDS } from '../../../src/discord/commands/index.ts';
import { registerCommands } from '../../../src/discord/commands/command-registry.ts';
import { readyClient } from '../../fixtures/ready-client.ts';
import { startSimulator } from '../../simulator/simulator.ts';

type Place = readonly (string | number)[];

/** Every place of a text, a number or a truth value. */
function* placesIn(value: unknown, path: Place = []): Generator<Place> {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) yield path;
  else for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...path, name]);
}

/** The same with one value changed. */
function change<Value>(whole: Value, path: Place): Value {
  const copy = structuredClone(whole);
  let at = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as typeof at;
  const last = path.at(-1) ?? '';
  const value = at[last];
  at[last] =
    typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}1`;
  return copy;
}

test.each(COMMANDS.map(({ data }) => [data.name, data] as const))(
  'every single change of "%s" is noticed',
  async (_name, data) => {
    await using discord = await startSimulator();
    const bot = discord.bot();
    await using ready = await readyClient({ apiUrl: discord.apiUrl, token: bot.token, id: bot.id });
    const { commands } = ready.client.application;
    const manager = {
      fetch: commands.fetch.bind(commands),
      set: async () => new Collection<string, never>(),
    };
    const registered = { ...data, id: '1', application_id: bot.id, version: '1' } as APIApplicationCommand;
    const isChanged = async (command: APIApplicationCommand) => {
      bot.commands = [command];
      return (await registerCommands(manager, [data])).changed;
    };
    expect(await isChanged(registered)).toBe(false);
    const unseen: string[] = [];
    for (const place of placesIn(data)) {
      if (!(await isChanged(change(registered, place)))) unseen.push(place.join('.'));
    }
    expect(unseen).toEqual([]);
  },
);
