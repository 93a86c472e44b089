import type { Client, Message } from 'discord.js';

import { TOKEN_PLACEHOLDER } from '../../../src/recipes/request-fields.ts';
import { environmentWith, type RecipeRunner, type Sent } from './recipe-languages.ts';
import {
  sentMessages,
  untilHeard,
  whatIsSeen,
  write,
  writtenLike,
  type RecipeServer,
} from './recipe-server.ts';
import type { Interceptor } from './interceptor.ts';

/** A bot made with a package, which makes its requests by itself. */
interface Bot {
  readonly client: Client;
  install(code: string, env: Readonly<Record<string, string>>): void;
  /** Runs the command that a message calls, to its end. */
  run(message: Message): Promise<unknown>;
}

/** Runs a recipe in its server, as somebody who may use it. */
export function runIntercepted(server: RecipeServer, interceptor: Interceptor, bot: Bot): RecipeRunner {
  return async (code, message, send, key) => {
    const { discord } = server;
    discord.rest.calls.length = 0;
    const sent: Sent[] = [];
    const directed = interceptor.direct(code, async (request) => {
      const token = request.headers['token'];
      const headers = {
        ...request.headers,
        ...(token === discord.bot().token ? { token: TOKEN_PLACEHOLDER } : {}),
      };
      sent.push({ ...request, headers });
      return send({ ...request, headers });
    });
    bot.install(directed, environmentWith(key));
    await bot.run(await untilHeard(bot.client, write(discord, message, writtenLike(message))));
    await discord.until(() => sentMessages(server).length > 0);
    return { sent, read: [], ...whatIsSeen(server) };
  };
}
