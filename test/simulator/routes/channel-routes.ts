import { ChannelType } from 'discord-api-types/v10';

import type { ChannelSeed, SimulatedGuild } from '../guild-model.ts';
import { makeMessage } from '../guild-payloads.ts';
import { checkMessage } from '../message-rules.ts';
import { isObject, textOf } from '../read-json.ts';
import { DiscordError, requireBot } from '../rest-route.ts';
import type { RestRequest, RouteHandler } from '../rest-route.ts';

import type { SnowflakeSource } from '../snowflakes.ts';

const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** Channels by their id, as far as the bot of the request may see them. */
export function channelRoutes(guilds: () => Iterable<SimulatedGuild>, ids: SnowflakeSource) {
  const find = (request: RestRequest): { guild: SimulatedGuild; channel: ChannelSeed } => {
    const id = request.params['channel'] ?? '';
    for (const guild of guilds()) {
      const channel = guild.channels.get(id) ?? (id === guild.channelId ? { id } : undefined);
      if (channel === undefined) continue;
      if (!guild.bots.has(requireBot(request)) || channel.isHidden === true) {
        throw new DiscordError(403, 50001, 'Missing Access');
      }
      return { guild, channel };
    }
    throw new DiscordError(404, 10003, 'Unknown Channel');
  };

  return {
    'GET /channels/:channel': (request) => {
      const { guild, channel } = find(request);
      const isThread = channel.isLocked !== undefined || channel.members !== undefined;
      const body = {
        id: channel.id,
        type: channel.type ?? ChannelType.GuildText,
        guild_id: guild.id,
        name: `channel ${channel.id}`,
        parent_id: channel.parentId ?? null,
        // Threads have none of their own.
        ...(isThread
          ? { thread_metadata: { archived: false, locked: channel.isLocked ?? false } }
          : { permission_overwrites: channel.overwrites ?? [] }),
      };
      return { status: 200, body };
    },

    'POST /channels/:channel/messages': (request) => {
      const { guild, channel } = find(request);
      const body = isObject(request.body) ? request.body : {};
      checkMessage(body, request.files, null, FILE_BYTES_MAX);
      const { user } = requireBot(request);
      const message = makeMessage(ids.next(), channel.id, user, textOf(body['content']));
      return { status: 200, body: { ...message, guild_id: guild.id } };
    },

    'GET /channels/:channel/thread-members/:user': (request) => {
      const { channel } = find(request);
      const userId = request.params['user'] ?? '';
      if (channel.members?.includes(userId) !== true) throw new DiscordError(404, 10007, 'Unknown Member');
      return { status: 200, body: { id: channel.id, user_id: userId, flags: 0 } };
    },
  } satisfies Record<string, RouteHandler>;
}
