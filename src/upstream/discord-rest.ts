import { createRequire } from 'node:module';

import type * as DiscordRest from '@discordjs/rest';

const require = createRequire(import.meta.url);

/**
 * The REST client of discord.js, for callers' tokens. It brings its own undici, more than 10 MiB in every process, so
 * it is loaded with the first token. It is loaded with `require` like discord.js does, so that both share one copy.
 */
export function discordRest(): typeof DiscordRest {
  return require('@discordjs/rest') as typeof DiscordRest;
}
