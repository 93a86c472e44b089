import { Events } from 'discord.js';
import type { ChatInputCommandInteraction, Interaction } from 'discord.js';
import { startSimulator } from './simulator.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';
import { connectClient } from './test-client.ts';

/** A simulator with a connected bot that answers each interaction with this function. What that throws is kept. */
export async function startBot(
  answer: (interaction: Interaction) => Promise<unknown>,
  options: SimulatorOptions = {},
) {
  const discord = await startSimulator({ guilds: [{ roles: [{ id: '901', name: 'Blue' }] }], ...options });
  const client = await connectClient(discord);
  const errors: unknown[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    answer(interaction).catch((error: unknown) => errors.push(error));
  });
  const dispose = async (): Promise<void> => {
    await client.destroy();
    await discord.close();
  };
  return { discord, client, errors, [Symbol.asyncDispose]: dispose };
}

/** The same, for slash commands only. */
export function startCommandBot(answer: (interaction: ChatInputCommandInteraction) => Promise<unknown>) {
  return startBot(async (interaction) => interaction.isChatInputCommand() && answer(interaction));
}

export function slash(discord: Simulator) {
  return discord.interact.slash('test');
}
