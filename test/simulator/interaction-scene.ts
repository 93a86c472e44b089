import {
  ApplicationIntegrationType,
  ChannelType,
  InteractionContextType,
  Locale,
} from 'discord-api-types/v10';
import type { APIBaseInteraction, APIGuildMember, APIUser, InteractionType } from 'discord-api-types/v10';
import type { SimulatedBot } from './bot-model.ts';
import type { SimulatedGuild } from './guild-model.ts';
import { toMember, toUser } from './member-store.ts';
import type { MemberRecord } from './member-store.ts';
import type { SnowflakeSource } from './snowflakes.ts';

/** The user who does something, and the place. By default the owner of the bot's first guild, in that guild. */
export interface InteractionScene {
  readonly bot?: SimulatedBot;
  /** Null: not in a guild. A guild in which the bot is not is one where its user has installed it. */
  readonly guildId?: string | null;
  readonly userId?: string;
  /** Where no guild is named: the chat with the bot when left out. */
  readonly context?: InteractionContextType;
  /** By default the guild if the bot is in it, else the user. */
  readonly installedBy?: 'guild' | 'user' | 'both';
  /** The member's permissions; by default what its roles allow. */
  readonly permissions?: bigint;
  /** The bot's permissions there; by default what its roles allow. */
  readonly appPermissions?: bigint;
  readonly locale?: `${Locale}`;
  /** Bytes of a file; 10 MiB when left out, as on Discord. */
  readonly attachmentSizeLimit?: number;
}

export interface SceneWorld {
  readonly ids: SnowflakeSource;
  readonly bots: readonly SimulatedBot[];
  listGuilds(): readonly SimulatedGuild[];
  findUser(id: string): APIUser | null;
}

/** The fields that every interaction has; `token` and `id` are new. */
type SceneFields = Omit<APIBaseInteraction<InteractionType, never>, 'type' | 'data' | 'message'>;

/** A scene with all its defaults filled in. */
export interface StagedScene {
  readonly bot: SimulatedBot;
  /** Null outside of guilds, and in one that the simulator does not know. */
  readonly guild: SimulatedGuild | null;
  readonly fields: SceneFields;
}

export function stageScene(scene: InteractionScene, world: SceneWorld): StagedScene {
  const bot = scene.bot ?? world.bots[0];
  if (!bot) throw new Error('There is no bot to send an interaction to.');
  const guildId = findGuildId(scene, bot, world);
  const guild = world.listGuilds().find((each) => each.id === guildId) ?? null;
  const userId = scene.userId ?? guild?.ownerId ?? world.ids.next();
  const context =
    guildId === null ? (scene.context ?? InteractionContextType.BotDM) : InteractionContextType.Guild;
  const id = world.ids.next();
  const channelId = guild?.channelId ?? world.ids.next();
  const channelType =
    context === InteractionContextType.PrivateChannel ? ChannelType.GroupDM : ChannelType.DM;
  const fields: SceneFields = {
    id,
    application_id: bot.id,
    token: `interaction-token-${id}`,
    version: 1,
    channel_id: channelId,
    channel: { id: channelId, type: guildId === null ? channelType : ChannelType.GuildText },
    app_permissions: String(scene.appPermissions ?? guild?.permissionsOf(bot.id) ?? 0n),
    locale: Object.values(Locale).find((locale) => locale === scene.locale) ?? Locale.EnglishUS,
    entitlements: [],
    authorizing_integration_owners: ownersOf(scene, { bot, guild, guildId, userId, context }),
    context,
    attachment_size_limit: scene.attachmentSizeLimit ?? 10 * 1024 * 1024,
    ...(guildId === null
      ? { user: world.findUser(userId) ?? toUser(strangerRecord(userId)) }
      : {
          guild_id: guildId,
          guild: { id: guildId, features: [], locale: Locale.EnglishUS },
          guild_locale: Locale.EnglishUS,
          member: {
            ...memberOf(guild, userId),
            permissions: String(scene.permissions ?? guild?.permissionsOf(userId) ?? 0n),
          },
        }),
  };
  return { bot, guild, fields };
}

function findGuildId(scene: InteractionScene, bot: SimulatedBot, world: SceneWorld): string | null {
  if (scene.guildId !== undefined) return scene.guildId;
  if (scene.context !== undefined && scene.context !== InteractionContextType.Guild) return null;
  return world.listGuilds().find((guild) => guild.bots.has(bot))?.id ?? null;
}

/** A user who is not a member of a known guild gets a payload too, as commands come from everywhere. */
function memberOf(guild: SimulatedGuild | null, userId: string): APIGuildMember & { user: APIUser } {
  const record = guild?.members.get(userId) ?? strangerRecord(userId);
  return { ...(guild?.toMember(record) ?? toMember(record)), user: toUser(record) };
}

function strangerRecord(id: string): MemberRecord {
  return { id, username: `user${id}`, roles: [], nick: null, bot: false };
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object */
function ownersOf(
  scene: InteractionScene,
  at: {
    bot: SimulatedBot;
    guild: SimulatedGuild | null;
    guildId: string | null;
    userId: string;
    context: InteractionContextType;
  },
): Partial<Record<ApplicationIntegrationType, string>> {
  const isInGuild = at.guild?.bots.has(at.bot) ?? at.context === InteractionContextType.BotDM;
  const installedBy = scene.installedBy ?? (isInGuild ? 'guild' : 'user');
  return {
    ...(installedBy === 'user' ? {} : { [ApplicationIntegrationType.GuildInstall]: at.guildId ?? '0' }),
    ...(installedBy === 'guild' ? {} : { [ApplicationIntegrationType.UserInstall]: at.userId }),
  };
}
