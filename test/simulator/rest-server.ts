import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SimulatedBot } from './bot-model.ts';
import type { Progress } from './progress.ts';
import { isObject } from './read-json.ts';
import { RestFaults } from './rest-faults.ts';
import type { RestCall } from './rest-faults.ts';
import { RestLimits } from './rest-limits.ts';
import { decodePart, DiscordError, matchRoute, needsToken } from './rest-route.ts';
import type { RestAnswer, RouteHandler, RouteName, UploadedFile } from './rest-route.ts';

/** Discord takes 25 MiB in a request. */
const BODY_BYTES_MAX = 25 * 1024 * 1024;
/** The oldest calls are forgotten so that a simulator may run for days. */
const CALLS_MAX = 20_000;

interface RestWorld {
  readonly progress: Progress;
  findBot(token: string): SimulatedBot | null;
}

/** The HTTP side of Discord. */
export class RestServer {
  /** Oldest first; the last 20,000. */
  readonly calls: RestCall[] = [];
  readonly faults = new RestFaults();
  readonly limits = new RestLimits();
  readonly #world: RestWorld;
  readonly #handlers: Readonly<Record<RouteName, RouteHandler>>;

  constructor(world: RestWorld, handlers: Readonly<Record<RouteName, RouteHandler>>) {
    this.#world = world;
    this.#handlers = handlers;
  }

  callsTo(route: RouteName): RestCall[] {
    return this.calls.filter((call) => call.route === route);
  }

  /** Answers a request under /api. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.replace(/^\/api(\/v\d+)?/, '');
    const method = request.method ?? 'GET';
    const match = matchRoute(method, path);
    const content = await readBody(request).catch(() => 'aborted' as const);
    // A client that went away while sending gets no answer, and no call is recorded.
    if (content === 'aborted') return;
    const call: RestCall = {
      method,
      route: match?.route ?? null,
      path: decodePart(path),
      query: searchParams,
      authorization: request.headers.authorization ?? null,
      body: content?.body,
      reason: readReason(request),
      at: Date.now(),
      status: null,
    };
    this.#record(call);
    const fault = this.faults.take(call.route);
    if (fault?.kind === 'hold') await fault.gate.pass(call);
    if (fault?.kind === 'drop') {
      this.#settle(call, 0);
      request.socket.destroy();
      return;
    }
    if (fault?.kind === 'text') {
      this.#settle(call, fault.status);
      response.writeHead(fault.status, { 'Content-Type': fault.contentType }).end(fault.text);
      return;
    }
    const answer = fault?.kind === 'answer' ? fault.answer : this.#answer(call, match, content);
    if (fault?.kind === 'lose answer') {
      this.#settle(call, 0);
      request.socket.destroy();
      return;
    }
    this.#settle(call, answer.status);
    send(response, answer);
  }

  #record(call: RestCall): void {
    this.calls.push(call);
    if (this.calls.length > CALLS_MAX) this.calls.splice(0, CALLS_MAX / 2);
    this.#world.progress.notify();
  }

  #settle(call: RestCall, status: number): void {
    call.status = status;
    this.#world.progress.notify();
  }

  #answer(call: RestCall, match: ReturnType<typeof matchRoute>, content: Content | null): RestAnswer {
    let headers: Record<string, string> = {};
    try {
      if (!match) throw new DiscordError(404, 0, '404: Not Found');
      const token = call.authorization?.match(/^Bot (.+)$/)?.[1] ?? null;
      const bot = token === null ? null : this.#world.findBot(token);
      if (needsToken(match.route) && !bot) throw new DiscordError(401, 0, '401: Unauthorized');
      if (!content) throw new DiscordError(413, 40005, 'Request entity too large');
      if (content.body === INVALID) {
        throw new DiscordError(400, 50109, 'The request body contains invalid JSON.');
      }
      const limited = this.limits.count({ route: match.route, params: match.params, token: token ?? '' });
      headers = limited.headers;
      if (limited.refusal) return limited.refusal;
      const answer = this.#handlers[match.route]({
        bot: needsToken(match.route) ? bot : null,
        params: match.params,
        query: call.query,
        body: content.body,
        files: content.files,
        reason: call.reason,
      });
      return { ...answer, headers: { ...headers, ...answer.headers } };
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error;
      return { headers, ...error.toAnswer() };
    }
  }
}

/** Percent-encoded, as a header takes it. */
function readReason({ headers }: IncomingMessage): string | null {
  const reason = [headers['x-audit-log-reason']].flat()[0];
  return reason === undefined ? null : decodePart(reason);
}

interface Content {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

const INVALID = Symbol('not JSON');

/** Null when the body is too large. */
async function readBody(request: IncomingMessage): Promise<Content | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    // The rest is read and thrown away, so that the answer arrives.
    if (size <= BODY_BYTES_MAX) chunks.push(chunk as Buffer);
  }
  if (size > BODY_BYTES_MAX) return null;
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readForm(bytes, type);
  // Discord does not look into a body that is not said to be JSON.
  const isRead = bytes.length > 0 && type.startsWith('application/json');
  return { body: isRead ? parseJson(bytes.toString('utf8')) : undefined, files: [] };
}

async function readForm(bytes: Buffer, type: string): Promise<Content> {
  const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => null);
  if (!form) return { body: INVALID, files: [] };
  const files: UploadedFile[] = [];
  let body: unknown;
  for (const [field, value] of form) {
    if (typeof value === 'string') {
      if (field === 'payload_json') body = parseJson(value);
      continue;
    }
    const content = Buffer.from(await value.arrayBuffer());
    files.push({ field, name: value.name, contentType: value.type, bytes: content });
  }
  return { body: body ?? {}, files };
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? value : INVALID;
  } catch {
    return INVALID;
  }
}

function send(response: ServerResponse, answer: RestAnswer): void {
  if (answer.body === undefined) {
    response.writeHead(answer.status, answer.headers).end();
    return;
  }
  const body = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    ...answer.headers,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  });
  response.end(body);
}
