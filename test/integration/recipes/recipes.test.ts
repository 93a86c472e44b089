import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { flatten } from '../../../src/http/answer/flat.ts';
import { isBuilderId, KEY_BUILDERS, BUILDERS, type BuilderId } from '../../../src/recipes/builders.ts';
import { firstRecipe } from '../../../src/recipes/first-recipe.ts';
import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import type { RecipeUse } from '../../../src/recipes/recipe-definition.ts';
import { RECIPE_OPERATIONS, type RecipeOperation } from '../../../src/recipes/recipe-operations.ts';
import { TOKEN_PLACEHOLDER } from '../../../src/recipes/request-fields.ts';
import { SENTENCES } from '../../../src/recipes/sentences.ts';
import { allThatWentWrong, whatWentWrong } from '../../../src/recipes/what-went-wrong.ts';
import { isFullRun } from '../../fixtures/full-run.ts';
import { openExampleService, type ExampleService } from './example-service.ts';
import {
  readBotGhost,
  readCurl,
  readDiscordBotMaker,
  readKite,
  readMake,
  readN8n,
  readZapier,
  type Reader,
} from './recipe-forms.ts';
import { openAoiBot, type AoiBot } from './aoijs-bot.ts';
import { isDiscordPyMissing, openPyBot, runDiscordPyIn, type PyBot } from './discordpy-bot.ts';
import { openForgeBot, type ForgeBot } from './forgescript-bot.ts';
import { runIntercepted } from './run-intercepted.ts';
import { runBdfd, READERS_WEBHOOK, type RecipeRunner, type Sent } from './recipe-languages.ts';
import { openRecipeServer, runDiscordJsIn, type RecipeServer } from './recipe-server.ts';
import { openInterceptor, type Interceptor } from './interceptor.ts';

const IS_PY_MISSING = isDiscordPyMissing();

let service: ExampleService;
let server: RecipeServer;
let interceptor: Interceptor;
let aoiBot: AoiBot;
let forgeBot: ForgeBot;
let pyBot: PyBot;
beforeAll(async () => {
  service = await openExampleService();
  service.letBotAct();
  server = await openRecipeServer();
  interceptor = await openInterceptor();
  aoiBot = await openAoiBot(server);
  forgeBot = await openForgeBot(server);
  if (!IS_PY_MISSING) pyBot = await openPyBot(server);
});
afterAll(async () => {
  if (!IS_PY_MISSING) await pyBot.close();
  await aoiBot.close();
  await forgeBot.close();
  await interceptor.close();
  await server.close();
  await service.close();
});

/** A line as users write it: each part of it breaks a recipe that is pasted together carelessly. */
const HOSTILE = `!timeout <@123456789012345678> 2h said "hi", it's 100% \\o/ & $1; [a](b) {c} #x = y? 'z'\nsecond line`;
/** Five chunks of 120: the number that recipes without a loop send. */
const LONG = `${'One "quoted" sentence; with [signs] & $more. '.repeat(12).trim()}\n\nEnd.`;

/** The result is posted or sent in several messages. */
const takesLongText = ({ recipe }: RecipeOperation) => recipe.filledBy === 'long_text';
const isPosting = ({ recipe }: RecipeOperation) => recipe.use === 'post_text';

function optionsOf(operation: RecipeOperation): Record<string, string> {
  const { secretHeader, example } = operation;
  return {
    ...(takesLongText(operation) ? { max_length: '120' } : {}),
    ...(secretHeader === 'Token' ? { guild_id: String(example.input['guild_id']) } : {}),
  };
}

function inputOf(operation: RecipeOperation): string {
  const { recipe, textField } = operation;
  if (recipe.field === textField) return takesLongText(operation) ? LONG : HOSTILE;
  return [service.inputOf(operation)[recipe.field]].flat().join(', ');
}

async function send({ method, url, headers, body }: Sent): Promise<Record<string, unknown>> {
  const real = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    value
      .replace(TOKEN_PLACEHOLDER, service.token)
      .replace(READERS_WEBHOOK.parts, `${service.webhook.id}/${service.webhook.token}`),
  ]);
  const response = await fetch(url, {
    method,
    headers: Object.fromEntries(real),
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

/** Tools whose variable holds what follows the command: their own `$message`, or an option of a slash command. */
const WITHOUT_COMMAND = new Set(['bdfd', 'forgescript', 'aoijs', 'botghost', 'kite']);

/** The message as a user writes it, with a command. */
function messageOf(operation: RecipeOperation): string {
  const input = inputOf(operation);
  const { command, filledBy } = operation.recipe;
  return filledBy === 'line' ? input : `!${command} ${input}`;
}

/** The part of the input that a builder's variable holds. */
function variableOf(id: string, operation: RecipeOperation): string {
  const input = inputOf(operation);
  const isCut = operation.recipe.filledBy === 'line' && WITHOUT_COMMAND.has(id);
  return isCut ? input.split(' ').slice(1).join(' ') : input;
}

/** The messages that a text makes. */
async function chunksOf(text: string): Promise<string[]> {
  const splitter = RECIPE_OPERATIONS.find(({ recipe }) => recipe.use === 'send_chunks');
  if (splitter === undefined) throw new Error('No operation has chunks to send');
  return (await plainAnswer(splitter, text, false))['chunks'] as string[];
}

/** The operation's answer to that input when it is asked plainly. */
async function plainAnswer(
  operation: RecipeOperation,
  input: string,
  isArguments: boolean,
): Promise<Record<string, unknown>> {
  if (isPosting(operation)) {
    const total = (await chunksOf(input)).length;
    return { state: 'sent', total, sent: total, uncertain: false, rest: null };
  }
  const { field, withoutCommand = {}, options } = operation.recipe;
  const query = new URLSearchParams({ ...optionsOf(operation), [field]: input });
  for (const [name, value] of Object.entries({ ...options, ...(isArguments ? withoutCommand : {}) }))
    query.set(name, String(value));
  return (await service.call(`${operation.path}?${query.toString()}`)).body;
}

/** BDFD makes an emoji from the URL itself, so its recipe does not ask for a smaller picture. */
function comparable(operation: RecipeOperation, builder: string): RecipeOperation {
  if (builder !== 'bdfd' || operation.recipe.use !== 'make_emoji') return operation;
  return { ...operation, recipe: { ...operation.recipe, options: { format: 'data_uri' } } };
}

/** Checks that an answer is the one to the input. Flat answers write lists and nulls in another way. */
function expectSame(answer: Record<string, unknown>, plain: Record<string, unknown>): void {
  expect(answer).toMatchObject({ status: 200, ok: true });
  for (const [name, value] of Object.entries(plain)) {
    if (['as_of', 'base64', 'data_uri'].includes(name) || typeof value === 'object') continue;
    expect([name, answer[name]]).toEqual([name, value]);
  }
}

const requestFor = (operation: RecipeOperation, fields: Record<string, string>) => ({
  operation,
  publicUrl: service.url,
  key: service.key,
  fields: { ...optionsOf(operation), ...fields },
});

const cases = RECIPE_OPERATIONS.flatMap((operation) => [
  [operation.name, 'with what a user writes', operation, false] as const,
  [operation.name, "with the reader's own value", operation, true] as const,
]);
const BUILDER_IDS = Object.keys(BUILDERS);
/** By default each operation in one way, in another one with the next builder. What fails is tried in the other way. */
const casesOf = (id: BuilderId, ofFailures = 0) =>
  cases.filter(
    ([, , , literal], at) =>
      isFullRun() || literal === ((BUILDER_IDS.indexOf(id) + (at >> 1) + ofFailures) % 2 === 0),
  );

const says = (text: string) => ({ text: expect.stringContaining(text) as unknown });
const IMAGE_ADDRESS = /^http/;
const IMAGE_DATA = /^data:image\/png;base64,iVBOR/;

/** The result of each recipe, made from the answer. */
const OUTCOMES: Record<RecipeUse, (id: string, plain: Record<string, unknown>) => object> = {
  time_out: () => says('second line'),
  make_role: () => says('2112'),
  send_chunks: (_id, plain) => ({ messages: plain['chunks'] }),
  make_emoji: (id) => ({
    messages: [expect.stringMatching(id === 'bdfd' ? IMAGE_ADDRESS : IMAGE_DATA)],
  }),
  list_members: () => says('2 members'),
  // They mention the roles and ping nobody.
  list_roles: (_id, { members, roles }) => {
    const [{ role_id, count } = {}] = roles as { role_id: string; count: number }[];
    return says(`${String(members)} members\n<@&${role_id}>: ${count}`);
  },
  post_text: (_id, plain) => says(`Messages posted: ${String(plain['sent'])} of ${String(plain['total'])}`),
};

function outcomeOf({ recipe }: RecipeOperation, id: string, plain: Record<string, unknown>): object {
  if (typeof recipe.use === 'string') return OUTCOMES[recipe.use](id, plain);
  return says([plain[recipe.use[0] ?? '']].flat().map(String)[0] ?? '');
}

const RUNNERS = {
  bdfd: runBdfd,
  forgescript: (...args) => runIntercepted(server, interceptor, forgeBot)(...args),
  aoijs: (...args) => runIntercepted(server, interceptor, aoiBot)(...args),
  discordjs: (...args) => runDiscordJsIn(server)(...args),
  discordpy: (...args) => runDiscordPyIn(server, interceptor, pyBot)(...args),
} satisfies Partial<Record<BuilderId, RecipeRunner>>;
const INSTALLED = (Object.entries(RUNNERS) as [keyof typeof RUNNERS, RecipeRunner][]).filter(
  ([id]) => id !== 'discordpy' || !IS_PY_MISSING,
);

describe.each(INSTALLED)('the %s recipe, run', (id, run) => {
  test.each(casesOf(id))('returns the right result for %s %s', async (_name, _how, operation, literal) => {
    const input = literal ? inputOf(operation) : variableOf(id, operation);
    const { field } = operation.recipe;
    const { code } = writeRecipe(
      RECIPE_WRITERS[id],
      requestFor(operation, literal ? { [field]: input } : {}),
    );
    const plain = await plainAnswer(comparable(operation, id), input, !literal && WITHOUT_COMMAND.has(id));
    const posted = service.webhook.messages.length;
    const answers: Record<string, unknown>[] = [];
    const result = await run(
      code,
      messageOf(operation),
      async (request) => {
        const answer = await send(request);
        answers.push(answer);
        return answer;
      },
      service.key,
    );
    const asksFirst = operation.recipe.use === 'time_out' && RECIPE_WRITERS[id].asksFirst === true;
    expect(result.sent).toHaveLength(asksFirst ? 2 : 1);
    expectSame(answers[0] ?? {}, plain);
    expect(result).toMatchObject(outcomeOf(operation, id, plain));
    // The whole text, in order, and once.
    const wanted = isPosting(operation) ? await chunksOf(input) : [];
    expect(service.webhook.texts.slice(posted)).toEqual(wanted);
  });

  test.each(casesOf(id, 1))(
    'shows for %s %s why it failed, and has no other effect',
    async (_name, _how, operation, literal) => {
      const given = literal ? { [operation.recipe.field]: inputOf(operation) } : {};
      const { code } = writeRecipe(RECIPE_WRITERS[id], requestFor(operation, given));
      const error = 'Too many requests for this server.';
      const answer = { ok: false, status: 429, code: 'rate_limited', error };
      const result = await run(code, messageOf(operation), async () => answer, service.key);
      expect(result.messages).toEqual([]);
      expect(result.text.trim()).toBe(error);
    },
  );
});

/** A message that calls the command of an operation, with the values of its example. */
function exampleMessage({ recipe, example }: RecipeOperation): string {
  const given = [example.input[recipe.field]].flat().join(', ');
  const words = recipe.filledBy === 'line' ? given.split(' ').slice(1).join(' ') : given;
  return `!${recipe.command} ${words}`;
}

describe.each(INSTALLED)('the text that the page shows of %s', (id, run) => {
  test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'equals the replies of the recipe for %s',
    async (_name, operation) => {
      const { code, seen } = writeRecipe(RECIPE_WRITERS[id], {
        operation,
        publicUrl: service.url,
        key: service.key,
        fields: {},
      });
      const { answer } = operation.example;
      const result = await run(
        code,
        exampleMessage(operation),
        async ({ url, body = '' }) =>
          `${url}&${body}`.includes('flat=true') ? flatten(answer, null) : answer,
        service.key,
      );
      const said = seen.filter(({ from }) => from === 'bot').map(({ text }) => text.trim());
      const isChunked = operation.recipe.use === 'send_chunks';
      expect(isChunked ? result.messages : [result.text.trim().slice(0, said[0]?.length)]).toEqual(said);
    },
  );
});

describe('a response of a language model', () => {
  const splitter = RECIPE_OPERATIONS.find(({ recipe }) => recipe.use === 'send_chunks');
  const ANSWER = `#### Sizes\n\n| Name | Size |\n|--|--|\n| a | 1 |\n\n${LONG}\n\n${LONG}`;

  test.each(INSTALLED)('is sent in full by the %s recipe, or not at all', async (id, run) => {
    if (splitter === undefined) throw new Error('No operation has chunks to send');
    const { code } = writeRecipe(RECIPE_WRITERS[id], requestFor(splitter, {}));
    const result = await run(code, `!${splitter.recipe.command} ${ANSWER}`, send, service.key);
    const { chunks } = await plainAnswer(splitter, ANSWER, false);
    const canLoop = id !== 'bdfd';
    expect(result.messages).toEqual(canLoop ? chunks : []);
    expect(result.messages.join('\n')).toMatch(canLoop ? /\*\*Sizes\*\*[^]*Name {2}Size/ : /^$/);
    expect(result.text.trim()).toBe(canLoop ? '' : 'The text makes more than 5 chunks.');
  });
});

const READERS = {
  botghost: readBotGhost,
  kite: readKite,
  discord_bot_maker: readDiscordBotMaker,
  n8n: readN8n,
  make: readMake,
  zapier: readZapier,
  curl: readCurl,
} satisfies Partial<Record<BuilderId, Reader>>;

/** Variables as these builders write them; each is replaced by what the user gave. */
const VARIABLE =
  /\{(?:option_\w+|user_id|server_id)\}|\{\{ (?:arg\('\w+'\)|user\.id|guild\.id) \}\}|\$\{(?:encodeURIComponent|JSON\.stringify)\(tempVars\("\w+"\)\)\}|=\{\{ (?:String\(|\[)?\$json\.\w+.*? \}\}|\{\{(?:replace\()?1\.\w+.*?\}\}|YOUR_SERVER_ID|\{\{(?:your \w+|Output 1)\}\}/;

/** Where each builder keeps the URL of a webhook: in a secret, a credential, its environment, or the header itself. */
const SECRET_PLACES =
  /\{\{secrets\.QUARTERMASTER_WEBHOOK\}\}|\$QUARTERMASTER_WEBHOOK|WEBHOOK_ID\/WEBHOOK_TOKEN|YOUR_WEBHOOK/;

function filledIn(variable: string, input: string): string {
  if (variable.startsWith('${JSON')) return JSON.stringify(input);
  return variable.startsWith('${') ? encodeURIComponent(input) : input;
}

/** Keys that an answer has only when something failed. */
const IN_FAILURES = ['error', 'hint', 'retry_after'];

describe.each(Object.entries(READERS) as [keyof typeof READERS, Reader][])('the %s recipe', (id, read) => {
  test.each(casesOf(id))(
    'for %s %s sends a valid request and reads only keys of the answer',
    async (_name, _how, operation, literal) => {
      // A line of a form holds one line, and curl has no variables.
      const written = literal ? inputOf(operation) : variableOf(id, operation);
      const input = written.replaceAll(/\n+/g, id === 'curl' || !literal ? '\n' : ' ');
      const given = literal || id === 'curl' ? { [operation.recipe.field]: input } : {};
      const { code } = writeRecipe(RECIPE_WRITERS[id], requestFor(operation, given));
      const fill = (text: string) =>
        text
          // A message, an execution and a text have a name of their own each time.
          .replace(
            /^(?:=\{\{ \$execution\.id .*|\{\{var\.scenario\.executionId\}\}-\{\{md5\(.*\)\}\})$/,
            randomUUID(),
          )
          .replace(VARIABLE, (variable) => filledIn(variable, input))
          .replace('{{secrets.QUARTERMASTER_KEY}}', service.key)
          .replace(SECRET_PLACES, (place) =>
            place === 'WEBHOOK_ID/WEBHOOK_TOKEN' ? READERS_WEBHOOK.parts : READERS_WEBHOOK.url,
          );
      const posted = service.webhook.messages.length;
      const { request, reads } = read(code, fill);
      const answer = await send(request);
      expectSame(answer, await plainAnswer(operation, input, !literal && WITHOUT_COMMAND.has(id)));
      const wanted = isPosting(operation) ? await chunksOf(input) : [];
      expect(service.webhook.texts.slice(posted)).toEqual(wanted);
      const there = new Set([...Object.keys(answer), ...IN_FAILURES]);
      // A server may have fewer roles than a recipe shows, and Zapier has a list for each key of a role.
      const isRole = (key: string) =>
        operation.recipe.use === 'list_roles' && /^roles_(?:\d_)?(?:role_id|count)$/.test(key);
      expect(reads.filter((key) => !there.has(key) && !isRole(key))).toEqual([]);
      // Whether it worked, and why not.
      expect(reads).toEqual(expect.arrayContaining(['ok', 'error']));
      const shown = reads.filter((key) => key !== 'error' && key !== 'ok');
      expect(shown.length).toBeGreaterThanOrEqual(id === 'n8n' ? 0 : 1);
    },
  );
});

test.each(Object.entries(RECIPE_WRITERS).filter(([id]) => id !== 'curl'))(
  'the %s recipe shows the posted text, by the webhook',
  (_id, writer) => {
    for (const operation of RECIPE_OPERATIONS.filter(isPosting)) {
      const posted = writeRecipe(writer, requestFor(operation, {})).seen.filter(
        ({ from }) => from === 'webhook',
      );
      expect(posted.map(({ text }) => text)).toEqual([operation.example.input[operation.recipe.field]]);
    }
  },
);

test.each(['discordjs', 'discordpy', 'aoijs', 'forgescript', 'kite'] as const)(
  'the %s recipe has the key once, where the builder keeps secrets',
  (id) => {
    for (const operation of RECIPE_OPERATIONS) {
      const { steps, code } = writeRecipe(RECIPE_WRITERS[id], {
        ...requestFor(operation, {}),
        key: 'qm_key',
      });
      // What is typed into fields is in the steps, and repeated in `code`.
      const pasted = steps.some(({ kind }) => kind === 'paste') ? code : '';
      expect(JSON.stringify(steps).split('qm_key')).toHaveLength(2);
      expect(JSON.stringify(steps[0])).toContain('qm_key');
      expect(pasted).not.toContain('qm_key');
    }
  },
);

test.each(Object.entries(RECIPE_WRITERS))('the %s recipe has no key in a comment', (_id, writer) => {
  for (const operation of RECIPE_OPERATIONS) {
    const { code } = writeRecipe(writer, { ...requestFor(operation, {}), key: 'qm_key' });
    expect(code.split('\n').filter((line) => /^\s*(?:\/\/|#).*qm_key/.test(line))).toEqual([]);
  }
});

test.each(Object.entries(RECIPE_WRITERS))('the %s recipe says what it was checked against', (_id, writer) => {
  expect(writer.checked).toMatch(/^(?:Checked against|Written (?:from|for)) |not confirmed\.$/);
});

test('n8n passes on responses of every status', () => {
  for (const operation of RECIPE_OPERATIONS) {
    const { nodes } = JSON.parse(writeRecipe(RECIPE_WRITERS.n8n, requestFor(operation, {})).code) as {
      nodes: { parameters: unknown }[];
    };
    expect(nodes[0]?.parameters).toMatchObject({ options: { response: { response: { neverError: true } } } });
  }
});

describe('the steps for a new key', () => {
  test.each(KEY_BUILDERS)('are two or three self-contained ones per operation in %s', (builder) => {
    for (const { name } of RECIPE_OPERATIONS) {
      const { steps = [], url } = firstRecipe(builder, 'https://api.example', [name]) ?? {};
      expect(steps.length).toBeGreaterThanOrEqual(2);
      expect(steps.length).toBeLessThanOrEqual(3);
      // The words with which steps speak of their fields, conditions and variables.
      for (const { text } of steps)
        expect(text).not.toMatch(/\b(?:these (?!texts)|this text|its fields|paste this)\b/);
      expect(url).toMatch(new RegExp(`^https://api\\.example/docs/${name}\\?tool=\\w+$`));
    }
    expect(firstRecipe(builder, 'https://api.example')?.url).toContain(`/${RECIPE_OPERATIONS[0]?.name}?`);
  });

  test('begin with where to store the key if the bot reads it from a file or a secret', () => {
    for (const builder of ['code', 'kite'] as const)
      expect(firstRecipe(builder, 'https://api.example')?.steps[0]?.text).toContain('QUARTERMASTER_KEY');
  });
});

/** Behind a colon, the command begins with `/` in some builders. */
const beginning = (text: string) => text.split(':', 1)[0] ?? '';

describe('the table of errors', () => {
  test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'explains with %s exactly the sentences that its recipes show',
    (_name, operation) => {
      const { recipe } = operation;
      const said = [
        ...Object.values(SENTENCES).map((say) => (typeof say === 'string' ? say : null)),
        SENTENCES.noMember('!'),
        SENTENCES.noTime('!'),
        SENTENCES.unreachable(recipe.use),
        ...(recipe.permission === null ? [] : [SENTENCES.needs(recipe.permission)]),
      ].filter((say) => say !== null);
      const explainedByAny = new Set<string>();
      for (const builder of Object.keys(BUILDERS).filter(isBuilderId)) {
        const { code } = writeRecipe(RECIPE_WRITERS[builder], requestFor(operation, {}));
        const explained = whatWentWrong(operation, builder).map(({ says }) => says);
        for (const says of explained) expect(code).toContain(says);
        const wanted = said.map(beginning).filter((say) => code.includes(say));
        expect(explained.map(beginning)).toEqual(expect.arrayContaining(wanted));
        for (const says of explained) explainedByAny.add(beginning(says));
      }
      expect(explainedByAny.size).toBeGreaterThan(2);
      const everywhere = allThatWentWrong().map(({ says }) => beginning(says));
      expect([...explainedByAny].filter((says) => !everywhere.includes(says))).toEqual([]);
    },
  );
});

describe('printed recipes', () => {
  test('have only text to paste in their code blocks', () => {
    const script = fileURLToPath(new URL('../../../scripts/print-recipes.ts', import.meta.url));
    const printed = execFileSync(process.execPath, [script, 'parse-args'], { encoding: 'utf8' });
    expect(printed).toContain('\n.env:\n\n```\nQUARTERMASTER_KEY=YOUR_API_KEY\n```\n');
    expect(printed).toContain('\nJSON Path: (leave empty)\n');
    expect(printed).toContain('\nHTTP header `Authorization`:\n\n```\nYOUR_API_KEY\n```\n');
  });
});

test('every recipe is tested', () => {
  expect([...Object.keys(RUNNERS), ...Object.keys(READERS)].toSorted()).toEqual(
    Object.keys(BUILDERS).toSorted(),
  );
});
