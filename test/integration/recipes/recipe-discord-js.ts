import type { Player, Sent } from './recipe-languages.ts';

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** A collection as far as it is looked at. */
const first = <Value>(value: Value) => ({ first: () => value });

/** Runs a recipe as it is, with a message and a guild that record what happens to them. */
export const playDiscordJs: Player = async (code, message, send) => {
  const played = { sent: [] as Sent[], read: [] as string[], messages: [] as string[] };
  const texts: string[] = [];
  /** What the command is about: a picture that comes with it, a role that it mentions. */
  const subject = message.split(' ').slice(1).join(' ');
  const surroundings = {
    content: message,
    author: { id: subject },
    guildId: subject,
    attachments: first({ url: subject }),
    mentions: { roles: first({ id: subject }) },
    client: { token: 'YOUR_BOT_TOKEN' },
    channel: {
      send: async (content: string) => {
        played.messages.push(content);
      },
    },
    reply: async (content: string) => {
      texts.push(content);
    },
    guild: {
      members: {
        fetch: async (id: string) => ({
          timeout: async (ms: number, reason?: string) => {
            texts.push(`${id} ${ms} ${reason}`);
          },
        }),
      },
      roles: {
        create: async ({ permissions }: { permissions: bigint }) => {
          texts.push(String(permissions));
        },
      },
      emojis: {
        create: async ({ attachment }: { attachment: string }) => {
          played.messages.push(attachment);
        },
      },
    },
  };
  const fetchOnce = async (
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const { method = 'GET', headers = {}, body } = init;
    const sent = { method, url, headers, ...(body === undefined ? {} : { body }) };
    played.sent.push(sent);
    return { json: () => send(sent), text: async () => String(await send(sent)) };
  };
  await new AsyncFunction('message', 'fetch', code)(surroundings, fetchOnce);
  return { ...played, text: texts.join('\n') };
};
