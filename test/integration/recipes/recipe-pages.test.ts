import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { SimulatedWebhook } from '../../simulator/webhooks.ts';
import { runBlueprint, type Blueprint, type MakeWorld } from './blueprint-runner.ts';
import { nodesNamedIn, runN8n, type N8n, type Workflow } from './n8n-runner.ts';
import {
  HELPER_ID,
  install,
  openRecipeServer,
  sentMessages,
  write,
  type RecipeServer,
} from './recipe-server.ts';

const DOCS = new URL('../../../docs/', import.meta.url);
const PAGE = readFileSync(new URL('recipes.md', DOCS), 'utf8');
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<unknown>;

const ANSWER = [
  '#### Sizes',
  '| Name | Size |\n| --- | --- |\n| a | 1 |',
  ...Array.from(
    { length: 12 },
    (_, index) => `Paragraph ${index + 1}: ${'some **bold** words. '.repeat(25)}`,
  ),
  `\`\`\`js\n${'let a = 1;\n'.repeat(150)}\`\`\``,
].join('\n\n');

let discord: Simulator;
let app: TestApp;
let webhook: SimulatedWebhook;
beforeAll(async () => {
  discord = await startSimulator();
  app = await startTestApp({ DISCORD_API_URL: discord.apiUrl, SEND_RATE_LIMIT: '1000' });
  webhook = discord.addWebhook({ guildId: app.guildId });
});
afterAll(async () => {
  await app.app.close();
  await discord.close();
});

/** Code with this service's URL and key. */
const filled = (code: string) =>
  code.replaceAll('https://quartermaster.example', app.url).replaceAll('YOUR_API_KEY', app.key);

/** A file of docs/flows/. */
const flowOf = (name: string) => filled(readFileSync(new URL(`flows/${name}.json`, DOCS), 'utf8'));

/** The code of a section of docs/recipes.md. */
function codeOf(heading: string): string {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(heading));
  const code = /```\w+\n([\s\S]*?)\n```\n/.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`docs/recipes.md has no code under "${heading}"`);
  return filled(code);
}

async function runStream(code: string) {
  const sent: { content: string; allowedMentions: unknown }[] = [];
  const sentAt: number[] = [];
  let arrived = 0;
  async function* parts() {
    for (const part of ANSWER.match(/[^]{1,90}/g) ?? []) {
      arrived += part.length;
      yield part;
    }
  }
  const channel = {
    send: async (message: (typeof sent)[number]) => {
      sent.push(message);
      sentAt.push(arrived);
    },
  };
  await new AsyncFunction('channel', 'parts', `${code}\nreturn sendStream(channel, parts);`)(
    channel,
    parts(),
  );
  return { sent, sentAt };
}

describe('the stream for discord.js', () => {
  test('sends all of a response as messages that fit, from the first full one on', async () => {
    const { sent, sentAt } = await runStream(codeOf('An answer while it is being written'));
    const text = sent.map(({ content }) => content).join('\n');
    expect(text).toMatch(/^#### Sizes\n\n\| Name/);
    expect(text.match(/some \*\*bold\*\* words\./g)).toHaveLength(12 * 25);
    expect(text.match(/let a = 1;/g)).toHaveLength(150);
    for (const { content, allowedMentions } of sent) {
      expect(content.length).toBeLessThanOrEqual(2_000);
      expect((content.match(/```/g) ?? []).length % 2).toBe(0);
      expect(allowedMentions).toEqual({ parse: [] });
    }
    expect(sentAt[0]).toBeLessThan(5_000);
    expect(sentAt[0]).toBeLessThan(sentAt.at(-1) ?? 0);
  });

  test('stops with the reason when it is refused', async () => {
    const code = codeOf('An answer while it is being written').replace(app.key, 'no_key');
    await expect(runStream(code)).rejects.toThrow(/key/i);
  });
});

const n8n = (): N8n => ({
  credential: { Webhook: webhook.url },
  chosen: nodesNamedIn(PAGE),
  executionId: 'e1',
  fetch,
});

/** GitHub reports a release. */
function tell(action: string, body: string | null, node_id: string, world = n8n()): Promise<void> {
  const workflow = JSON.parse(flowOf('changelog-n8n')) as Workflow;
  const release = { body, node_id, tag_name: 'v1.2', html_url: 'https://github.com/o/r/releases/v1.2' };
  return runN8n(workflow, 'GitHub', { body: { action, release } }, world);
}

describe("the workflow for n8n that posts GitHub's changelog", () => {
  test('posts a long changelog as several messages that mention no one', async () => {
    await tell('published', `${ANSWER}\n\n- @everyone [x] done`, 'one');
    expect(webhook.messages.length).toBeGreaterThan(3);
    const text = webhook.texts.join('\n');
    expect(text).toMatch(/^\*\*Sizes\*\*\n\n```\nName {2}Size\n/);
    expect(text.match(/let a = 1;/g)).toHaveLength(150);
    for (const { body } of discord.rest.callsTo('POST /webhooks/:application/:token')) {
      expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
    }
  });

  test('posts a release once, though GitHub reports it several times', async () => {
    const posted = webhook.messages.length;
    for (const action of ['created', 'published', 'released', 'edited', 'published']) {
      await tell(action, 'Fixed.', 'two');
    }
    expect(webhook.messages).toHaveLength(posted + 1);
  });

  test.each([null, ''])('names a release without notes (%j) by its tag, with a link', async (body) => {
    const posted = webhook.messages.length;
    await tell('published', body, `without-${String(body)}`);
    expect(webhook.texts.slice(posted)).toEqual(['v1.2 https://github.com/o/r/releases/v1.2']);
  });

  test('stops with the reason when no message was posted', async () => {
    const posted = webhook.messages.length;
    await expect(tell('published', 'a'.repeat(100_001), 'three')).rejects.toThrow('longer than');
    expect(webhook.messages).toHaveLength(posted);
  });

  test('sends the rest of a long one, and stops with the reason when not all of it arrived', async () => {
    const going = { ok: true, state: 'stopped', rest: 'More.', retry_after: 0, reason: 'More.' };
    const answers = [going, { ...going, rest: 'End.' }, { ...going, retry_after: null, reason: 'Gone.' }];
    const texts: (string | null)[] = [];
    const keys = new Set<string | null>();
    const answering: typeof fetch = async (_, init) => {
      texts.push(new URLSearchParams(init?.body as URLSearchParams).get('text'));
      keys.add(new Headers(init?.headers).get('Idempotency-Key'));
      return Response.json(answers[(texts.length - 1) % answers.length]);
    };
    const run = () => tell('published', 'x', 'four', { ...n8n(), fetch: answering });
    await expect(run()).rejects.toThrow('Gone.');
    expect(texts).toEqual(['x', 'More.', 'End.']);
    expect(keys.size).toBe(3);
    // GitHub reports it once more.
    await expect(run()).rejects.toThrow('Gone.');
    expect(keys.size).toBe(3);
  });

  test('sends a changelog of any length, as each further call has posted something', async () => {
    const texts: (string | null)[] = [];
    const answering: typeof fetch = async (_, init) => {
      texts.push(new URLSearchParams(init?.body as URLSearchParams).get('text'));
      const isLast = texts.length === 16;
      return Response.json(
        isLast
          ? { ok: true, state: 'sent', rest: null, retry_after: null }
          : { ok: true, state: 'stopped', rest: `From part ${texts.length} on`, retry_after: 0 },
      );
    };
    await tell('published', 'x', 'long', { ...n8n(), fetch: answering });
    expect(texts.at(-1)).toBe('From part 15 on');
  });

  test('waits when a call is refused for now, and sends the same again under the same name', async () => {
    const busy = { ok: false, code: 'busy', error: 'Too many texts.', hint: null, retry_after: 12 };
    const more = { ok: true, state: 'stopped', rest: 'More.', retry_after: 0 };
    const sent = { ok: true, state: 'sent', rest: null, retry_after: null };
    // n8n tries each refused call three times before it goes on.
    const answers = [busy, busy, busy, more, busy, busy, busy, sent];
    const asked: string[] = [];
    const waits: number[] = [];
    const answering: typeof fetch = async (_, init) => {
      const text = new URLSearchParams(init?.body as URLSearchParams).get('text');
      asked.push(`${text} ${new Headers(init?.headers).get('Idempotency-Key')}`);
      return Response.json(answers[asked.length - 1]);
    };
    await tell('published', 'x', 'wait', { ...n8n(), fetch: answering, waits });
    expect(waits.filter((seconds) => seconds > 0)).toEqual([12, 12]);
    expect([...new Set(asked)].map((each) => each.split(' ')[0])).toEqual(['x', 'More.']);
  });

  test.each([
    [
      'a page',
      new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
      'not valid JSON',
    ],
    ['JSON', Response.json({ message: 'Service Unavailable' }), 'cannot be reached'],
  ])('stops at %s of a proxy', async (_what, answer, reason) => {
    const world = { ...n8n(), fetch: async () => answer.clone() };
    await expect(tell('published', 'x', 'five', world)).rejects.toThrow(reason);
  });

  test('says when to retry', async () => {
    const answer = { ok: false, error: 'Too many requests.', hint: 'Try again in 12 seconds.' };
    const world = { ...n8n(), fetch: async () => Response.json(answer) };
    await expect(tell('published', 'x', 'six', world)).rejects.toThrow('Too many requests. Try again in 12');
  });

  test('posts in a second channel too', async () => {
    const posted = webhook.messages.length;
    const second = discord.addWebhook({ guildId: app.guildId });
    await tell('published', 'Fixed.', 'seven');
    await tell('published', 'Fixed.', 'seven', {
      ...n8n(),
      canvas: 'second',
      credential: { Webhook: second.url },
    });
    expect([webhook.messages.length - posted, second.messages.length]).toEqual([1, 1]);
  });
});

test.each(['changelog-n8n', 'welcome-n8n'])('n8n imports %s as a file', (name) => {
  expect(JSON.parse(flowOf(name))).toMatchObject({
    id: expect.stringMatching(/^\w{1,36}$/),
    name: expect.any(String),
  });
});

/** The report of the day is at the first address. */
const make = (text = ANSWER): MakeWorld => ({
  credential: { Webhook: webhook.url },
  fetch: async (address, init) =>
    addressOf(address).startsWith('https://example.com/') ? new Response(text) : fetch(address, init),
});

describe('the blueprint for Make that posts a daily report', () => {
  test('posts it completely, and once a day', async () => {
    const posted = webhook.messages.length;
    const blueprint = JSON.parse(flowOf('report-make')) as Blueprint;
    for (let run = 0; run < 2; run += 1) await runBlueprint(blueprint, make());
    const texts = webhook.texts.slice(posted);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.join('\n').match(/let a = 1;/g)).toHaveLength(150);
  });

  test('ends with an error when it is refused', async () => {
    const blueprint = JSON.parse(flowOf('report-make').replace(app.key, 'no_key')) as Blueprint;
    await expect(runBlueprint(blueprint, make())).rejects.toThrow('401');
  });

  test('ends with the reason when not all of it was posted', async () => {
    const code = flowOf('report-make').replace('report-{{', 'long-{{');
    const long = make('A long report. '.repeat(1_500));
    await expect(runBlueprint(JSON.parse(code) as Blueprint, long)).rejects.toThrow(/10 messages/);
  });
});

const addressOf = (request: Parameters<typeof fetch>[0]) =>
  request instanceof Request ? request.url : request.toString();

/** The model answers, and everything else is the service. */
const withModel: typeof fetch = async (request, init) =>
  addressOf(request).startsWith('https://api.openai.com/')
    ? Response.json({ choices: [{ message: { content: ANSWER } }] })
    : fetch(request, init);

describe('!ask of discord.js', () => {
  let server: RecipeServer;
  beforeAll(async () => {
    server = await openRecipeServer();
  });
  afterAll(() => server.close());

  const start = (code = codeOf('An answer of a language model')) =>
    install(server.client, code, {
      env: { QUARTERMASTER_KEY: app.key, QUARTERMASTER_WEBHOOK: webhook.url, MODEL_KEY: 'sk-1' },
      fetch: withModel,
    });

  test('posts the whole response of a model, and no other text', async () => {
    const posted = webhook.messages.length;
    start();
    write(server.discord, '!ask What sizes are there?');
    await expect
      .poll(() =>
        webhook.texts
          .slice(posted)
          .join('\n')
          .match(/let a = 1;/g),
      )
      .toHaveLength(150);
    expect(webhook.texts[posted]).toMatch(/^\*\*Sizes\*\*/);
    // A second one, which is refused, shows that the first one has said nothing.
    write(server.discord, '!ask Again?', { by: HELPER_ID });
    await server.discord.until(() => sentMessages(server).length > 0);
    expect(sentMessages(server).map(({ content }) => content)).toEqual([
      'You need the permission Manage Messages.',
    ]);
  });
});
