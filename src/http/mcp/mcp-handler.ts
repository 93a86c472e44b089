import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';

import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Operation } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { VERSION } from '../../version.ts';
import { problemBody } from '../answer/problem-response.ts';
import { COMMON_HEADERS } from '../answer/send.ts';
import { readBody } from '../body/read-body.ts';
import type { Endpoint } from '../exchange/endpoint.ts';
import type { HttpParts, RequestRecord } from '../exchange/http-parts.ts';
import { readPresentedKey } from '../exchange/refuse-request.ts';
import { listTools, toJsonText } from './tools.ts';

/** What the operations take, with room for the envelope. */
const BODY_BYTES_MAX = 5 * 1024 * 1024;

const ToolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

type McpParts = HttpParts & {
  readonly operations: readonly Operation[];
  readonly endpoints: readonly Endpoint[];
};

/**
 * Answers one message of the Model Context Protocol (streamable HTTP, without sessions).
 * @throws Problem of the key, the body or the limit
 */
export async function handleMcp(
  request: IncomingMessage,
  response: ServerResponse,
  parts: McpParts,
): Promise<void> {
  const startedAt = performance.now();
  const requestId = randomUUID();
  const { admission } = parts;
  const key = await admission.identify({
    key: readPresentedKey(request),
    address: () => parts.addressOf(request),
    isUrgent: false,
  });
  const headers = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
  const count = async (bucket: Endpoint['bucket']) => {
    const counted = await admission.count(bucket, key.ownerId);
    for (const [name, value] of Object.entries(counted.headers)) response.setHeader(name, value);
    if (counted.refusal !== null) throw counted.refusal;
  };
  let message: unknown;
  try {
    message = await readBody(request, {
      bytesMax: BODY_BYTES_MAX,
      textField: null,
      bodyTimeoutMs: parts.bodyTimeoutMs,
      owner: () => parts.bodyOwner(request, key),
    });
  } catch (error) {
    // Mistakes do not pass the limit.
    await count('guild');
    throw error;
  }
  const called = ToolCall.safeParse(message).data?.params.name;
  const isTool = parts.operations.some(({ name }) => name === called);
  const endpoint = isTool ? parts.endpoints.find(({ name }) => name === called) : undefined;
  if (endpoint === undefined) await count('guild');

  let outcome: Pick<RequestRecord, 'status' | 'code' | 'cause'> = {
    status: 200,
    code: null,
    cause: undefined,
  };
  const call = async (fields: Readonly<Record<string, unknown>>) => {
    if (endpoint === undefined) throw new Problem('not_found', { error: 'There is no such tool.' });
    await count(endpoint.bucket);
    return runTool(endpoint, fields, key, request, response);
  };
  const answer = await answerMessage(request, message, {
    listTools: () => listTools(parts.operations, key),
    async callTool(fields) {
      try {
        return { content: [{ type: 'text', text: await call(fields) }] };
      } catch (error) {
        const problem = Problem.from(error);
        outcome = { status: problem.status, code: problem.code, cause: problem.cause };
        const text = JSON.stringify(problemBody(problem, requestId));
        return { isError: true, content: [{ type: 'text', text }] };
      }
    },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, {
    ...COMMON_HEADERS,
    ...headers,
    ...Object.fromEntries(answer.headers),
    'Content-Length': bytes.length,
  });
  response.end(bytes);
  parts.onRequest({
    requestId,
    operation: endpoint?.name ?? 'mcp',
    key,
    ...outcome,
    durationMs: performance.now() - startedAt,
  });
}

async function runTool(
  endpoint: Endpoint,
  fields: Readonly<Record<string, unknown>>,
  key: VerifiedKey,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const aborter = new AbortController();
  response.once('close', () => aborter.abort());
  endpoint.checkKey?.(key);
  const answer = await endpoint.handle({
    method: 'POST',
    body: fields,
    query: {},
    key,
    header: (name) => request.headers[name.toLowerCase()]?.toString() || null,
    signal: aborter.signal,
  });
  try {
    return toJsonText(answer.value);
  } finally {
    answer.release?.();
  }
}

interface ToolResult {
  [key: string]: unknown;
  isError?: boolean;
  content: { type: 'text'; text: string }[];
}

interface Tools {
  listTools(): ReturnType<typeof listTools>;
  callTool(fields: Readonly<Record<string, unknown>>): Promise<ToolResult>;
}

async function answerMessage(request: IncomingMessage, message: unknown, tools: Tools): Promise<Response> {
  // Most processes never get here, so the SDK is not loaded before.
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const server = new Server(
    { name: 'quartermaster', title: 'Quartermaster', version: VERSION },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.listTools() }));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }) =>
    tools.callTool(params.arguments ?? {}),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const { accept, 'content-type': type, 'mcp-protocol-version': version } = request.headers;
    const headers = new Headers({ 'content-type': type ?? '' });
    if (accept !== undefined) headers.set('accept', accept);
    if (version !== undefined) headers.set('mcp-protocol-version', String(version));
    return await transport.handleRequest(new Request('http://localhost/mcp', { method: 'POST', headers }), {
      parsedBody: message,
    });
  } finally {
    await server.close();
  }
}
