import { ApplicationIntegrationType, InteractionContextType } from 'discord-api-types/v10';

/** Commands that need nothing of a server: in servers, in direct messages, and installed by a user alone. */
export const ANYWHERE = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

/** Commands about a server, where the bot has to be in it. */
export const IN_GUILDS = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};
