import * as z from 'zod';

/** Whether a socket can be opened to it. */
function isGatewayUrl(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol);
}

const count = z.number().nonnegative();

/** `GET /gateway/bot` */
export const GATEWAY_INFO = z.object({
  url: z.string().refine(isGatewayUrl, 'must be a WebSocket address'),
  shards: z.int().positive(),
  session_start_limit: z.object({
    total: count,
    remaining: count,
    reset_after: count,
    max_concurrency: count,
  }),
});

export type GatewayInfo = z.output<typeof GATEWAY_INFO>;

/** What we need of HELLO. Longer intervals than this are beyond what a timer takes. */
export const HELLO = z.object({
  heartbeat_interval: z
    .number()
    .positive()
    .max(2 ** 31 - 1),
});

/** What nobody can do without in READY. Other servers leave the address out. */
export const READY = z.object({
  session_id: z.string().min(1),
  resume_gateway_url: z.unknown().transform((url) => (isGatewayUrl(url) ? url : null)),
  user: z.object({ id: z.string() }),
  application: z.object({ id: z.string() }),
  guilds: z.array(z.object({ id: z.string() })),
});
