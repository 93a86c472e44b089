import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

import type { Client, Message } from 'discord.js';

import { next } from '../../simulator/test-client.ts';
import type { RecipeServer } from './recipe-server.ts';

interface AoiClient extends Client {
  readonly cmd: {
    readonly default: { clear(): void };
    readonly awaited: { clear(): void };
    createCommand(command: Readonly<Record<string, unknown>>): void;
  };
}

const require = createRequire(import.meta.url);
// Its own types lack what a command needs.
const aoi = require('aoi.js') as {
  readonly AoiClient: new (options: Readonly<Record<string, unknown>>) => AoiClient;
};
/** The part of aoi.js that handles a message; it can be waited for here, unlike in its event. */
const runCommands = require('aoi.js/src/events/GuildMessages/commands.js') as (
  message: Message,
  client: AoiClient,
) => Promise<void>;

export type AoiBot = Awaited<ReturnType<typeof openAoiBot>>;

/** aoi.js itself, as the bot of the recipes' server. It hears messages only with `events`. */
export async function openAoiBot({ discord }: RecipeServer, events: readonly string[] = []) {
  const client = new aoi.AoiClient({
    token: discord.bot().token,
    prefix: '!',
    intents: ['Guilds', 'GuildMessages', 'MessageContent'],
    events: [...events],
    disableAoiDB: true,
    aoiWarning: false,
    aoiLogs: false,
    rest: { api: discord.apiUrl },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
  });
  await next(client, 'clientReady');
  return {
    client,
    /** Runs the file of a recipe as `loadCommands` does, with its environment. */
    install(code: string, env: Readonly<Record<string, string>>): void {
      const module = { exports: [] as Record<string, unknown>[] };
      compileFunction(code, ['module', 'process'])(module, { env });
      client.cmd.default.clear();
      client.cmd.awaited.clear();
      for (const command of module.exports) client.cmd.createCommand({ ...command, async: true });
    },
    run: (message: Message) => runCommands(message, client),
    close: () => client.destroy(),
  };
}
