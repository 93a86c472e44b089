import { unknownInteraction } from '../interaction-exchange.ts';
import type { InteractionExchange } from '../interaction-exchange.ts';
import { DiscordError } from '../rest-route.ts';
import type { RestRequest, RouteHandler } from '../rest-route.ts';

interface InteractionWorld {
  findExchange(token: string): InteractionExchange | null;
}

/** Answers to interactions. The token in the address identifies the bot. */
export function interactionRoutes(world: InteractionWorld) {
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

    'POST /webhooks/:application/:token': (request) => exchangeOf(request).followUp(request),

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
