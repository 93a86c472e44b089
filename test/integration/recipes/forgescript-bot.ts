import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

import type { Client, Message } from 'discord.js';

import { next } from '../../simulator/test-client.ts';
import type { RecipeServer } from './recipe-server.ts';

interface Command {
  readonly compiled: { readonly code: unknown };
}

interface ForgeClient extends Client {
  readonly commands: {
    get(type: 'messageCreate'): Command[];
    add(command: Readonly<Record<string, unknown>>): void;
  };
}

const require = createRequire(import.meta.url);
// Its own types are for the other of discord.js's two builds.
const { ForgeClient, Interpreter } = require('@tryforge/forgescript') as {
  readonly ForgeClient: new (options: Readonly<Record<string, unknown>>) => ForgeClient;
  readonly Interpreter: { run(raw: Readonly<Record<string, unknown>>): Promise<unknown> };
};

export type ForgeBot = Awaited<ReturnType<typeof openForgeBot>>;

/** ForgeScript itself, as the bot of the recipes' server. It hears messages only with `events`. */
export async function openForgeBot({ discord }: RecipeServer, events: readonly string[] = []) {
  const client = new ForgeClient({
    prefixes: ['!'],
    logLevel: 0,
    intents: ['Guilds', 'GuildMessages', 'MessageContent'],
    events: [...events],
    rest: { api: discord.apiUrl },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
  });
  const ready = next(client, 'clientReady');
  await client.login(discord.bot().token);
  await ready;
  return {
    client,
    /** Runs the file of a recipe as ForgeScript's loader does, with its environment. */
    install(code: string, env: Readonly<Record<string, string>>): void {
      const module: { exports: Readonly<Record<string, unknown>> | null } = { exports: null };
      compileFunction(code, ['module', 'process'])(module, { env });
      client.commands.get('messageCreate').length = 0;
      if (module.exports !== null) client.commands.add(module.exports);
    },
    /** As its event does, which cannot be waited for. */
    async run(message: Message): Promise<void> {
      const [, ...args] = message.content.split(/ +/g);
      for (const command of client.commands.get('messageCreate'))
        await Interpreter.run({ obj: message, command, client, data: command.compiled.code, args });
    },
    close: () => client.destroy(),
  };
}
