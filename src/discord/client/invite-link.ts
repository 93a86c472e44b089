import { ApplicationIntegrationType, OAuth2Scopes } from 'discord-api-types/v10';

/**
 * The link that adds the bot to a server. No permission is asked for: answers to interactions, the member list
 * over the gateway and the roles of a guild need none.
 * @see https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow
 */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`,
    permissions: '0',
    integration_type: String(ApplicationIntegrationType.GuildInstall),
  });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
}
