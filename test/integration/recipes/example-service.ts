import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  EXAMPLE_GUILD_ID,
  EXAMPLE_ROLE_ID,
  OPERATION_EXAMPLES,
} from '../../../src/recipes/operation-examples.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { startTestApp, type Reply } from '../test-app.ts';

export interface ExampleRequestInit {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

export type ExampleService = Awaited<ReturnType<typeof openExampleService>>;

/** The service in surroundings in which the examples of the documents hold: their image, their guild, a bot in it. */
export async function openExampleService() {
  const holders = OPERATION_EXAMPLES['role-members']?.answer['members'] as string[];
  const discord = await startSimulator({
    guilds: [
      {
        id: EXAMPLE_GUILD_ID,
        ownerId: '345678901234567890',
        roles: [{ id: EXAMPLE_ROLE_ID, name: 'Example' }],
        members: [{ id: '345678901234567890' }, ...holders.map((id) => ({ id, roles: [EXAMPLE_ROLE_ID] }))],
      },
    ],
  });
  const token = discord.bot().token;
  const dataUri = String(OPERATION_EXAMPLES['image-to-base64']?.answer['data_uri']);
  const image = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64');
  const origin = createServer((request, response) =>
    response.end(request.url?.startsWith('/0.png') === true ? image : '<svg/>'),
  );
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve);
  });
  const app = await startTestApp({
    DISCORD_API_URL: discord.apiUrl,
    IMAGE_ALLOW_PRIVATE: 'true',
    IMAGE_RATE_LIMIT: '100000',
  });
  return {
    url: app.url,
    port: app.port,
    key: app.key,
    token,
    /** Where the image of the example is. */
    imageUrl: `http://127.0.0.1:${(origin.address() as AddressInfo).port}/0.png`,
    /** A request with the key and the token, unless headers say otherwise. */
    call: (path: string, init: ExampleRequestInit = {}): Promise<Reply> =>
      app.call(path, { ...init, headers: { token, ...init.headers } }),
    async close() {
      await app.app.close();
      await discord.close();
      origin.closeAllConnections();
      await new Promise((resolve) => {
        origin.close(resolve);
      });
    },
  };
}
