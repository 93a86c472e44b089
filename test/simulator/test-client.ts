import { REST } from '@discordjs/rest';
import { Client, Events, GatewayIntentBits } from 'discord.js';
import type { ClientEvents, ClientOptions } from 'discord.js';
import type { Simulator } from './simulator.ts';

export type TestClient = Client<true> & AsyncDisposable;

/** Real discord.js on the simulator, not logged in yet. Its identifies do not wait for one another. */
export function makeClient(discord: Simulator, options: Partial<ClientOptions> = {}): Client {
  return new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
    rest: { api: discord.apiUrl },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
    ...options,
  });
}

/** Logged in and ready; destroyed at the end of the block. */
export async function connectClient(
  discord: Simulator,
  options: Partial<ClientOptions> = {},
  token = discord.bot().token,
): Promise<TestClient> {
  const client = makeClient(discord, options);
  const { promise, resolve } = Promise.withResolvers<Client<true>>();
  client.once(Events.ClientReady, resolve);
  await client.login(token);
  const ready = await promise;
  return Object.assign(ready, { [Symbol.asyncDispose]: () => ready.destroy() });
}

/** Resolves with the arguments of the next event. */
export function next<Event extends keyof ClientEvents>(
  client: Client,
  event: Event,
): Promise<ClientEvents[Event]> {
  return new Promise((resolve) => client.once(event, (...args) => resolve(args)));
}

/** Real @discordjs/rest that answers at once instead of trying again. */
export function makeRest(
  discord: Simulator,
  options: { token?: string; retries?: number; rejects?: boolean } = {},
): REST {
  const rest = new REST({
    api: discord.apiUrl,
    retries: options.retries ?? 0,
    hashSweepInterval: 0,
    handlerSweepInterval: 0,
    ...((options.rejects ?? true) ? { rejectOnRateLimit: () => true } : {}),
  });
  return rest.setToken(options.token ?? discord.bot().token);
}
