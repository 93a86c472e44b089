import { describe, expect, onTestFinished, test } from 'vitest';

import { EXAMPLE_GUILD_ID } from '../../../src/operations/examples.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS, type RecipeOperation } from '../../../src/recipes/recipe-operations.ts';
import { SENTENCES } from '../../../src/recipes/sentences.ts';
import { startDiscordApp, startTestApp } from '../../fixtures/test-app.ts';
import { nodesNamedIn, runN8n, type Item, type N8n, type Workflow } from './n8n-runner.ts';
import { openRecipeServer, TARGET_ID, TOP_ID } from './recipe-server.ts';

// What a workflow of n8n says in Discord. That its request works is in recipes.test.ts.

const OPERATIONS = RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const);

const write = (operation: RecipeOperation) =>
  writeRecipe(RECIPE_WRITERS.n8n, { operation, publicUrl: 'https://qm.example', key: 'qm_key', fields: {} });

function operationOf(command: string): RecipeOperation {
  const found = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (found === undefined) throw new Error(`No recipe is !${command}`);
  return found;
}

const to = (node: string) => [{ node }];

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly fields: URLSearchParams;
  readonly idempotencyKey: string | null;
}

const workflowOf = (operation: RecipeOperation) => JSON.parse(write(operation).code) as Workflow;
/** A message as a community node for Discord gives it, with the values of the example. */
function exampleItem({ recipe, example }: RecipeOperation) {
  const given = [example.input[recipe.field]].flat().join(', ');
  const content = recipe.filledBy === 'line' ? given : `!${recipe.command} ${given}`;
  const attachments = recipe.filledBy === 'image' ? [{ url: given }] : [];
  return { content, authorId: '123456789012345678', guildId: EXAMPLE_GUILD_ID, attachments };
}

/** What a recipe asked of Discord. */
interface Told {
  readonly request: string;
  readonly headers: Headers;
  readonly body: unknown;
}

const UNTIL = '2026-01-15T12:00:00.000Z';

/** An execution against answers that come one after the other; the last one stays. */
function openN8n(...answers: readonly (object | Response | Error)[]) {
  const messages: string[] = [];
  const asked: Asked[] = [];
  const waits: number[] = [];
  const told: Told[] = [];
  const n8n: N8n = {
    credential: {},
    botToken: 'bot-token',
    chosen: nodesNamedIn(
      write(operationOf('announce'))
        .steps.map(({ text }) => text)
        .join('\n\n'),
    ),
    waits,
    executionId: 'e1',
    messages,
    runs: new Map(),
    fetch: async (address, { method = 'GET', body, headers } = {}) => {
      const url = new URL(address instanceof Request ? address.url : address);
      if (url.hostname === 'discord.com') {
        told.push({
          request: `${method} ${url.href}`,
          headers: new Headers(headers),
          body: typeof body === 'string' ? JSON.parse(body) : null,
        });
        return Response.json({ communication_disabled_until: UNTIL, id: '500000000000000001' });
      }
      asked.push({
        method,
        url,
        fields: body instanceof URLSearchParams ? body : url.searchParams,
        idempotencyKey: new Headers(headers).get('Idempotency-Key'),
      });
      const next = answers[Math.min(asked.length, answers.length) - 1];
      if (next instanceof Error) throw next;
      return next instanceof Response ? next.clone() : Response.json(next);
    },
  };
  return { n8n, messages, asked, waits, told };
}

/** What a workflow has said and asked when it got one item. */
async function run(operation: RecipeOperation, ...answers: readonly (object | Response | Error)[]) {
  return runWith(operation, exampleItem(operation), ...answers);
}

async function runWith(
  operation: RecipeOperation,
  items: Item | readonly Item[],
  ...answers: readonly (object | Response | Error)[]
) {
  const { n8n, ...seen } = openN8n(...answers);
  await runN8n(workflowOf(operation), 'Quartermaster', items, n8n);
  return seen;
}

/** What a proxy shows in front of a service that is away. */
const PAGE = () =>
  new Response('<html>Bad Gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } });

const part = (rest: string) => ({
  ...operationOf('announce').example.answer,
  state: 'stopped',
  rest,
  retry_after: 0,
});
const BUSY = { ok: false, code: 'busy', error: 'Too many texts.', hint: null, retry_after: 12 };

describe('a workflow of n8n', () => {
  test.each(OPERATIONS)('with %s ends with the messages that the page shows', async (_name, operation) => {
    const said = write(operation)
      .seen.filter(({ from }) => from === 'bot')
      .map(({ text }) => text);
    expect((await run(operation, operation.example.answer)).messages).toEqual(said);
  });

  test.each(OPERATIONS)('with %s reports once why it failed', async (_name, operation) => {
    const error = 'Too many requests for this server.';
    expect((await run(operation, { ok: false, error })).messages).toEqual([error]);
  });

  test.each([
    ['no member', { user_id: null }, /^Name a member/],
    ['no time', { duration_seconds: null }, /at most 28 days/],
    ['more than 28 days', { duration_seconds: 2_505_600 }, /at most 28 days/],
  ])('explains once how to write a line with %s', async (_what, changes, expected) => {
    const operation = operationOf('timeout');
    const { messages } = await run(operation, { ...operation.example.answer, ...changes });
    expect(messages).toEqual([expect.stringMatching(expected)]);
  });

  test('shows a response in any letters', async () => {
    const operation = operationOf('timeout');
    const reason = 'üçü ··· ¡¡¡ °°°';
    const { messages } = await run(operation, { ...operation.example.answer, reason });
    expect(messages).toEqual([expect.stringContaining(reason)]);
  });

  test.each(OPERATIONS)(
    'stops with %s at a page of a proxy, and shows no message',
    async (_name, operation) => {
      const { n8n, messages } = openN8n(PAGE());
      const result = runN8n(workflowOf(operation), 'Quartermaster', exampleItem(operation), n8n);
      await expect(result).rejects.toThrow('Response body is not valid JSON');
      expect(messages).toEqual([]);
    },
  );

  test.each(OPERATIONS)(
    'does not mistake with %s the JSON of a proxy for success',
    async (_name, operation) => {
      const { messages } = await run(operation, { message: 'Service Unavailable' });
      expect(messages).toEqual([expect.stringMatching(/^The service cannot be reached\./)]);
    },
  );

  test('shows the hint beside the reason', async () => {
    const operation = operationOf('timeout');
    const answer = { ok: false, error: 'Too many requests.', hint: 'Try again in 12 seconds.' };
    expect((await run(operation, answer)).messages).toEqual(['Too many requests. Try again in 12 seconds.']);
  });

  test('pings no one with user input', async () => {
    const operation = operationOf('timeout');
    const reason = '@everyone and @here, <@&400000000000000001>';
    const done = await run(operation, { ...operation.example.answer, reason });
    const refused = await run(operation, { ok: false, error: reason, hint: null });
    const user = `<@${String(operation.example.answer['user_id'])}>`;
    for (const text of [...done.messages, ...refused.messages])
      expect(text.replace(user, '')).not.toMatch(/@(?!\u200B)/);
  });

  test.each([
    ['makerole', '!makerole SEND_MESSAGES', 'SEND_MESSAGES'],
    ['decode', '!decode 2112', '2112'],
    ['announce', '!announce Hello\n!announce all', 'Hello\n!announce all'],
    ['post', '!post', ''],
    ['announce', 'Hello', 'Hello'],
    ['rolemembers', '!rolemembers <@&400000000000000001>', '<@&400000000000000001>'],
    ['rolemembers', '400000000000000001', '400000000000000001'],
    ['timeout', '!timeout <@1> 2h spam', '!timeout <@1> 2h spam'],
  ])('sends the text of !%s as its operation takes it', async (command, text, expected) => {
    const operation = operationOf(command);
    const { field } = operation.recipe;
    const { asked } = await runWith(operation, { text }, operation.example.answer);
    expect(asked[0]?.fields.get(field)).toBe(expected);
  });

  test('sends nothing when the previous node has no text', async () => {
    const operation = operationOf('announce');
    const { asked } = await runWith(operation, { message: 'Hello' }, operation.example.answer);
    expect(asked[0]?.fields.get('text')).toBe('');
  });

  test('answers each arriving item', async () => {
    const operation = operationOf('decode');
    const items = [{ text: '1' }, { text: '2' }, { text: '3' }];
    const good = operation.example.answer;
    const { messages, asked } = await runWith(operation, items, good, { ok: false, error: 'No.' }, good);
    expect(asked.map(({ fields }) => fields.get('bitfield'))).toEqual(['1', '2', '3']);
    expect(messages.toSorted()).toEqual([
      'No.',
      ...write(operation)
        .seen.slice(1)
        .flatMap(({ text }) => [text, text]),
    ]);
  });

  test('gives each text of a loop, of several items and of two copies of the recipe a different name', async () => {
    const operation = operationOf('announce');
    const { n8n, asked } = openN8n(operation.example.answer);
    const item = exampleItem(operation);
    const workflow = workflowOf(operation);
    for (let turn = 0; turn < 3; turn += 1) await runN8n(workflow, 'Quartermaster', item, n8n);
    await runN8n(workflow, 'Quartermaster', [item, item], n8n);
    await runN8n(workflow, 'Quartermaster', item, { ...n8n, canvas: 'copy', runs: new Map() });
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(6);
  });

  test('tries a text three times under one name when no response arrives', async () => {
    const operation = operationOf('announce');
    const { messages, asked } = await run(operation, new Error('reset'), PAGE(), operation.example.answer);
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(messages).toHaveLength(1);
  });

  test('sends the rest of a long text until all of it is posted, each part under a name of its own', async () => {
    const operation = operationOf('announce');
    const { answer } = operation.example;
    const stopped = { ...answer, state: 'stopped', rest: 'And more.', retry_after: 0, channel_id: '7' };
    const { messages, asked } = await run(operation, stopped, { ...stopped, rest: 'End.' }, answer);
    expect(messages).toEqual(
      write(operation)
        .seen.slice(2)
        .map(({ text }) => text),
    );
    expect(asked.map(({ fields }) => [fields.get('text'), fields.get('dialect')]).slice(1)).toEqual([
      ['And more.', null],
      ['End.', null],
    ]);
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  test('continues in the thread that the first part has made', async () => {
    const operation = operationOf('announce');
    const fields = { thread_name: 'News', applied_tags: '1', username: 'Bot' };
    const { code } = writeRecipe(RECIPE_WRITERS.n8n, {
      operation,
      publicUrl: 'https://qm.example',
      key: 'k',
      fields,
    });
    const stopped = { ok: true, state: 'stopped', rest: 'End.', retry_after: 3, channel_id: '7' };
    const { n8n, asked } = openN8n(stopped, operation.example.answer);
    await runN8n(JSON.parse(code) as Workflow, 'Quartermaster', { text: 'x' }, n8n);
    expect(Object.fromEntries(asked[1]?.fields ?? [])).toEqual({
      text: 'End.',
      thread_id: '7',
      username: 'Bot',
    });
  });

  test.each([null, undefined])('says why a text stopped that cannot continue (%s)', async (retry_after) => {
    const operation = operationOf('announce');
    const stopped = {
      ...operation.example.answer,
      state: 'stopped',
      rest: 'x',
      reason: 'Look first.',
      retry_after,
    };
    const { messages, asked } = await run(operation, stopped);
    expect(messages).toEqual(['Look first. Not posted: 1 characters, from here on: x']);
    expect(asked).toHaveLength(1);
  });

  test('posts all of a text of 13 messages that comes after nine short ones in Loop Over Items', async () => {
    await using discord = await startDiscordApp({}, { SEND_RATE_LIMIT: '1000' });
    const webhook = discord.discord.addWebhook({ guildId: discord.guildId });
    const request = {
      operation: operationOf('announce'),
      publicUrl: discord.url,
      key: discord.key,
      fields: {},
    };
    const { nodes, connections } = JSON.parse(writeRecipe(RECIPE_WRITERS.n8n, request).code) as Workflow;
    const loop = {
      name: 'Loop',
      type: 'n8n-nodes-base.splitInBatches',
      parameters: {},
    } as Workflow['nodes'][0];
    const workflow = {
      nodes: [loop, ...nodes],
      connections: {
        ...connections,
        Loop: { main: [[], to('Quartermaster')] },
        Tell: { main: [to('Loop')] },
        'Say why': { main: [to('Loop')] },
      },
    };
    const short = Array.from({ length: 9 }, (_, index) => ({ text: `Short ${index}.` }));
    const long = {
      text: Array.from({ length: 13 }, (_, index) => `Part ${index}. ${'x'.repeat(1_900)}`).join('\n\n'),
    };
    const { n8n, messages } = openN8n();
    await runN8n(workflow, 'Loop', [...short, long], {
      ...n8n,
      fetch,
      credential: { Webhook: webhook.url },
    });
    expect(webhook.texts.map((text) => text.split('.')[0])).toEqual([
      ...short.map(({ text }) => text.slice(0, -1)),
      ...Array.from({ length: 13 }, (_, index) => `Part ${index}`),
    ]);
    expect(messages).toHaveLength(10);
  });

  test('sends a text of any length, as each further call has posted a part', async () => {
    const parts = Array.from({ length: 15 }, (_, index) => part(`From part ${index} on`));
    const operation = operationOf('announce');
    const { asked } = await run(operation, ...parts, operation.example.answer);
    expect(asked).toHaveLength(16);
  });

  test('waits when a later call is refused for now, and sends the same rest under the same name', async () => {
    const operation = operationOf('announce');
    const busy = [BUSY, BUSY, BUSY];
    const { messages, asked, waits } = await run(
      operation,
      part('First rest.'),
      ...busy,
      part('Last rest.'),
      ...busy,
      operation.example.answer,
    );
    expect(waits).toEqual([0, 12, 0, 12]);
    const sent = asked
      .slice(1)
      .map(({ fields, idempotencyKey }) => `${fields.get('text')} ${idempotencyKey}`);
    expect([...new Set(sent)].map((each) => each.replace(/ e1.*/, ''))).toEqual([
      'First rest.',
      'Last rest.',
    ]);
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect(messages).toHaveLength(1);
  });

  test('gives each of two texts its own rest and name while one of them waits', async () => {
    const operation = operationOf('announce');
    const { n8n, asked } = openN8n(
      part('A2'),
      part('B2'),
      BUSY,
      BUSY,
      BUSY,
      part('B3'),
      operation.example.answer,
    );
    const item = exampleItem(operation);
    await runN8n(workflowOf(operation), 'Quartermaster', [item, item], n8n);
    const sent = asked.slice(2).map(({ fields }) => fields.get('text'));
    expect(sent).toEqual(['A2', 'A2', 'A2', 'B2', 'A2', 'B3']);
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(5);
  });

  test('gives up after ten refusals, and reports the rest without a ping', async () => {
    const operation = operationOf('announce');
    const { messages, waits } = await run(operation, part('@everyone reads the rest.'), BUSY);
    expect(waits).toHaveLength(10);
    expect(messages).toEqual([
      'Too many texts. Not posted: 25 characters, from here on: @\u200Beveryone reads the rest.',
    ]);
  });
});

/** What happens with an item that the node before has, from the node on that the recipe says to connect. */
async function start(operation: RecipeOperation, item: Item) {
  const { n8n, asked, messages } = openN8n(operation.example.answer);
  const texts = write(operation)
    .steps.map(({ text }) => text)
    .join('\n');
  const [, first = ''] = /Connect the node that has your text with \*([^*]+)\*/.exec(texts) ?? [];
  await runN8n(workflowOf(operation), first, item, n8n);
  return { asked, messages };
}

describe('the first node of a workflow of n8n', () => {
  const PICTURE = 'https://cdn.example/cat.png?ex=1&is=2';
  const LINE = '!timeout <@123456789012345678> 2h spam';

  test.each([
    ['a community node', { content: LINE, channelId: '1', authorId: '2', guildId: '3' }],
    ['a Webhook with a text', { headers: {}, query: {}, body: { text: LINE } }],
    ['a Webhook with a message of Discord', { body: { content: LINE, author: { id: '2' } } }],
    ['a node of the reader', { text: LINE }],
  ])('finds the text of %s', async (_which, item) => {
    const { asked, messages } = await start(operationOf('timeout'), item);
    expect(asked.map(({ fields }) => fields.get('text'))).toEqual([LINE]);
    expect(messages).toHaveLength(1);
  });

  test.each([
    ['mypermissions', 'user_id'],
    ['countmembers', 'guild_id'],
    ['rolemembers', 'role_id'],
  ])('fills in !%s what the trigger says', async (command, field) => {
    const [authorId, guildId, role] = ['300000000000000001', EXAMPLE_GUILD_ID, '400000000000000001'];
    const wanted = { user_id: authorId, guild_id: guildId, role_id: `<@&${role}>` }[field];
    const content = `!${command} <@&${role}>`;
    for (const item of [
      { content, authorId, guildId },
      { body: { content, author: { id: authorId }, guild_id: guildId } },
    ]) {
      const { asked } = await start(operationOf(command), item);
      expect(asked.map(({ fields }) => fields.get(field))).toEqual([wanted]);
    }
  });

  test.each([
    [
      'a community node',
      { content: '!addemoji', attachments: [{ url: PICTURE }, { url: 'https://b.example' }] },
    ],
    [
      'a Webhook with a message of Discord',
      { body: { content: '!addemoji', attachments: [{ url: PICTURE }] } },
    ],
    ['a link', { content: `!addemoji <${PICTURE}> please`, attachments: [] }],
  ])('finds the picture of %s', async (_which, item) => {
    const { asked } = await start(operationOf('addemoji'), item);
    expect(asked.map(({ fields }) => fields.get('url'))).toEqual([PICTURE]);
  });

  test('sends no URL for a message without a picture', async () => {
    const { asked } = await start(operationOf('addemoji'), { content: '!addemoji' });
    expect(asked.map(({ fields }) => fields.get('url'))).toEqual(['']);
  });

  test.each(OPERATIONS)(
    'comes with %s after a step that says where messages come from',
    (_name, operation) => {
      expect(write(operation).steps.map(({ text }) => text)).toContainEqual(
        expect.stringContaining('n8n has no trigger for Discord of its own'),
      );
    },
  );

  test.each([
    ['another text', { content: 'hello there' }],
    ['another command', { content: '!tempban <@1> 2h' }],
    ['a longer command', { content: '!timeouts <@1> 2h' }],
    ['the command inside a text', { content: `Write ${LINE}` }],
    ['no text', {}],
    ['a value that is not a string', { content: { text: LINE } }],
    ['a bot', { content: LINE, author: { id: '2', bot: true } }],
    ['a bot, by a community node', { content: LINE, authorIsBot: true }],
    ['a bot, by a Webhook', { body: { content: LINE, author: { id: '2', bot: true } } }],
    ['a direct message', { content: LINE, guildId: null }],
  ])('starts nothing for %s', async (_what, item) => {
    expect(await start(operationOf('timeout'), item)).toEqual({ asked: [], messages: [] });
  });

  test.each(OPERATIONS)('lets only the command of %s through', async (_name, operation) => {
    const { asked } = await start(operation, { content: `!${operation.recipe.command} 1` });
    expect(asked).toHaveLength(1);
    expect((await start(operation, { content: 'hello there' })).asked).toEqual([]);
  });
});

describe('!timeout of n8n', () => {
  const operation = operationOf('timeout');
  const { answer } = operation.example;

  test('times the member out until then, with the reason in the audit log', async () => {
    const { told, asked, messages } = await run(operation, {
      ...answer,
      until_iso: UNTIL,
      reason: 'spamming 100 % “links”\nagain',
    });
    expect(asked[0]?.fields.get('timestamps')).toBe('true');
    expect(told.map(({ request, body }) => ({ request, body }))).toEqual([
      {
        request: 'PATCH https://discord.com/api/v10/guilds/YOUR_SERVER_ID/members/123456789012345678',
        body: { communication_disabled_until: UNTIL },
      },
    ]);
    expect(told[0]?.headers.get('Authorization')).toBe('Bot bot-token');
    const reason = told[0]?.headers.get('X-Audit-Log-Reason') ?? '';
    expect(decodeURIComponent(reason)).toBe('spamming 100 % “links”\nagain');
    expect(messages).toEqual([expect.stringContaining('is timed out for 7d. spamming')]);
  });

  test('sends the audit log no reason when there is none, and at most 512 characters', async () => {
    const none = await run(operation, { ...answer, reason: null });
    expect(none.told[0]?.headers.has('X-Audit-Log-Reason')).toBe(false);
    const long = await run(operation, { ...answer, reason: `x${'😀'.repeat(400)}` });
    expect(decodeURIComponent(long.told[0]?.headers.get('X-Audit-Log-Reason') ?? '')).toHaveLength(512);
  });

  test('asks nothing of Discord when the line cannot be read', async () => {
    expect((await run(operation, { ...answer, user_id: null })).told).toEqual([]);
  });

  test('stops without a message when no credential is chosen', async () => {
    const { n8n, messages } = openN8n(answer);
    const { botToken: _, ...without } = n8n;
    const result = runN8n(workflowOf(operation), 'Quartermaster', exampleItem(operation), without);
    await expect(result).rejects.toThrow('Credentials not found');
    expect(messages).toEqual([]);
  });

  test('acts in a server, and tells when Discord refuses', async () => {
    const server = await openRecipeServer();
    onTestFinished(() => server.close());
    const app = await startTestApp();
    onTestFinished(() => app.app.close());
    const key = await app.createKey({ guildId: EXAMPLE_GUILD_ID });
    const code = writeRecipe(RECIPE_WRITERS.n8n, { operation, publicUrl: app.url, key, fields: {} })
      .code.replaceAll('https://discord.com/api', server.discord.apiUrl)
      .replaceAll('YOUR_SERVER_ID', EXAMPLE_GUILD_ID);
    const { n8n, messages } = openN8n();
    const connected = { ...n8n, botToken: server.discord.bot().token, fetch };
    const runLine = (content: string) =>
      runN8n(JSON.parse(code) as Workflow, 'Only !timeout', { content }, connected);
    await runLine(`!timeout <@${TARGET_ID}> 2h spamming links`);
    await runLine(`!timeout <@${TOP_ID}> 2h`);
    await runLine('!timeout <@399999999999999999> 2h');
    const calls = server.discord.rest.callsTo('PATCH /guilds/:guild/members/:user');
    expect(calls).toMatchObject([
      { status: 200, reason: 'spamming links' },
      { status: 403, reason: null },
      { status: 404 },
    ]);
    expect(messages).toEqual([
      `<@${TARGET_ID}> is timed out for 2h. spamming links`,
      SENTENCES.forbidden,
      'Discord: Unknown Member',
    ]);
  });
});

describe('!addemoji of n8n', () => {
  const operation = operationOf('addemoji');
  const { answer } = operation.example;

  test('makes the emoji, and says so', async () => {
    const { told, messages } = await run(operation, answer);
    expect(told.map(({ request, body }) => ({ request, body }))).toEqual([
      {
        request: 'POST https://discord.com/api/v10/guilds/YOUR_SERVER_ID/emojis',
        body: { name: 'new_emoji', image: answer['data_uri'] },
      },
    ]);
    expect(told[0]?.headers.get('Authorization')).toBe('Bot bot-token');
    expect(messages).toEqual(['New emoji: new_emoji']);
  });

  test('asks nothing of Discord when the picture cannot be an emoji', async () => {
    const { told, messages } = await run(operation, { ...answer, emoji_ok: false });
    expect(told).toEqual([]);
    expect(messages).toEqual([SENTENCES.noEmoji]);
  });

  test('tells when Discord refuses', async () => {
    const { n8n, messages } = openN8n(answer);
    const refusing: typeof fetch = async (address, init) =>
      (address instanceof Request ? address.url : String(address)).startsWith('https://discord.com')
        ? Response.json({ message: 'Missing Permissions', code: 50_013 }, { status: 403 })
        : n8n.fetch(address, init);
    await runN8n(workflowOf(operation), 'Quartermaster', exampleItem(operation), {
      ...n8n,
      fetch: refusing,
    });
    expect(messages).toEqual([SENTENCES.forbidden]);
  });
});
