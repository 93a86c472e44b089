import { Collection, type APIApplicationCommand } from 'discord.js';
import { expect, onTestFinished, test, vi } from 'vitest';

import { COMMANDS } from '../../../src/discord/commands/index.ts';
import { registerCommands } from '../../../src/discord/commands/command-registry.ts';
import { sampleOf } from '../../fixtures/full-run.ts';
import { readyClient } from '../../fixtures/ready-client.ts';
import { startSimulator } from '../../simulator/simulator.ts';

type Place = readonly (string | number)[];

/** Every place of a text, a number or a truth value. */
function* placesIn(value: unknown, path: Place = []): Generator<Place> {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) yield path;
  else for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...path, name]);
}

const isTranslation = (place: Place) => place.some((name) => String(name).endsWith('_localizations'));

/** The same with one value changed. */
function change<Value>(whole: Value, path: Place): Value {
  const copy = structuredClone(whole);
  let at = copy as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as typeof at;
  const last = path.at(-1) ?? '';
  const value = at[last];
  if (typeof value === 'boolean') at[last] = !value;
  else at[last] = typeof value === 'number' ? value + 1 : `${String(value)}1`;
  return copy;
}

/** A command as Discord answers it. */
const registeredAs = (id: number, applicationId: string, data: (typeof COMMANDS)[number]['data']) =>
  ({ ...data, id: String(id), application_id: applicationId, version: '1' }) as APIApplicationCommand;

test.each(COMMANDS.map(({ data }) => [data.name, data] as const))(
  'every single change of "%s" is noticed',
  async (_name, data) => {
    await using discord = await startSimulator();
    const bot = discord.bot();
    await using ready = await readyClient({ apiUrl: discord.apiUrl, token: bot.token, id: bot.id });
    const { commands } = ready.client.application;
    bot.commands = [registeredAs(1, bot.id, data)];
    expect((await registerCommands(commands, [data])).changed).toBe(false);

    // A few of the translations: they are compared alike, whatever their language.
    const all = [...placesIn(data)];
    const places = [
      ...all.filter((place) => !isTranslation(place)),
      ...sampleOf(all.filter(isTranslation), 7),
    ];
    // One answer of Discord has the command itself and all its changed forms.
    bot.commands = [data, ...places.map((place) => change(data, place))].map((each, at) =>
      registeredAs(at + 1, bot.id, each),
    );
    const fetched = await commands.fetch({ withLocalizations: true });
    const fetch = vi.spyOn(commands, 'fetch');
    const set = vi.spyOn(commands, 'set').mockResolvedValue(new Collection());
    onTestFinished(() => {
      fetch.mockRestore();
      set.mockRestore();
    });
    const isChanged = async (at: number) => {
      const id = String(at + 1);
      fetch.mockResolvedValue(new Collection([[id, fetched.get(id)!]]));
      return (await registerCommands(commands, [data])).changed;
    };
    expect(fetched.size).toBe(places.length + 1);
    const unseen: string[] = [];
    for (const [index, place] of places.entries()) {
      if (!(await isChanged(index + 1))) unseen.push(place.join('.'));
    }
    expect(unseen).toEqual([]);
  },
);
