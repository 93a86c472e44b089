import { ConfigError, type Config } from '../../src/config/config.ts';
import { toLoggable } from '../../src/telemetry/log.ts';

/** Returns the exit code. */
export async function runDeployCommands(
  readConfig: () => Pick<Config, 'discordToken' | 'discordApiUrl'>,
  tell: (sentence: string) => void,
): Promise<number> {
  try {
    const { discordToken, discordApiUrl } = readConfig();
    if (discordToken === null) throw new Error('DISCORD_TOKEN must be set to the token of the bot.');
    // Loading discord.js takes most of a second, which a forgotten token should not cost.
    const { deployCommands } = await import('./deploy-commands.ts');
    await deployCommands(discordToken, discordApiUrl, tell);
    return 0;
  } catch (error) {
    // An error of Discord's API contains the whole request, so it must not be printed as it is.
    tell(error instanceof ConfigError ? error.message : toLoggable(error).message);
    return 1;
  }
}
