import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, vi } from 'vitest';

import {
  EXAMPLE_GUILD_ID,
  EXAMPLE_IMAGE_BASE64,
  EXAMPLE_IMAGE_URL,
  EXAMPLE_MEMBER_IDS,
  EXAMPLE_ROLE_ID,
} from '../../../src/operations/examples.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { POLL } from '../../fixtures/poll.ts';
import type { GuildOptions } from '../../simulator/guild-model.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { startTestApp, type Reply } from '../../fixtures/test-app.ts';

export interface ExampleRequestInit {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

export type ExampleService = Awaited<ReturnType<typeof openExampleService>>;

/** The expected answer to an example: any value of the right kind for volatile keys, and lists that may be longer. */
export function expectedAnswer({ answer, volatileKeys }: Operation['example']): Record<string, unknown> {
  const replaced = volatileKeys.map((key) => {
    const value = answer[key];
    // What a call makes has an id of its own each time.
    const isNew = Array.isArray(value) && key === 'message_ids';
    return [
      key,
      Array.isArray(value) && !isNew ? expect.arrayContaining(value) : expect.any(Object(value).constructor),
    ];
  });
  return { ...answer, ...Object.fromEntries(replaced) };
}

/**
 * The service in a world where the examples of the documents are true: their image, their guild, and a bot in it.
 * @param also further guilds, and settings
 */
export async function openExampleService(
  also: { readonly guilds?: readonly GuildOptions[]; readonly env?: Record<string, string> } = {},
) {
  const discord = await startSimulator({
    guilds: [
      {
        id: EXAMPLE_GUILD_ID,
        ownerId: '345678901234567890',
        roles: [{ id: EXAMPLE_ROLE_ID, name: 'Example' }],
        members: [
          { id: '345678901234567890' },
          ...EXAMPLE_MEMBER_IDS.map((id) => ({ id, roles: [EXAMPLE_ROLE_ID] })),
        ],
      },
      ...(also.guilds ?? []),
    ],
  });
  const { token } = discord.bot();
  const image = Buffer.from(EXAMPLE_IMAGE_BASE64, 'base64');
  const origin = createServer((request, response) =>
    response.end(request.url?.startsWith('/0.png') === true ? image : '<svg/>'),
  );
  await new Promise<void>((resolve) => {
    origin.listen(0, '127.0.0.1', resolve);
  });
  const app = await startTestApp({
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_TOKEN: token,
    IMAGE_ALLOW_PRIVATE: 'true',
    IMAGE_RATE_LIMIT: '100000',
    SEND_RATE_LIMIT: '100000',
    ...also.env,
  });
  const webhook = discord.addWebhook({ guildId: EXAMPLE_GUILD_ID });
  const key = await app.createKey({ guildId: EXAMPLE_GUILD_ID });
  const call = (path: string, init: ExampleRequestInit = {}): Promise<Reply> =>
    app.call(path, {
      ...init,
      headers: { authorization: key, token, webhook: webhook.url, ...init.headers },
    });
  await vi.waitFor(async () => {
    const { status } = await call('/api/role-counts?source=gateway');
    expect(status).toBe(200);
  }, POLL);
  const imageUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/0.png`;
  return {
    url: app.url,
    port: app.port,
    discord,
    createKey: (options: {
      readonly guildId: string;
      readonly operations?: readonly string[];
      readonly flat?: boolean;
    }) => app.createKey(options),
    key,
    token,
    webhook,
    /** The value for the header of the operation's secret. */
    secretOf: ({ secretHeader }: Operation): string => (secretHeader === 'Webhook' ? webhook.url : token),
    /** Gives the bot a role with which it may do what recipes do. It is in the answers from then on. */
    letBotAct() {
      const { id } = discord.guild().createRole({
        name: 'Bot',
        position: 9,
        permissions: String(PermissionFlagsBits.ModerateMembers),
      });
      discord.guild().updateMember(discord.bot().id, { roles: [id] });
    },
    /** Where the image of the example is. */
    imageUrl,
    /** The input of an example, with the address at which its image is here. */
    inputOf: ({ example }: Operation): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(example.input).map(([name, value]) => [
          name,
          value === EXAMPLE_IMAGE_URL ? imageUrl : value,
        ]),
      ),
    /** A request with the key, the token and the webhook, unless headers say otherwise. */
    call,
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
