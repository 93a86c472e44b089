/**
 * Programs to compare with, as their authors would start them: plain JavaScript, because Node keeps 15 MiB for a
 * TypeScript file that it has not seen before. Each prints something when it is up.
 */
export const BARE_EXPRESS = `
  import express from 'express';
  const app = express();
  app.get('/', (request, response) => response.json({}));
  app.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log('up'));`;

/** Logged in, and does nothing. */
export const BARE_DISCORD_JS = `
  import { Client, Events, GatewayIntentBits } from 'discord.js';
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
    rest: { api: process.env.DISCORD_API_URL },
  });
  client.once(Events.ClientReady, () => console.log('up'));
  await client.login(process.env.DISCORD_TOKEN);`;
