import { readFileSync } from 'node:fs';
import { setTimeout as passSeconds } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { AppOptions } from '../../../src/app/app-options.ts';
import { POLL } from '../../fixtures/poll.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import type { SimulatedGuild } from '../../simulator/guild-model.ts';
import type { SimulatedWebhook } from '../../simulator/webhooks.ts';
import { runBlueprint, type Blueprint } from './blueprint-runner.ts';
import { nodesNamedIn, runN8n, type Workflow } from './n8n-runner.ts';

// The flows of docs/recipes.md that greet members who got a role, run against the service as they are there.

const DOCS = new URL('../../../docs/', import.meta.url);
const PAGE = readFileSync(new URL('recipes.md', DOCS), 'utf8');
const POST = 'POST /webhooks/:application/:token';
/** A post begins within this time, or is left for the next call. */
const BEGIN_MS = 250;
const GUILD = '300000000000000001';
const ROLE = '400000000000000001';

let app: DiscordApp;
let guild: SimulatedGuild;
let key: string;
let webhook: SimulatedWebhook;

beforeEach(() => open());
afterEach(() => app[Symbol.asyncDispose]());

async function open(options: AppOptions = {}): Promise<void> {
  const guilds = [
    { id: GUILD, roles: [{ id: ROLE }], members: [{ id: '500000000000000001', roles: [ROLE] }] },
  ];
  app = await startDiscordApp({ guilds }, {}, options);
  guild = app.discord.guild(GUILD);
  key = await app.createKey({ guildId: GUILD });
  webhook = app.discord.addWebhook({ guildId: GUILD });
  await untilKnown();
}

/** The service knows what the server is like now. */
async function untilKnown(): Promise<void> {
  await vi.waitFor(async () => {
    const route = `/api/role-members?role_id=${ROLE}&source=gateway`;
    const { body } = await app.call(route, { headers: { authorization: key } });
    expect(body['members']).toEqual(guild.holdersOf(ROLE));
  }, POLL);
}

/** Some members get the role, and a bot too. Ids ascend. */
async function giveTo(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => guild.addMember({ roles: [ROLE] }).id);
  guild.addMember({ roles: [ROLE], bot: true });
  await untilKnown();
  return ids;
}

/** A part of the page, filled in. */
function partOf(heading: string): string {
  return filled(PAGE.split(/^### /m).find((each) => each.startsWith(heading)) ?? '');
}

const flowOf = (name: string): unknown =>
  JSON.parse(filled(readFileSync(new URL(`flows/${name}.json`, DOCS), 'utf8')));

function filled(text: string): string {
  return text
    .replaceAll('https://quartermaster.example', app.url)
    .replaceAll('YOUR_API_KEY', key)
    .replaceAll('YOUR_ROLE_ID', ROLE)
    .replaceAll('YOUR_WEBHOOK', webhook.url);
}

type Row = readonly [step: string, field: string, value: string];

/** The rows of the table, by step. */
function stepsOf(heading: string): Row[][] {
  const rows = [...partOf(heading).matchAll(/^\| (.*?) ?\| (.*?) ?\| (.*) \|$/gm)]
    .map(([, step = '', field = '', value = '']): Row => [step, field, value.replaceAll('`', '')])
    .slice(2);
  return rows.reduce<Row[][]>((steps, row) => {
    if (row[0] === '') steps.at(-1)?.push(row);
    else steps.push([row]);
    return steps;
  }, []);
}

const PAIRS = new Set(['Query String Params', 'URL param', 'Data', 'HTTP header', 'Headers']);

/** What a step of a table sends, with the answer of the step before in its places. */
async function send(rows: readonly Row[], fill: (text: string) => string): Promise<Record<string, unknown>> {
  const one = (...names: string[]) => rows.find(([, field]) => names.includes(field))?.[2] ?? '';
  const pairs = (...names: string[]) =>
    rows
      .filter(([, field]) => PAIRS.has(field) && names.includes(field))
      .map(([, , value]): [string, string] => {
        const [name = '', ...rest] = value.split(' = ');
        return [name, fill(rest.join(' = '))];
      });
  const data = pairs('Data');
  const query = new URLSearchParams(pairs('Query String Params', 'URL param'));
  const response = await fetch(`${one('URL', 'Request URL')}?${query.toString()}`, {
    method: one('Request type', 'Event'),
    headers: Object.fromEntries(pairs('HTTP header', 'Headers')),
    ...(data.length === 0 ? {} : { body: new URLSearchParams(data) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** A flow of tables: a request, a condition, and a request where it holds. */
async function runSteps(steps: readonly Row[][], placeOf: (key: string) => string): Promise<void> {
  const [ask = [], condition = [], greet = []] = steps.filter(([row]) => !row?.[0].includes('Schedule'));
  const answer = await send(ask, (text) => text);
  const fill = (text: string) =>
    Object.entries(answer).reduce(
      (filled, [name, value]) => filled.replaceAll(placeOf(name), String(value)),
      text,
    );
  const [left = '', right = ''] = fill(condition[0]?.[2] ?? '').split(/ (?:\(Number\) )?Greater than /);
  if (Number(left) > Number(right)) expect(await send(greet, fill)).toMatchObject({ ok: true });
}

const toTitle = (key: string) =>
  key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();

/** What the service answers, unless a test stands in between. */
let ask: typeof fetch = fetch;
beforeEach(() => {
  ask = fetch;
});

const wait = (seconds: number) => passSeconds(seconds * 1_000);

const runners: [string, () => Promise<void>][] = [
  [
    'n8n',
    () => {
      const world = {
        credential: { Webhook: webhook.url },
        chosen: nodesNamedIn(partOf('With n8n')),
        executionId: 'e1',
        fetch: ask,
        wait,
      };
      return runN8n(flowOf('welcome-n8n') as Workflow, 'Schedule', {}, world);
    },
  ],
  [
    'Make',
    () => {
      const world = { credential: { Webhook: webhook.url }, fetch: ask, wait };
      return runBlueprint(flowOf('welcome-make') as Blueprint, world);
    },
  ],
  ['Zapier', () => runSteps(stepsOf('With Zapier'), (name) => `{{${toTitle(name)}}}`)],
  ['BotGhost', () => runSteps(stepsOf('With BotGhost'), (name) => `(${name})`)],
];

describe.each(runners)('the greeting of %s', (_, run) => {
  test('greets no one at first, then exactly the new members, once, and pings no one else', async () => {
    await run();
    await run();
    expect(webhook.messages).toEqual([]);
    const [one = '', other = ''] = await giveTo(2);
    await run();
    await run();
    expect(webhook.texts).toEqual([`Welcome <@${one}> <@${other}>`]);
    const [last = ''] = await giveTo(1);
    await run();
    expect(webhook.texts.slice(1)).toEqual([`Welcome <@${last}>`]);
    const posted = app.discord.rest.callsTo(POST).map(({ body }) => body);
    expect(posted).toMatchObject([
      { allowed_mentions: { parse: ['users'] } },
      { allowed_mentions: { parse: ['users'] } },
    ]);
  });
});

const greeted = () => webhook.texts.flatMap((text) => text.match(/\d{17,}/g) ?? []);

describe.each(runners.slice(0, 2))('the greeting of %s', (_, run) => {
  test('greets all 120 members with the role, although Discord accepts only one message at first', async () => {
    await app[Symbol.asyncDispose]();
    await open({ deliveries: { beginMs: BEGIN_MS } });
    await run();
    const ids = await giveTo(120);
    app.discord.rest.limits.set(POST, { count: 1, windowMs: BEGIN_MS + 300 });
    await run();
    expect(greeted()).toEqual(ids);
    const posted = app.discord.rest.callsTo(POST).map(({ body }) => body);
    expect(posted.length).toBeGreaterThan(1);
    for (const body of posted) expect(body).toMatchObject({ allowed_mentions: { parse: ['users'] } });
  });

  test('greets every member once, though the service refuses the first four calls for now', async () => {
    await run();
    const ids = await giveTo(3);
    let refusals = 4;
    ask = async (address, init) => {
      const url = address instanceof Request ? address.url : address.toString();
      if (!url.includes('/api/send') || refusals === 0) return fetch(address, init);
      refusals -= 1;
      const busy = { ok: false, code: 'busy', error: 'Too many texts.', hint: null, retry_after: 1 };
      return Response.json(busy, { status: url.includes('always_200=true') ? 200 : 503 });
    };
    await run();
    expect(greeted()).toEqual(ids);
  });

  test('ends with an error that names those who were not greeted', async () => {
    await run();
    const ids = await giveTo(120);
    const body = { code: 200_000, message: 'Message was blocked by automatic moderation' };
    app.discord.rest.faults.choose(POST, () =>
      webhook.messages.length === 0 ? null : { kind: 'answer', answer: { status: 400, body } },
    );
    const error = await run().catch((thrown: unknown) => String(thrown));
    const missing = ids.filter((id) => !greeted().includes(id));
    expect(missing.length).toBeGreaterThan(0);
    for (const id of missing) expect(error).toContain(id);
  });
});
