import { readFileSync } from 'node:fs';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

import { readBuildVersion } from '../../../src/config/build-version.ts';
import { IMAGE_FETCH_LIMITS } from '../../../src/images/image-fetch-limits.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { sentenceOf } from '../../../src/kernel/problem.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { expectedAnswer, openExampleService, type ExampleService } from '../recipes/example-service.ts';
import { POLL } from '../../fixtures/poll.ts';
import { startDiscordApp, startTestApp } from '../../fixtures/test-app.ts';
import { png } from '../../fixtures/image-files.ts';
import { sendFile, startOrigin } from '../images/images-origin.ts';

let service: ExampleService;
beforeAll(async () => {
  service = await openExampleService();
});
afterAll(() => service?.close());

/** A client of the official SDK, as an agent has it. */
async function connect(url: string, headers: Record<string, string>) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

async function callTool(client: Client, name: string, input: Record<string, unknown>) {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: input });
  const [{ text } = { text: '' }] = content as { text: string }[];
  return { isError, structuredContent, answer: JSON.parse(text) as Record<string, unknown> };
}

const TOOLS = OPERATIONS.map(({ name }) => name);

test('the MCP server lists every operation as a tool, each in few tokens that a model reads', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const list = await session.client.listTools();
  expect(list.tools.map(({ name }) => name)).toEqual(TOOLS);
  // Tokenizers make one token of about four characters of English and JSON. Three and a half is on the safe side.
  // The rest of a tool is for the program that calls.
  const tools = list.tools.map(({ name, description, inputSchema }) => ({
    name,
    tokens: JSON.stringify({ name, description, inputSchema }).length / 3.5,
  }));
  // These two have about twenty options each, and no tool may lean on another's texts.
  const isLarge = new Set(['send', 'text-splitter']);
  expect(tools.filter(({ name, tokens }) => tokens >= (isLarge.has(name) ? 1_200 : 700))).toEqual([]);
});

test('each tool describes all of its fields and says where a secret comes from, as some clients load one tool alone', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  const undescribed = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties ?? {})
      .filter(([, field]) => !('description' in field))
      .map(([field]) => `${name}: ${field}`),
  );
  expect(undescribed).toEqual([]);
  const splitter = tools.find(({ name }) => name === 'text-splitter');
  expect(splitter?.inputSchema.properties?.['prefer']).toHaveProperty(
    'description',
    expect.stringContaining('Default `fewest`.'),
  );
  const ofHeader = (header: string) =>
    tools.filter(({ description }) =>
      description?.includes(`in the header \`${header}\`, which the user sets`),
    );
  expect(ofHeader('Webhook').map(({ name }) => name)).toEqual(['send']);
  expect(ofHeader('Token').map(({ name }) => name)).toEqual(
    OPERATIONS.filter(({ secretHeader }) => secretHeader === 'Token').map(({ name }) => name),
  );
});

const PATTERN_OF_ID: unknown = expect.objectContaining({ pattern: expect.stringContaining('{16,19}') });

test('ids of tools have a pattern, and permissions and bit fields have examples', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  const fieldOf = (name: string, field: string) =>
    tools.find((tool) => tool.name === name)?.inputSchema.properties?.[field];
  for (const field of ['guild_id', 'user_id', 'channel_id', 'target_id', 'target_role_id']) {
    expect(fieldOf('permission-check', field)).toEqual(PATTERN_OF_ID);
  }
  const after = fieldOf('role-members', 'after');
  const { pattern } = z.object({ pattern: z.string() }).parse(after);
  expect(['0', '123456789012345678', '12'].map((id) => new RegExp(pattern).test(id))).toEqual([
    true,
    true,
    false,
  ]);
  expect(fieldOf('role-members', 'all')).toMatchObject({ items: PATTERN_OF_ID });
  expect(fieldOf('permission-encoder', 'permissions')).toMatchObject({
    examples: expect.arrayContaining([['SEND_MESSAGES', 'ADD_REACTIONS']]),
  });
  expect(fieldOf('permission-decoder', 'bitfield')).toMatchObject({ examples: ['2112', '0x840'] });
});

test('the MCP server names its version, its tools, which of them use a network, and which change data', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  expect(session.client.getServerVersion()).toMatchObject({ version: readBuildVersion({}) });
  expect(session.client.getInstructions()).toMatch(/Discord.*strings.*hint.*retry_after.*headers/s);
  const { tools } = await session.client.listTools();
  for (const { title } of tools) expect(title).toMatch(/^[A-Z][a-z0-9 ]+$/);
  const those = (hint: 'readOnlyHint' | 'openWorldHint') =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name);
  expect(those('readOnlyHint')).toEqual(
    TOOLS.filter((name) => OPERATIONS.find((each) => each.name === name)?.readOnly !== false),
  );
  expect(those('openWorldHint')).toEqual(
    OPERATIONS.filter(({ secretHeader, bucket }) => secretHeader !== null || bucket === 'image').map(
      ({ name }) => name,
    ),
  );
});

test('the MCP server shows an example call if no single field is required', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  const shown = tools.flatMap(({ name, inputSchema }) =>
    inputSchema['examples'] === undefined ? [] : [[name, inputSchema['examples']]],
  );
  expect(shown).toEqual(
    RECIPE_OPERATIONS.filter(
      ({ recipe, input }) => input.shape[recipe.field]?.safeParse(undefined).success === true,
    ).map(({ name, example }) => [name, [example.input]]),
  );
});

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  'the MCP server calls %s and returns the response of the API',
  async (name, operation) => {
    const headers = {
      authorization: `Bearer ${service.key}`,
      token: service.token,
      webhook: service.webhook.url,
    };
    await using session = await connect(service.url, headers);
    // The client checks each answer against the schema that the list has promised.
    await session.client.listTools();
    const input = service.inputOf(operation);
    const { answer, isError, structuredContent } = await callTool(session.client, name, input);
    expect(isError).toBeUndefined();
    expect(answer).toEqual(expectedAnswer(operation.example));
    expect(structuredContent).toEqual(answer);
  },
);

test('the MCP server omits fields that only programs can use, and names the alternative', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  const refused = OPERATIONS.flatMap(({ name, refusedByMcp }) =>
    Object.entries(refusedByMcp).map(([field, key]) => ({ name, field, hint: sentenceOf(key).hint })),
  );
  expect(refused).not.toEqual([]);
  for (const { name, field, hint } of refused) {
    const schema = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    expect(Object.keys(schema)).not.toContain(field);
    for (const spelt of [field, field.toUpperCase()]) {
      const { answer, isError } = await callTool(session.client, name, { [spelt]: 'a' });
      expect([isError, answer]).toMatchObject([true, { code: 'invalid_field', field, hint }]);
    }
  }
});

test('the MCP server refuses unknown arguments, and names the existing ones', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ additionalProperties: false });
  const refusalOf = async (name: string, input: Record<string, unknown>) => {
    const { answer } = await callTool(session.client, name, input);
    return answer['code'] === 'invalid_field'
      ? `${String(answer['field'])}: ${String(answer['error'])} ${String(answer['hint'])}`
      : null;
  };
  for (const field of ['language', 'utm_source', 'key', 'x'.repeat(100)]) {
    expect(await refusalOf('parse-args', { text: '!ban', [field]: 'a' })).toMatch(
      /^(?:language|utm_source|key|x{64}): Unknown argument .*This tool takes: text, pingtoid/,
    );
  }
  expect(await refusalOf('permissions', { channel: 'text' })).toMatch('This tool takes none');
  expect(await refusalOf('role-members', { role_id: '1', without: '2' })).toMatch('Did you mean none?');
  expect(await refusalOf('role-changes', { role_id: '1', nobody: '2' })).not.toMatch('reader');
  for (const text of ['[object Object]', 'undefined']) {
    const { answer } = await callTool(session.client, 'parse-args', { text });
    expect(answer).toMatchObject({ code: 'unresolved_placeholder', field: 'text' });
  }
  for (const spelt of ['text', 'Text', 'te_xt[]']) {
    expect(await refusalOf('parse-args', { [spelt]: '!ban', language: '', pingtoid: null })).toBeNull();
  }
});

test.each([
  ['text-splitter', 'max_lenght', { text: 'x' }, 'max_length'],
  ['parse-args', 'textt', {}, 'text'],
  ['parse-args', 'Ping-To-Ids', { text: '!ban' }, 'pingtoid'],
  ['role-members', 'user_ids[x]', { role_id: '1' }, 'user_id'],
  ['role-members', 'without', { role_id: '1' }, 'none'],
])('the MCP server tells %s with %s which argument was meant, and lists the others', async (...row) => {
  const [tool, field, input, meant] = row;
  await using session = await connect(service.url, { authorization: service.key });
  const { answer, isError } = await callTool(session.client, tool, { ...input, [field]: '2' });
  expect([isError, answer]).toMatchObject([
    true,
    {
      code: 'invalid_field',
      field,
      error: `Unknown field ${field}. Did you mean ${meant}?`,
      hint: expect.stringMatching(`^This tool takes: .*${meant}`),
    },
  ]);
});

test('the MCP server suggests only names that the tool has', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { answer } = await callTool(session.client, 'role-changes', { role_id: '1', readers: '2' });
  expect(answer).toMatchObject({ code: 'invalid_field', field: 'readers' });
  expect(JSON.stringify({ ...answer, field: '' })).not.toMatch(/reader\b/);
});

test.each([
  ['permission-decoder', { bits: 8 }, 'Unknown argument bits.', 'This tool takes: bitfield, compare.'],
  ['permissions', { bits: 8 }, 'Unknown argument bits.', 'This tool takes none.'],
])('the MCP server lists in the hint what %s takes', async (tool, input, error, hint) => {
  await using session = await connect(service.url, { authorization: service.key });
  const { answer } = await callTool(session.client, tool, input);
  expect(answer).toMatchObject({ code: 'invalid_field', field: 'bits', error, hint });
});

test.each([
  ['permission-check', { user_id: 'bob' }, 'user_id', 'User Settings > Advanced > Developer Mode'],
  ['permission-check', { user_id: '9'.repeat(18) }, 'user_id', 'Copy User ID'],
  ['role-members', { role_id: 'Moderator' }, 'role_id', 'Server Settings > Roles and choose Copy Role ID'],
  ['role-members', { none: '@Muted' }, 'none', 'Server Settings > Roles and choose Copy Role ID'],
  ['role-members', { role_id: '9'.repeat(18) }, 'role_id', 'Copy Role ID'],
  ['role-members', { all: ['9'.repeat(18)] }, 'all', 'Copy Role ID'],
  ['permission-encoder', { permissions: '', client_id: 'x' }, 'client_id', 'developer portal'],
])('%s says with %j where to find the id, to people and to models', async (name, input, field, where) => {
  await using session = await connect(service.url, { authorization: service.key });
  const { answer: ofTool } = await callTool(session.client, name, input);
  expect(ofTool).toMatchObject({ field, hint: expect.stringMatching(`Ask the user for the id: .*${where}`) });
  const operation = OPERATIONS.find((each) => each.name === name);
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) query.set(key, String(value));
  const response = await fetch(`${service.url}${operation?.path}?${query.toString()}`, {
    method: operation?.method ?? 'GET',
    headers: { authorization: service.key },
  });
  const ofApi = (await response.json()) as Record<string, unknown>;
  expect(ofApi).toMatchObject({ field, hint: expect.stringContaining(where) });
  expect(ofApi['hint']).not.toContain('Ask the user');
});

test('role-members gives a model 100 members a page, unless it names another size or draws some', async () => {
  const [guildId, roleId] = ['300000000000000001', '400000000000000001'];
  const guild = { id: guildId, roles: [{ id: roleId }], members: { count: 250, rolesOf: () => [roleId] } };
  await using app = await startDiscordApp({ guilds: [guild] });
  const authorization = await app.createKey({ guildId });
  const path = `/api/role-members?role_id=${roleId}`;
  await expect
    .poll(async () => (await app.call(path, { headers: { authorization } })).status, POLL)
    .toBe(200);
  await using session = await connect(app.url, { authorization });
  const ask = async (input: Record<string, unknown>) =>
    (await callTool(session.client, 'role-members', { role_id: roleId, ...input })).answer;
  const first = await ask({});
  expect(first).toMatchObject({ count: 250, returned: 100, next_after: expect.stringMatching(/^\d+$/) });
  expect(await ask({ after: first['next_after'] })).toMatchObject({ returned: 100 });
  expect(await ask({ limit: 200 })).toMatchObject({ returned: 200 });
  expect(await ask({ sample: 5 })).toMatchObject({ returned: 5, next_after: null });
  expect(await ask({ count_only: true })).toMatchObject({ count: 250, returned: 0, next_after: null });
  expect((await app.call(path, { headers: { authorization } })).body).toMatchObject({ returned: 250 });

  const { tools } = await session.client.listTools();
  const tool = tools.find(({ name }) => name === 'role-members');
  expect(tool?.description).toContain('100 in a tool for language models');
});

test('descriptions of tools are paragraphs, without a line break in the middle of a sentence', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  expect(tools.filter(({ description }) => description?.includes('\n')).map(({ name }) => name)).toEqual([]);
});

test('the MCP server tells a model the error and how to correct it', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { answer, isError } = await callTool(session.client, 'permission-encoder', { permissions: ['FLY'] });
  expect(isError).toBe(true);
  expect(answer).toMatchObject({ ok: false, status: 400, code: 'unknown_permission', field: 'permissions' });
  // `key` is a path of the API and not a tool.
  for (const name of ['nothing', 'key']) {
    const unknown = await callTool(session.client, name, {});
    expect(unknown).toMatchObject({ isError: true, answer: { code: 'not_found' } });
  }
  const misspelt = await callTool(session.client, 'role_member', {});
  expect(misspelt.answer).toMatchObject({ code: 'not_found', hint: 'Did you mean role-members?' });
});

test.each([
  ['permission-encoder', { permissions: ['FLY'] }, 'The tool permissions lists all names.'],
  ['permission-encoder', { permissions: '2112' }, 'The tool permission-decoder converts it to names.'],
  ['permission-decoder', { bitfield: 'SPEAK' }, 'The tool permission-encoder converts them.'],
  ['nothing', {}, 'tools/list'],
])('the MCP server names tools in the hint to %s with %j, and no paths', async (tool, input, hint) => {
  await using session = await connect(service.url, { authorization: service.key });
  const { answer } = await callTool(session.client, tool, input);
  expect(answer['hint']).toContain(hint);
  expect(answer['hint']).not.toMatch(/\/api\/|GET|POST/);
});

test.each([
  ['send', { text: 'x' }, 'missing_field', 'Webhook'],
  ['send', { text: 'x', webhook: 'https://discord.com/api/webhooks/1/x' }, 'invalid_field', 'Webhook'],
  ['role-members', { role_id: '100000000000000009', source: 'token' }, 'missing_field', 'Token'],
  ['role-members', { role_id: '100000000000000009', guild_id: '9'.repeat(18) }, 'guild_mismatch', 'Token'],
  ['role-members', { role_id: '100000000000000009', token: 'x' }, 'invalid_field', 'Token'],
])('the MCP server says in the hint to %s with %j that the user sets a header', async (...row) => {
  const [tool, input, code, header] = row;
  await using session = await connect(service.url, { authorization: service.key });
  const { answer } = await callTool(session.client, tool, input);
  expect(answer['code']).toBe(code);
  expect(answer['hint']).toMatch(
    `he user sets the header ${header} in the configuration of this MCP server. Stop and say so.`,
  );
});

test('a webhook is not an argument of a tool, and a tool that posts does not claim to be read-only', async () => {
  const headers = { authorization: service.key, webhook: service.webhook.url };
  await using session = await connect(service.url, headers);
  const { tools } = await session.client.listTools();
  const send = tools.find(({ name }) => name === 'send');
  expect(send?.annotations).toMatchObject({ readOnlyHint: false });
  expect(Object.keys(send?.inputSchema.properties ?? {})).not.toContain('webhook');
  const input = { text: 'x', webhook: service.webhook.url };
  const { isError, answer } = await callTool(session.client, 'send', input);
  expect([isError, answer]).toMatchObject([true, { code: 'invalid_field', field: 'webhook' }]);
  expect(JSON.stringify(answer)).not.toContain(service.webhook.token);
});

test.each([
  ['without a key', {}, 'key_missing'],
  ['with a broken key', { authorization: 'qm_half' }, 'key_malformed'],
])('the MCP server refuses a session %s', async (_how, headers, code) => {
  await expect(connect(service.url, headers)).rejects.toThrow(code);
});

test('the MCP server keeps the limits of the API and the scope of a key', async () => {
  await using app = await startTestApp({ RATE_LIMIT: '5' });
  const { key } = await app.app.keys.create({
    guildId: app.guildId,
    name: 'narrow',
    createdBy: 'cli',
    expiresInDays: null,
    flat: true,
    always200: false,
    operations: ['parse-args'],
  });
  await using session = await connect(app.url, { authorization: key });
  const list = await session.client.listTools();
  expect(list.tools.map(({ name }) => name)).toEqual(['parse-args']);
  const other = await callTool(session.client, 'permissions', {});
  expect(other).toMatchObject({ isError: true, answer: { code: 'operation_not_allowed' } });
  let last = await callTool(session.client, 'parse-args', { text: '!ban' });
  for (let calls = 0; calls < 5; calls += 1) {
    last = await callTool(session.client, 'parse-args', { text: '!ban' }).catch(() => last);
  }
  expect(last).toMatchObject({ isError: true, answer: { code: 'rate_limited' } });
});

test('the MCP server logs a line for each call, without its fields', async () => {
  await using app = await startTestApp();
  await using session = await connect(app.url, { authorization: app.key });
  await callTool(session.client, 'parse-args', { text: '!ban secret words' });
  const lines = () => app.logLines.filter((line) => line.includes('"operation":"parse-args"'));
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toContain('"method":"POST"');
  expect(app.logLines.filter((line) => line.includes('"operation":"documents"'))).toEqual([]);
  expect(app.logLines.join('\n')).not.toContain('secret words');
});

test('a cancelled call logs one line', async () => {
  await using app = await startTestApp({ IMAGE_ALLOW_PRIVATE: 'true' });
  const caller = new AbortController();
  await using origin = await startOrigin(() => caller.abort());
  const call = { name: 'image-to-base64', arguments: { url: origin.url } };
  const calling = fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: app.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    signal: caller.signal,
  });
  await expect(calling).rejects.toThrow('aborted');
  const operations = () =>
    app.logLines.flatMap((line) => /"operation":"([\w-]+)"/.exec(line)?.slice(1) ?? []);
  await expect.poll(operations).toContain('image-to-base64');
  expect(operations()).toEqual(['image-to-base64']);
});

test('calls for images free their slots once they are answered', async () => {
  await using app = await startTestApp({ IMAGE_ALLOW_PRIVATE: 'true' });
  await using origin = await startOrigin((socket) => sendFile(socket, png(2, 2)));
  await using session = await connect(app.url, { authorization: app.key });
  for (let call = 0; call <= IMAGE_FETCH_LIMITS.jobsPerGuildMax; call += 1) {
    const { answer } = await callTool(session.client, 'image-to-base64', { url: origin.url });
    expect(answer).toMatchObject({ ok: true });
  }
});

/** Asks for an image of that many bytes. */
const callForImage = async (bytes: number, format: string) => {
  await using app = await startTestApp({ IMAGE_ALLOW_PRIVATE: 'true' });
  const file = png(2, 2, { size: bytes });
  await using origin = await startOrigin((socket) => sendFile(socket, file));
  const params = { name: 'image-to-base64', arguments: { url: origin.url, format } };
  const { text } = await app.call('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = JSON.parse(text) as {
    result: { content: { text: string }[]; structuredContent?: { base64: string }; isError?: boolean };
  };
  return { file, length: text.length, said: result.content[0]?.text ?? '', ...result };
};

describe('an image over MCP', () => {
  test('is only in the object where it is long, and once', async () => {
    const { file, length, said, structuredContent } = await callForImage(480_000, 'base64');
    expect(structuredContent?.base64).toBe(file.toString('base64'));
    expect(JSON.parse(said)).toMatchObject({
      ok: true,
      base64: expect.stringMatching(/in structuredContent/),
    });
    expect(length).toBeLessThan(700_000);
  });

  test.each([
    ['base64', 750],
    ['both', 375],
  ])('may be as large as the tool says, in the format %s', async (format, kib) => {
    const most = await callForImage(kib * 1024 - 100, format);
    expect(most.isError).toBeUndefined();
    expect(most.length).toBeLessThanOrEqual(1024 * 1024);
    const { isError, said } = await callForImage((kib + 25) * 1024, format);
    expect(isError).toBe(true);
    expect(said).toContain('too large for a tool');
  });
});

test('tools say what a model has to know of their keys', async () => {
  await using session = await connect(service.url, { authorization: service.key });
  const { tools } = await session.client.listTools();
  const said = (name: string) => tools.find((tool) => tool.name === name)?.description;
  const { retry_after: wait, uncertain } =
    tools.find(({ name }) => name === 'send')?.outputSchema?.properties ?? {};
  expect(wait).toMatchObject({
    description: expect.stringMatching(/before you send `rest` .* without `dialect`/),
  });
  expect(uncertain).toMatchObject({ description: expect.stringMatching(/^True .* Never send `rest` again/) });
  expect(said('role-changes')).toMatch(/`reset: true`.*read the whole list with role-members/);
  expect(said('role-members')).toMatch(/one of `role_id`, `all`, `any` and `none` is needed/);
  expect(said('image-to-base64')).toContain('at most 750 KiB, or 375 KiB with `format=both`');
});

test('the MCP server refuses whole messages, broken ones too, within the limit of the server', async () => {
  await using app = await startTestApp({ RATE_LIMIT: '2' });
  const ping = (body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })) =>
    fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: app.key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });
  expect((await ping()).status).toBe(200);
  const broken = await ping('{');
  expect([broken.status, broken.headers.get('ratelimit')]).toEqual([
    400,
    expect.stringMatching(/^"guild";r=0;/),
  ]);
  const invalid = { code: -32700, message: 'The body is not valid JSON.' };
  expect(await broken.json()).toEqual({ jsonrpc: '2.0', id: null, error: invalid });
  const refused = await ping();
  expect([refused.status, refused.headers.get('ratelimit')]).toEqual([
    429,
    expect.stringMatching(/^"guild";r=0;/),
  ]);
  expect(await refused.json()).toMatchObject({ ok: false, code: 'rate_limited' });
});

test.each([
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, 'The body is JSON, but not an object.'],
  ['{}', -32600, 'The body is not a message of JSON-RPC 2.0.'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, 'The body is not a message of JSON-RPC 2.0.'],
  ['{"a":', -32700, 'The body is not valid JSON.'],
  ['```json\n{}\n```', -32700, 'The body is not valid JSON.'],
])('the MCP server answers the body %j with a protocol error', async (body, code, message) => {
  const headers = { authorization: service.key, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code, message } });
});

test('the MCP server refuses a body that is too large as the API does', async () => {
  const headers = { authorization: service.key, 'content-type': 'application/json' };
  const body = `"${'x'.repeat(1024 * 1024)}"`;
  const response = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({ ok: false, status: 413, code: 'body_too_large' });
});

test.each([
  ['tools/call', { name: 'parse-args', arguments: 'x' }, 'params.arguments'],
  ['tools/call', { name: 'parse-args', arguments: null }, 'params.arguments'],
  ['tools/call', { arguments: {} }, 'params.name'],
  ['tools/call', undefined, 'params'],
  ['tools/list', { cursor: 1 }, 'params.cursor'],
  ['initialize', {}, 'params.protocolVersion'],
])('the MCP server names what is wrong in %s with %j', async (method, params, name) => {
  const message = { jsonrpc: '2.0', id: 'a', method, params };
  const reply = await service.call('/mcp', {
    method: 'POST',
    body: JSON.stringify(message),
    headers: { 'content-type': 'application/json' },
  });
  const error = { code: -32602, message: `${name} is missing or has the wrong type.` };
  expect(reply).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 'a', error } });
});

test.each([
  ['*/*', 200],
  ['application/json', 200],
  ['application/*;q=0.5', 200],
  ['text/html', 406],
])('the MCP server answers a request with the header Accept: %s with %i', async (accept, status) => {
  const headers = { authorization: service.key, 'content-type': 'application/json', accept };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const reply = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
  expect(reply.status).toBe(status);
});

test('the MCP server counts a call of a tool that the protocol refuses', async () => {
  await using app = await startTestApp({ RATE_LIMIT: '100' });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'parse-args', arguments: {} } };
  const post = (message: object, accept = 'application/json, text/event-stream') =>
    fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { authorization: app.key, 'content-type': 'application/json', accept },
      body: JSON.stringify(message),
    });
  const { id: _, ...withoutId } = call;
  const replies = [
    await post({ ...call, jsonrpc: '1.0' }),
    await post(call, 'text/html'),
    await post(withoutId),
    await post({ ...call, params: { ...call.params, arguments: 'x' } }),
    await post(call),
  ];
  const left = replies.map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  expect(left).toEqual(['99', '98', '97', '96', '95']);
});

test('the MCP server reports a reached limit in a way that a model can read, and refuses everything else with 429', async () => {
  await using app = await startTestApp({ RATE_LIMIT: '1' });
  const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'parse-args', arguments: {} } };
  const post = (message: object) =>
    app.postJson('/mcp', message, { accept: 'application/json, text/event-stream' });
  await post(call);
  const { status, body } = await post(call);
  expect([status, body]).toMatchObject([200, { jsonrpc: '2.0', id: 7, result: { isError: true } }]);
  expect(JSON.stringify(body)).toContain('rate_limited');
  for (const other of [
    { ...call, jsonrpc: '1.0' },
    { ...call, id: null },
    { ...call, method: 'ping' },
  ]) {
    expect((await post(other)).body).toMatchObject({ status: 429, code: 'rate_limited' });
  }
});

test('the MCP server accepts POST alone', async () => {
  const response = await fetch(`${service.url}/mcp`, { headers: { authorization: service.key } });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

test('the MCP server loads no second copy of a package that the service already has', () => {
  const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, { dev?: true }>;
  };
  const copies = Object.entries(lock.packages).filter(
    ([path, { dev }]) => dev !== true && /node_modules\/(?:express|zod)$/.test(path),
  );
  expect(copies.map(([path]) => path).sort()).toEqual(['node_modules/express', 'node_modules/zod']);
});
