import { GatewayDispatchEvents, GatewayIntentBits } from 'discord-api-types/v10';
import type { GatewayDispatchPayload } from 'discord-api-types/v10';

type Payload<Event extends GatewayDispatchEvents> = Extract<GatewayDispatchPayload, { t: Event }>;

/** The `d` of a dispatch, by its name. */
export type DispatchData<Event extends GatewayDispatchEvents> = Payload<Event>['d'];

/** The intent without which a dispatch is not sent: https://docs.discord.com/developers/events/gateway#list-of-intents */
const INTENTS: Partial<Record<GatewayDispatchEvents, GatewayIntentBits>> = {
  [GatewayDispatchEvents.GuildCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildUpdate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildRoleCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildRoleUpdate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildRoleDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelCreate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelUpdate]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.ChannelDelete]: GatewayIntentBits.Guilds,
  [GatewayDispatchEvents.GuildMemberAdd]: GatewayIntentBits.GuildMembers,
  [GatewayDispatchEvents.GuildMemberUpdate]: GatewayIntentBits.GuildMembers,
  [GatewayDispatchEvents.GuildMemberRemove]: GatewayIntentBits.GuildMembers,
  [GatewayDispatchEvents.PresenceUpdate]: GatewayIntentBits.GuildPresences,
  [GatewayDispatchEvents.MessageCreate]: GatewayIntentBits.GuildMessages,
};

/** True when a session that asked for these intents gets this dispatch. */
export function isWanted(event: GatewayDispatchEvents, intents: number): boolean {
  const intent = INTENTS[event];
  return intent === undefined || (intents & intent) !== 0;
}

/** The privileged intents. A client that asks for one that is not switched on is closed with 4014. */
export const PRIVILEGED_INTENTS =
  GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;
