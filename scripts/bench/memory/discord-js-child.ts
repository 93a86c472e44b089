// The floor: a discord.js bot that is logged in and does nothing.
import { Client, Events, GatewayIntentBits } from 'discord.js';

const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers],
  rest: { api: process.env['DISCORD_API_URL'] ?? '' },
});
client.once(Events.ClientReady, () => console.log('up'));
await client.login(process.env['DISCORD_TOKEN']);
