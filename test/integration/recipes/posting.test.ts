import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { flatten } from '../../../src/http/answer/flat.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { WEBHOOK_NAME } from '../../../src/recipes/request-fields.ts';
import { openAoiBot, type AoiBot } from './aoijs-bot.ts';
import { openForgeBot, type ForgeBot } from './forgescript-bot.ts';
import { runIntercepted } from './run-intercepted.ts';
import { runBdfd, READERS_WEBHOOK, type RecipeRunner, type Sent } from './recipe-languages.ts';
import { openRecipeServer, runDiscordJsIn, type RecipeServer } from './recipe-server.ts';
import { openInterceptor, type Interceptor } from './interceptor.ts';

// What a recipe does with a text of more than one call, and when it does not arrive whole. That it arrives is in recipes.test.ts.

const operation = RECIPE_OPERATIONS.find(({ recipe }) => recipe.use === 'post_text');
if (operation === undefined) throw new Error('No operation posts a text');
const { answer } = operation.example;
const message = `!${operation.recipe.command} A long text.`;
const codeOf = (id: keyof typeof RECIPE_WRITERS) =>
  writeRecipe(RECIPE_WRITERS[id], { operation, publicUrl: 'http://127.0.0.1:1', key: 'qm_key', fields: {} })
    .code;

let server: RecipeServer;
let interceptor: Interceptor;
let aoiBot: AoiBot;
let forgeBot: ForgeBot;
beforeAll(async () => {
  server = await openRecipeServer();
  interceptor = await openInterceptor();
  aoiBot = await openAoiBot(server);
  forgeBot = await openForgeBot(server);
});
afterAll(async () => {
  await aoiBot.close();
  await forgeBot.close();
  await interceptor.close();
  await server.close();
});

const RUNNERS = {
  bdfd: runBdfd,
  forgescript: (...args) => runIntercepted(server, interceptor, forgeBot)(...args),
  aoijs: (...args) => runIntercepted(server, interceptor, aoiBot)(...args),
  discordjs: (...args) => runDiscordJsIn(server)(...args),
} satisfies Record<string, RecipeRunner>;

/** Runs a recipe against answers of the service, one after the other. The last one stays. */
async function run(id: keyof typeof RUNNERS, ...answers: (object | Error)[]) {
  const asked: Sent[] = [];
  const result = await RUNNERS[id](
    codeOf(id),
    message,
    async (request) => {
      const next = answers[Math.min(asked.length, answers.length - 1)];
      asked.push(request);
      if (next instanceof Error) throw next;
      return `${request.url}&${request.body ?? ''}`.includes('flat=true') ? flatten({ ...next }, null) : next;
    },
    'qm_key',
  );
  // aoi.js says that the service is away in no reply.
  return { text: [...result.messages, result.text].join('').trim(), asked };
}

const headerOf = ({ headers }: Sent, name: string) =>
  Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];

const STOPPED = { ...answer, state: 'stopped', sent: 0, uncertain: true, rest: 'x', reason: 'Look first.' };
const MORE = {
  ...answer,
  state: 'stopped',
  total: 11,
  sent: 10,
  rest: 'the rest',
  reason: 'There is more.',
  retry_after: 0,
};

describe.each(Object.keys(RUNNERS) as (keyof typeof RUNNERS)[])('a text posted by the %s recipe', (id) => {
  test('is sent with the webhook of the environment, and with a name of its own', async () => {
    const { asked } = await run(id, answer);
    const [first, second] = [asked[0], (await run(id, answer)).asked[0]];
    if (first === undefined || second === undefined) throw new Error('Nothing was asked');
    expect(READERS_WEBHOOK.url).toContain(headerOf(first, 'webhook'));
    const names = [first, second].map((request) => headerOf(request, 'idempotency-key'));
    expect(names).toEqual([expect.stringMatching(/^\d+(?:-1)?$/), expect.stringMatching(/^\d+(?:-1)?$/)]);
    expect(names[0]).not.toBe(names[1]);
  });

  test('is reported as stopped when it stops, and is not sent again', async () => {
    const { text, asked } = await run(id, STOPPED);
    expect([text, asked.length]).toEqual(['Look first.', 1]);
  });
});

test.each(['bdfd', 'aoijs', 'forgescript'] as const)(
  'a text that is too long for one call is reported by the %s recipe, which cannot send the rest',
  async (id) => {
    const { text, asked } = await run(id, MORE);
    expect([text, asked.length]).toEqual(['There is more.', 1]);
  },
);

// ForgeScript ends a command at a connection that fails.
test.each(['bdfd', 'aoijs', 'discordjs'] as const)(
  'a text that may have been posted needs a look before it is sent again, says the %s recipe',
  async (id) => {
    const { text } = await run(id, new Error('away'));
    expect(text).toBe('The service cannot be reached. Look into the channel before you try again.');
  },
);

describe('the discord.js recipe', () => {
  test('sends the rest of a long text, each time with a key of its own', async () => {
    const { text, asked } = await run('discordjs', MORE, MORE, answer);
    expect(text).toBe('Messages posted: 21 of 21');
    const bodies = asked.map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>);
    expect(bodies).toEqual([
      expect.objectContaining({ dialect: 'github' }),
      { text: 'the rest' },
      { text: 'the rest' },
    ]);
    const keys = asked.map((request) => headerOf(request, 'idempotency-key')?.replace(/^\d+/, ''));
    expect(keys).toEqual(['-1', '-2', '-3']);
  });

  test('repeats a call that posted nothing, with the same key', async () => {
    const failure = { ok: false, error: 'Busy.', retry_after: 0 };
    const { text, asked } = await run('discordjs', failure, answer);
    expect(text).toBe('Messages posted: 1 of 1');
    expect(asked[1]?.body).toBe(asked[0]?.body);
    expect(new Set(asked.map((request) => headerOf(request, 'idempotency-key'))).size).toBe(1);
  });

  test('gives up after ten calls, and says why', async () => {
    const { text, asked } = await run('discordjs', MORE);
    expect([text, asked.length]).toEqual(['There is more.', 10]);
  });

  test('asks again after a broken connection, with the same Idempotency-Key', async () => {
    const { text, asked } = await run('discordjs', new Error('reset'), answer);
    expect(text).toBe('Messages posted: 1 of 1');
    expect(new Set(asked.map((request) => headerOf(request, 'idempotency-key'))).size).toBe(1);
    expect(asked).toHaveLength(2);
  });
});

test("no recipe contains a webhook URL: it is with the builder's secrets, or a placeholder marks where it goes", () => {
  const places = Object.entries(RECIPE_WRITERS).map(([id, writer]) => {
    const { code } = writeRecipe(writer, {
      operation,
      publicUrl: 'https://qm.example',
      key: 'qm_key',
      fields: {},
    });
    expect(code).not.toMatch(/webhooks\/\d/);
    const isMarked = /YOUR_WEBHOOK|WEBHOOK_ID/.test(code);
    const otherPlace = code.includes('httpHeaderAuth') ? 'credential' : isMarked;
    return [id, code.includes(WEBHOOK_NAME) ? 'secret' : otherPlace];
  });
  expect(Object.fromEntries(places)).toEqual({
    bdfd: 'secret',
    kite: 'secret',
    aoijs: 'secret',
    forgescript: 'secret',
    discordjs: 'secret',
    discordpy: 'secret',
    curl: 'secret',
    n8n: 'credential',
    make: true,
    botghost: true,
    discord_bot_maker: true,
    zapier: true,
  });
});
