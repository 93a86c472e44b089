import { compileFunction } from 'node:vm';

import {
  ChannelType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import { Partials, type Client, type Message } from 'discord.js';

import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../../../src/operations/examples.ts';
import { TOKEN_PLACEHOLDER } from '../../../src/recipes/request-fields.ts';
import { makeMessage } from '../../simulator/guild-payloads.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { connectClient } from '../../simulator/test-client.ts';
import { environmentWith, filledByOf, type RecipeRunner, type Sent } from './recipe-languages.ts';

const MODERATOR_ID = '310000000000000001';
/** Owns the server, and has no role. */
export const OWNER_ID = '300000000000000000';
/** May do everything. */
const ADMIN_ID = '310000000000000004';
export const HELPER_ID = '310000000000000002';
/** Has the highest role of all members. */
export const ABOVE_ID = '310000000000000003';
/** Has a role above the bot's. */
export const TOP_ID = '310000000000000005';
export const [TARGET_ID = '', OTHER_ID = ''] = EXAMPLE_MEMBER_IDS;
/** The permissions of the moderator and of the bot. */
const PERMISSIONS = String(
  PermissionFlagsBits.ModerateMembers |
    PermissionFlagsBits.ManageRoles |
    PermissionFlagsBits.ManageMessages |
    PermissionFlagsBits.ManageGuildExpressions |
    PermissionFlagsBits.ViewChannel |
    PermissionFlagsBits.SendMessages,
);

export type RecipeServer = Awaited<ReturnType<typeof openRecipeServer>>;

/** A server with a bot that may do what recipes do, a moderator, and a member who may do nothing. */
export async function openRecipeServer() {
  const discord = await startSimulator({
    bots: [{ privilegedIntents: ['GuildMembers', 'MessageContent'] }],
    guilds: [
      {
        id: EXAMPLE_GUILD_ID,
        ownerId: OWNER_ID,
        roles: [
          { id: EXAMPLE_ROLE_ID, name: 'Example', position: 1 },
          { id: '320000000000000001', name: 'Moderator', position: 5, permissions: PERMISSIONS },
          { id: '320000000000000002', name: 'Bot', position: 9, permissions: PERMISSIONS },
          { id: '320000000000000003', name: 'Above', position: 7 },
          { id: '320000000000000005', name: 'Top', position: 10 },
          {
            id: '320000000000000004',
            name: 'Admin',
            position: 8,
            permissions: String(PermissionFlagsBits.Administrator),
          },
        ],
        members: [
          { id: OWNER_ID },
          { id: MODERATOR_ID, roles: ['320000000000000001'] },
          { id: HELPER_ID },
          { id: TARGET_ID, roles: [EXAMPLE_ROLE_ID] },
          { id: OTHER_ID, roles: [EXAMPLE_ROLE_ID] },
          { id: ABOVE_ID, roles: ['320000000000000003'] },
          { id: TOP_ID, roles: ['320000000000000005'] },
          { id: ADMIN_ID, roles: ['320000000000000004'] },
        ],
      },
    ],
  });
  const guild = discord.guild();
  const bot = guild.members.get(discord.bot().id);
  if (bot === null || bot === undefined) throw new Error('The bot is not in its guild');
  guild.members.set({ ...bot, roles: ['320000000000000002'] });
  const client = await connectClient(discord, {
    // With it, a bot hears direct messages.
    partials: [Partials.Channel],
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
  });
  return {
    discord,
    client,
    async close() {
      await client.destroy();
      await discord.close();
    },
  };
}

/** Passed to a recipe of discord.js beside its client. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** Runs a recipe as a file of the bot does. Only what it asks of the service goes by `fetch`. */
export function install(client: Client, code: string, { env, fetch }: Surroundings): void {
  client.removeAllListeners('messageCreate');
  const run = compileFunction(code, ['client', 'process', 'console', 'fetch']);
  run(client, { env }, { error: () => {} }, fetch);
}

/** Everything that a command has sent and made in its server. */
export function whatIsSeen(server: RecipeServer): { messages: string[]; text: string } {
  const { rest } = server.discord;
  const replies = sentMessages(server);
  const made = rest.callsTo('POST /guilds/:guild/roles').map(({ body }) => body);
  const emojis = rest.callsTo('POST /guilds/:guild/emojis').map(({ body }) => body);
  return {
    messages: [
      ...replies.filter((each) => !isReply(each)).map(field('content')),
      ...emojis.map(field('image')),
    ],
    text: [...replies.filter(isReply).map(field('content')), ...made.map(field('permissions'))].join('\n'),
  };
}

/** The messages that the bot has sent to the channel. */
export function sentMessages({ discord }: RecipeServer): readonly Record<string, unknown>[] {
  return discord.rest
    .callsTo('POST /channels/:channel/messages')
    .map(({ body }) => body as Record<string, unknown>);
}

interface Written {
  readonly by?: string;
  readonly isBot?: boolean;
  /** False: in a direct message. */
  readonly inServer?: boolean;
  readonly attachment?: string;
  readonly roleIds?: readonly string[];
}

let lastId = 1_300_000_000_000_000_000n;

/** Somebody writes a message. @returns its id */
export function write(discord: Simulator, content: string, written: Written = {}): string {
  const { by = MODERATOR_ID, isBot = false, inServer = true, attachment, roleIds = [] } = written;
  const guild = discord.guild();
  const user = discord.findUser(by);
  const record = guild.members.get(by);
  if (user === null || !record) throw new Error(`There is no user ${by}`);
  lastId += 1n;
  const { user: _, ...member } = guild.toMember(record);
  const message = {
    ...makeMessage(
      String(lastId),
      inServer ? guild.channelId : '330000000000000001',
      { ...user, bot: isBot },
      content,
    ),
    mention_roles: [...roleIds],
    mentions: [],
    attachments: attachment === undefined ? [] : [picture(String(lastId), attachment)],
  };
  discord.dispatch(guild, GatewayDispatchEvents.MessageCreate, {
    ...message,
    ...(inServer ? { guild_id: guild.id, member } : { channel_type: ChannelType.DM }),
  });
  return message.id;
}

/**
 * A message as this bot hears it. Every bot hears every message, each over a connection of its own, so one that was
 * written for another may come first.
 */
export function untilHeard(client: Client, messageId: string): Promise<Message> {
  return new Promise((resolve) => {
    const listen = (message: Message) => {
      if (message.id !== messageId) return;
      client.off('messageCreate', listen);
      resolve(message);
    };
    client.on('messageCreate', listen);
  });
}

function picture(id: string, url: string) {
  return { id, filename: 'picture.png', size: 70, url, proxy_url: url, content_type: 'image/png' };
}

const isReply = ({ message_reference: reference }: Record<string, unknown>) => reference !== undefined;
const field = (name: string) => (body: unknown) => String((body as Record<string, unknown>)[name]);

/** Adds what comes with a message: the picture, the role or the author that it names. */
export function writtenLike(message: string): Written {
  const subject = message.split(' ')[1] ?? '';
  const filledBy = filledByOf(message);
  return {
    ...(message.startsWith('!makerole') ? { by: ADMIN_ID } : {}),
    ...(filledBy === 'user' ? { by: subject } : {}),
    ...(subject.startsWith('http') ? { attachment: subject } : {}),
    ...(filledBy === 'role' ? { roleIds: [subject] } : {}),
  };
}

/** Runs a recipe in its server, as somebody who may use it. Requests go to `send`, in place of the network. */
export function runDiscordJsIn(server: RecipeServer): RecipeRunner {
  return async (code, message, send, key) => {
    const { discord, client } = server;
    discord.rest.calls.length = 0;
    const sent: Sent[] = [];
    const fetchRecorded = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
      const headers = Object.fromEntries(
        Object.entries((init.headers ?? {}) as Record<string, string>).map(([name, value]) => [
          name,
          value === client.token ? TOKEN_PLACEHOLDER : value,
        ]),
      );
      const { method = 'GET', body } = init;
      const request = { method, url: String(input), headers, ...(typeof body === 'string' ? { body } : {}) };
      sent.push(request);
      const answer = await send(request);
      return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
    };
    install(client, code, { env: environmentWith(key), fetch: fetchRecorded });
    const [listener] = client.listeners('messageCreate');
    client.removeAllListeners('messageCreate');
    const given = await untilHeard(client, write(discord, message, writtenLike(message)));
    await (listener?.(given) as unknown as Promise<void>);
    return { sent, read: [], ...whatIsSeen(server) };
  };
}
