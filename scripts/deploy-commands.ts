import { Routes, type APIApplication } from 'discord-api-types/v10';

import { ConfigError, loadConfig, readEnvironment } from '../src/config/config.ts';
import { createBotRest } from '../src/discord/connection/bot-rest.ts';
import { registerCommands } from '../src/discord/commands/registration/command-registration.ts';
import { COMMANDS } from '../src/discord/commands/index.ts';
import { inviteLink } from '../src/discord/connection/invite-link.ts';
import { toLoggable } from '../src/telemetry/log.ts';

// node scripts/deploy-commands.ts
// Registers the slash commands without starting the service, which does the same at each start.
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const { discordToken, discordApiUrl } = loadConfig(readEnvironment());
    if (discordToken === null) throw new Error('DISCORD_TOKEN must be set to the token of the bot.');
    const rest = createBotRest({ token: discordToken, apiUrl: discordApiUrl });
    const signal = AbortSignal.timeout(60_000);
    const application = (await rest.get(Routes.currentApplication(), { signal })) as APIApplication;
    const commands = COMMANDS.map(({ data }) => data);
    const { changed, ids } = await registerCommands(rest, application.id, commands, signal);
    tell(changed ? `${ids.size} commands were registered.` : `All ${ids.size} commands are up to date.`);
    tell(`Add the bot to a server: ${inviteLink(application.id)}`);
    return 0;
  } catch (error) {
    // An error of Discord's API contains the whole request, so it must not be printed as it is.
    tell(error instanceof ConfigError ? error.message : toLoggable(error).message);
    return 1;
  }
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
