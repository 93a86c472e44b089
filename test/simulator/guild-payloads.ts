import {
  ChannelType,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildNSFWLevel,
  GuildPremiumTier,
  GuildVerificationLevel,
  Locale,
  MessageType,
} from 'discord-api-types/v10';
import type { APIGuild, APIMessage, APIRole, APITextChannel, APIUser } from 'discord-api-types/v10';
import { bitField } from './bit-field.ts';

/** The permissions of @everyone in a guild that was just made in the Discord client. */
export const DEFAULT_PERMISSIONS = '2248473465835073';

export function makeRole(role: Pick<APIRole, 'id' | 'name'> & Partial<APIRole>): APIRole {
  return {
    description: null,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: 1,
    permissions: '0',
    managed: false,
    mentionable: false,
    flags: bitField(),
    ...role,
  } as APIRole;
}

export function makeTextChannel(id: string, guildId: string, name: string): APITextChannel {
  return {
    id,
    type: ChannelType.GuildText,
    guild_id: guildId,
    name,
    position: 0,
    permission_overwrites: [],
    nsfw: false,
    parent_id: null,
    topic: null,
    last_message_id: null,
    rate_limit_per_user: 0,
  };
}

export function makeMessage(id: string, channelId: string, author: APIUser, content: string): APIMessage {
  return {
    id,
    type: MessageType.Default,
    channel_id: channelId,
    author,
    content,
    timestamp: '2024-01-01T00:00:00.000000+00:00',
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
  };
}

export function makeGuild(
  guild: Pick<APIGuild, 'id' | 'name' | 'owner_id' | 'roles' | 'mfa_level'>,
): APIGuild {
  return {
    icon: null,
    splash: null,
    discovery_splash: null,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    emojis: [],
    features: [],
    application_id: null,
    system_channel_id: null,
    system_channel_flags: bitField(),
    rules_channel_id: null,
    max_members: 500_000,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: GuildPremiumTier.None,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    nsfw_level: GuildNSFWLevel.Default,
    stickers: [],
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
    ...guild,
  };
}
