import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  Routes,
  type APIApplication,
  type APIUser,
  type Client,
  type GatewayReadyDispatch,
} from 'discord.js';

import { createClient, inviteLink } from '../../src/discord/client/create-client.ts';
import { OwnShardingStrategy } from '../../src/discord/client/own-sharding-strategy.ts';
import { registerCommands } from '../../src/discord/commands/command-registry.ts';
import { COMMANDS } from '../../src/discord/commands/index.ts';
import { createLog } from '../../src/telemetry/log.ts';

export async function deployCommands(
  token: string,
  apiUrl: string,
  tell: (sentence: string) => void,
): Promise<void> {
  const client = createClient({
    apiUrl,
    log: createLog('silent'),
    buildStrategy(manager) {
      const strategy = new OwnShardingStrategy(manager, {
        open: async () => strategy.ready(await readyByRest(client)),
        close: async () => {},
      });
      return strategy;
    },
  });
  await client.login(token);
  const { application } = client;
  if (application === null) throw new Error('Discord does not say which application this is.');
  const commands = COMMANDS.map(({ data }) => data);
  const { changed, ids } = await registerCommands(application.commands, commands);
  tell(changed ? `${ids.size} commands were registered.` : `All ${ids.size} commands are up to date.`);
  tell(`Add the bot to a server: ${inviteLink(application.id)}`);
  await client.destroy();
}

/** Asks REST for all that the client has to know of the bot. A gateway would cost one of the identifies of the day. */
async function readyByRest({ rest }: Client): Promise<GatewayReadyDispatch> {
  const application = (await rest.get(Routes.currentApplication())) as APIApplication;
  const user = (await rest.get(Routes.user())) as APIUser;
  return {
    op: GatewayOpcodes.Dispatch,
    t: GatewayDispatchEvents.Ready,
    s: 1,
    d: { v: 10, user, application, guilds: [], session_id: '', resume_gateway_url: '' },
  };
}
