import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  Routes,
  type APIApplication,
  type APIUser,
  type Client,
  type GatewayReadyDispatch,
} from 'discord.js';

import { ConfigError, loadConfig } from '../src/config/config.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { createClient, inviteLink } from '../src/discord/client/create-client.ts';
import { OwnShardingStrategy } from '../src/discord/client/own-sharding-strategy.ts';
import { registerCommands } from '../src/discord/commands/command-registry.ts';
import { COMMANDS } from '../src/discord/commands/index.ts';
import { createLog, toLoggable } from '../src/telemetry/log.ts';

// node scripts/deploy-commands.ts
// Registers the slash commands without starting the service, which does the same at each start.
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { discordToken, discordApiUrl } = loadConfig(readEnvironment());
    if (discordToken === null) throw new Error('DISCORD_TOKEN must be set to the token of the bot.');
    const client = createClient({
      apiUrl: discordApiUrl,
      log: createLog('silent'),
      buildStrategy(manager) {
        const strategy = new OwnShardingStrategy(manager, {
          open: async () => strategy.ready(await readyByRest(client)),
          close: async () => {},
        });
        return strategy;
      },
    });
    await client.login(discordToken);
    const { application } = client;
    if (application === null) throw new Error('Discord does not say which application this is.');
    const commands = COMMANDS.map(({ data }) => data);
    const { changed, ids } = await registerCommands(application.commands, commands);
    tell(changed ? `${ids.size} commands were registered.` : `All ${ids.size} commands are up to date.`);
    tell(`Add the bot to a server: ${inviteLink(application.id)}`);
    await client.destroy();
    return 0;
  } catch (error) {
    // An error of Discord's API contains the whole request, so it must not be printed as it is.
    tell(error instanceof ConfigError ? error.message : toLoggable(error).message);
    return 1;
  }
}

/** Asks REST for all that the client has to know of the bot. A gateway would cost one of the logins of the day. */
async function readyByRest({ rest }: Client): Promise<GatewayReadyDispatch> {
  const application = (await rest.get(Routes.currentApplication())) as APIApplication;
  const user = (await rest.get(Routes.user())) as APIUser;
  return {
    op: GatewayOpcodes.Dispatch,
    t: GatewayDispatchEvents.Ready,
    s: 1,
    d: { v: 10, user, application, guilds: [], session_id: '', resume_gateway_url: '' },
  };
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
