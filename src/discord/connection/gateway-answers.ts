import * as z from 'zod';

/** True when a socket can be opened to this URL. */
function isGatewayUrl(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol);
}

const nonNegative = z.number().nonnegative();

/** `GET /gateway/bot` */
export const GATEWAY_INFO = z.object({
  url: z.string().refine(isGatewayUrl, 'must be a WebSocket URL'),
  shards: z.int().positive(),
  session_start_limit: z.object({
    total: nonNegative,
    remaining: nonNegative,
    reset_after: nonNegative,
    max_concurrency: nonNegative,
  }),
});

export type GatewayInfo = z.output<typeof GATEWAY_INFO>;

/** The part of HELLO that we use. The maximum is the longest interval that a Node timer takes. */
export const HELLO = z.object({
  heartbeat_interval: z
    .number()
    .positive()
    .max(2 ** 31 - 1),
});

/** The part of READY that we need. Servers other than Discord leave the URL out. */
export const READY = z.object({
  session_id: z.string().min(1),
  resume_gateway_url: z.unknown().transform((url) => (isGatewayUrl(url) ? url : null)),
  user: z.object({ id: z.string() }),
  application: z.object({ id: z.string() }),
  guilds: z.array(z.object({ id: z.string() })),
});
