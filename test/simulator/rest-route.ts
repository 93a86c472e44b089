import type { SimulatedBot } from './bot-model.ts';

/** Every route there is, as it is named in records, limits and faults. */
const ROUTES = [
  'GET /gateway',
  'GET /gateway/bot',
  'GET /applications/@me',
  'GET /oauth2/applications/@me',
  'GET /users/@me',
  'GET /users/@me/guilds',
  'GET /users/:user',
  'GET /applications/:application/commands',
  'PUT /applications/:application/commands',
  'GET /applications/:application/guilds/:guild/commands',
  'PUT /applications/:application/guilds/:guild/commands',
  'GET /guilds/:guild',
  'GET /guilds/:guild/roles',
  'POST /guilds/:guild/roles',
  'GET /guilds/:guild/roles/member-counts',
  'POST /guilds/:guild/emojis',
  'GET /guilds/:guild/members',
  'GET /guilds/:guild/members/:user',
  'PATCH /guilds/:guild/members/:user',
  'DELETE /guilds/:guild/members/:user',
  'PUT /guilds/:guild/members/:user/roles/:role',
  'DELETE /guilds/:guild/members/:user/roles/:role',
  'PUT /guilds/:guild/bans/:user',
  'GET /channels/:channel',
  'POST /channels/:channel/messages',
  'GET /channels/:channel/thread-members/:user',
  'POST /interactions/:interaction/:token/callback',
  'GET /webhooks/:application/:token',
  'POST /webhooks/:application/:token',
  'GET /webhooks/:application/:token/messages/:message',
  'PATCH /webhooks/:application/:token/messages/:message',
  'DELETE /webhooks/:application/:token/messages/:message',
] as const;

export type RouteName = (typeof ROUTES)[number];

export interface UploadedFile {
  /** The name of its form field, `files[0]` for example. */
  readonly field: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface RestRequest {
  /** Whose token was sent; null where none is needed. */
  readonly bot: SimulatedBot | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body, or the `payload_json` of a form. */
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
  /** For the audit log; null without one. */
  readonly reason: string | null;
}

export interface RestAnswer {
  readonly status: number;
  /** Written as JSON; no body at all when left out. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type RouteHandler = (request: RestRequest) => RestAnswer;

/** Discord's answer when it refuses something: a code and a sentence. */
export class DiscordError extends Error {
  readonly status: number;
  readonly code: number;
  /** The tree of field errors of code 50035. */
  readonly errors: object | undefined;

  constructor(status: number, code: number, message: string, errors?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }

  toAnswer(): RestAnswer {
    const body = { message: this.message, code: this.code, ...(this.errors ? { errors: this.errors } : {}) };
    return { status: this.status, body };
  }
}

/** 50035: `path` leads to the field, as in `components.0.custom_id`. */
export function invalidForm(path: string, code: string, message: string): DiscordError {
  let errors: object = { _errors: [{ code, message }] };
  for (const part of path.split('.').reverse()) errors = { [part]: errors };
  return new DiscordError(400, 50035, 'Invalid Form Body', errors);
}

/** The bot of a request to a route that is only for bots. */
export function requireBot(request: RestRequest): SimulatedBot {
  if (!request.bot) throw new DiscordError(401, 0, '401: Unauthorized');
  return request.bot;
}

/** Interactions are answered with the token in the address, and /gateway is for everybody. */
export function needsToken(route: RouteName): boolean {
  return route !== 'GET /gateway' && !/^\w+ \/(interactions|webhooks)\//.test(route);
}

interface Matcher {
  readonly route: RouteName;
  readonly method: string;
  readonly parts: readonly string[];
}

const MATCHERS: readonly Matcher[] = ROUTES.map((route) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, parts: path.split('/') };
});

/** A path that is not encoded well stays as it is, and no route matches it. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Finds the route of a path without `/api/v10`. A fixed part wins over a parameter because it comes first. */
export function matchRoute(
  method: string,
  path: string,
): { route: RouteName; params: Record<string, string> } | null {
  const parts = path.split('/');
  for (const matcher of MATCHERS) {
    if (matcher.method !== method || matcher.parts.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = matcher.parts.every((expected, index) => {
      const part = decodePart(parts[index] ?? '');
      if (!expected.startsWith(':')) return expected === part;
      params[expected.slice(1)] = part;
      return part !== '';
    });
    if (fits) return { route: matcher.route, params };
  }
  return null;
}
