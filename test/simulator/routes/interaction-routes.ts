import { unknownInteraction } from '../interaction-exchange.ts';
import type { InteractionExchange } from '../interaction-exchange.ts';
import { DiscordError } from '../rest-route.ts';
import type { RestRequest, RouteHandler } from '../rest-route.ts';
import type { SimulatedWebhook } from '../webhooks.ts';

interface InteractionWorld {
  findExchange(token: string): InteractionExchange | null;
}

/** Answers to interactions, and webhooks of servers: both are called with a token in the address. */
export function interactionRoutes(world: InteractionWorld, webhooks: ReadonlyMap<string, SimulatedWebhook>) {
  const webhookOf = ({ params }: RestRequest): SimulatedWebhook | null => {
    const webhook = webhooks.get(params['application'] ?? '');
    if (webhook === undefined) return null;
    if (webhook.isDeleted) throw new DiscordError(404, 10015, 'Unknown Webhook');
    if (webhook.token !== params['token']) throw new DiscordError(401, 50027, 'Invalid Webhook Token');
    return webhook;
  };
  const exchangeOf = ({ params }: RestRequest): InteractionExchange => {
    const exchange = world.findExchange(params['token'] ?? '');
    if (!exchange || exchange.bot.id !== params['application'])
      throw new DiscordError(404, 10015, 'Unknown Webhook');
    return exchange;
  };

  return {
    'POST /interactions/:interaction/:token/callback': (request) => {
      const exchange = world.findExchange(request.params['token'] ?? '');
      if (!exchange || exchange.interaction.id !== request.params['interaction']) throw unknownInteraction();
      return exchange.respond(request);
    },

    'GET /webhooks/:application/:token': (request) => {
      const webhook = webhookOf(request);
      if (webhook === null) throw new DiscordError(404, 10015, 'Unknown Webhook');
      return webhook.describe();
    },

    'POST /webhooks/:application/:token': (request) =>
      webhookOf(request)?.execute(request) ?? exchangeOf(request).followUp(request),

    'GET /webhooks/:application/:token/messages/:message': (request) => {
      return exchangeOf(request).show(request.params['message'] ?? '');
    },

    'PATCH /webhooks/:application/:token/messages/:message': (request) => {
      return exchangeOf(request).edit(request.params['message'] ?? '', request);
    },

    'DELETE /webhooks/:application/:token/messages/:message': (request) => {
      return exchangeOf(request).delete(request.params['message'] ?? '');
    },
  } satisfies Record<string, RouteHandler>;
}
