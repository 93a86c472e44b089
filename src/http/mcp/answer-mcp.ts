import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import * as z from 'zod';

import type { OperationServices, Operation } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { problemBody } from '../answer/problem-body.ts';
import { PROBLEM_TYPE, writeJson } from '../answer/write-json.ts';
import { contextOf } from '../endpoints/operation-context.ts';
import type { Endpoint, Fields } from '../locals.ts';
import { countIn, requireScope, verifiedKeyOf, type Admission } from '../middleware/admit.ts';
import { noSuchTool } from '../not-found.ts';
import { listTools, toolOf, writeAnswer, type ToolAnswer } from './tools.ts';

export const MCP = { name: 'mcp', path: '/mcp', bucket: 'guild' } as const satisfies Endpoint;

/** As large as the largest body of any operation. */
export const MCP_BODY = { bodyBytesMax: 1024 * 1024, textField: null } as const;

/** Models read this once, for all tools. */
const INSTRUCTIONS = `Tools for people who build Discord bots.
Ids and bit fields are strings: pass them on digit by digit.
A failure has isError, a code, a sentence and a hint: do what the hint says before you call again, and wait retry_after seconds where it is a number.
Bot tokens and webhooks are secrets: the user sets them as headers in the configuration of this server. Never ask for them and never put them into an argument.`;

const ToolCall = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.object({ name: z.string() }),
});

interface McpOptions {
  readonly operations: readonly Operation[];
  readonly admission: Admission;
  readonly operationServices: OperationServices;
  readonly version: string;
}

/**
 * Answers one message of the Model Context Protocol (streamable HTTP, without sessions). A tool call counts in the
 * bucket of its operation, and everything else in the bucket `guild`.
 */
export function answerMcp({ operations, admission, operationServices, version }: McpOptions): RequestHandler {
  const tools = operations.map(toolOf);
  return async (request, response) => {
    const { locals } = response;
    const fail = (error: unknown): ToolResult => {
      locals.problem = Problem.from(error);
      const body = problemBody(locals.problem, locals.requestId, locals.problem.toolHint);
      return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] };
    };
    const message = ToolCall.safeParse(locals.body).data;
    const tool = tools.find(({ operation }) => operation.name === message?.params.name);
    if (tool !== undefined) locals.endpoint = tool.operation;
    try {
      await countIn(admission, response, (tool?.operation ?? MCP).bucket);
    } catch (error) {
      if (message === undefined || tool === undefined) throw error;
      // A model reads the result of its call, but not the status of the response.
      const { jsonrpc, id } = message;
      return writeJson(response, PROBLEM_TYPE, { jsonrpc, id, result: fail(error) });
    }

    const call = async (fields: Fields): Promise<ToolAnswer> => {
      if (tool === undefined) {
        throw noSuchTool(
          message?.params.name ?? '',
          operations.map(({ name }) => name),
        );
      }
      requireScope(tool.operation, response);
      const context = contextOf(tool.operation, request, response, operationServices);
      const answer = await tool.operation.answer(fields, context, true);
      try {
        return writeAnswer(answer.value);
      } finally {
        answer.release?.();
      }
    };
    const answer = await answerMessage(request, locals.body, version, {
      listTools: () => listTools(tools, verifiedKeyOf(response)),
      async callTool(fields) {
        try {
          const { text, structuredContent } = await call(fields);
          return { content: [{ type: 'text', text }], structuredContent };
        } catch (error) {
          return fail(error);
        }
      },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (response.destroyed) return;
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      'Content-Length': bytes.length,
    });
    response.end(bytes);
  };
}

/**
 * Answers a body that is not a message of the protocol with a JSON-RPC error, and counts it. Passes every other failure
 * on, to be answered as in the API.
 */
export function refuseBrokenMessage(admission: Admission): ErrorRequestHandler {
  return async (failure: unknown, _request, response, next) => {
    if (!(failure instanceof Problem) || failure.code !== 'invalid_json') return next(failure);
    await countIn(admission, response, MCP.bucket);
    response.locals.problem = failure;
    const isJson = failure.key === 'invalid_json/object' || failure.key === 'invalid_json/size';
    const code = isJson ? ERRORS.invalidRequest : ERRORS.parseError;
    response.status(failure.status);
    await writeJson(response, PROBLEM_TYPE, errorOf(null, code, failure.message));
  };
}

/** @see https://www.jsonrpc.org/specification#error_object */
const ERRORS = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602 } as const;

function errorOf(id: string | number | null, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

interface ToolResult {
  [key: string]: unknown;
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: 'text'; text: string }[];
}

interface Tools {
  listTools(): ReturnType<typeof listTools>;
  callTool(fields: Fields): Promise<ToolResult>;
}

async function answerMessage(
  request: Request,
  message: unknown,
  version: string,
  tools: Tools,
): Promise<globalThis.Response> {
  // Loaded here, because most processes never need the SDK.
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  if (!types.JSONRPCMessageSchema.safeParse(message).success) {
    // The SDK would call it unreadable JSON.
    const error = errorOf(null, ERRORS.invalidRequest, 'The body is not a message of JSON-RPC 2.0.');
    return globalThis.Response.json(error, { status: 400 });
  }
  const { data: sent } = types.JSONRPCRequestSchema.safeParse(message);
  const schema = [
    types.CallToolRequestSchema,
    types.ListToolsRequestSchema,
    types.InitializeRequestSchema,
    types.PingRequestSchema,
  ].find(({ shape }) => shape.method.value === sent?.method);
  const [issue] = schema?.safeParse(message).error?.issues ?? [];
  if (sent !== undefined && issue !== undefined) {
    // The SDK would send its whole validation report. Only two levels of the path are names of the protocol; deeper ones
    // may be the caller's.
    const sentence = `${issue.path.slice(0, 2).join('.')} is missing or has the wrong type.`;
    return globalThis.Response.json(errorOf(sent.id, ERRORS.invalidParams, sentence));
  }
  const server = new Server(
    { name: 'quartermaster', title: 'Quartermaster', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.listTools() }));
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }) =>
    tools.callTool(params.arguments ?? {}),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const { 'content-type': type, 'mcp-protocol-version': protocol } = request.headers;
    const headers = new Headers({ 'content-type': type ?? '' });
    // The SDK demands that callers accept streams too, but every answer here is JSON.
    if (request.accepts('application/json') !== false) {
      headers.set('accept', 'application/json, text/event-stream');
    }
    if (protocol !== undefined) headers.set('mcp-protocol-version', String(protocol));
    return await transport.handleRequest(
      new globalThis.Request('http://localhost/mcp', { method: 'POST', headers }),
      {
        parsedBody: message,
      },
    );
  } finally {
    await server.close();
  }
}
