import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { POLL } from '../../fixtures/poll.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import type { SimulatedGuild } from '../../simulator/guild-model.ts';
import type { SimulatedWebhook } from '../../simulator/webhooks.ts';
import { nodesNamedIn, playN8n, type Workflow } from './n8n-player.ts';

// The flows of docs/recipes.md that greet members who got a role, played against the service as they are on that page.

const PAGE = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8');
const GUILD = '300000000000000001';
const ROLE = '400000000000000001';

let app: DiscordApp;
let guild: SimulatedGuild;
let key: string;
let webhook: SimulatedWebhook;

beforeEach(async () => {
  app = await startDiscordApp({
    guilds: [{ id: GUILD, roles: [{ id: ROLE }], members: [{ id: '500000000000000001', roles: [ROLE] }] }],
  });
  guild = app.discord.guild(GUILD);
  key = await app.createKey({ guildId: GUILD });
  webhook = app.discord.addWebhook({ guildId: GUILD });
  await untilKnown();
});
afterEach(() => app[Symbol.asyncDispose]());

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
  const part = PAGE.split(/^### /m).find((each) => each.startsWith(heading)) ?? '';
  return part
    .replaceAll('https://quartermaster.example', app.url)
    .replaceAll('YOUR_API_KEY', key)
    .replaceAll('YOUR_ROLE_ID', ROLE)
    .replaceAll('YOUR_WEBHOOK', webhook.url);
}

function codeOf(heading: string): string {
  return /```json\n([\s\S]*?)\n```\n/.exec(partOf(heading))?.[1] ?? '';
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
async function playSteps(steps: readonly Row[][], placeOf: (key: string) => string): Promise<void> {
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

interface MakeModule {
  readonly module: string;
  readonly filter?: { readonly conditions: readonly (readonly { a: string; b: string; o: string }[])[] };
  readonly mapper: {
    readonly url: string;
    readonly method: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly qs: readonly { readonly name: string; readonly value: string }[];
    readonly contentType?: string;
    readonly data?: string;
  };
}

async function playMake({ flow }: { readonly flow: readonly MakeModule[] }): Promise<void> {
  let answer: Record<string, unknown> = {};
  const fill = (text: string) =>
    text
      .replaceAll(/\{\{join\(1\.data\.(\w+); "(.*?)"\)\}\}/g, (_, name: string, between: string) =>
        (answer[name] as string[]).join(between),
      )
      .replaceAll(/\{\{1\.data\.(\w+)\}\}/g, (_, name: string) => String(answer[name]));
  for (const { module, filter, mapper } of flow) {
    const passes = filter?.conditions.some((all) =>
      all.every(({ a, b, o }) => o === 'number:greater' && Number(fill(a)) > Number(fill(b))),
    );
    if (passes === false) return;
    const pairs = (list: MakeModule['mapper']['qs']) =>
      list.map(({ name, value }): [string, string] => [name, fill(value)]);
    const response = await fetch(`${mapper.url}?${new URLSearchParams(pairs(mapper.qs)).toString()}`, {
      method: mapper.method.toUpperCase(),
      headers: {
        ...Object.fromEntries(pairs(mapper.headers)),
        ...(mapper.contentType === undefined ? {} : { 'Content-Type': mapper.contentType }),
        ...(module === 'http:ActionSendDataAPIKeyAuth' ? { Webhook: webhook.url } : {}),
      },
      ...(mapper.data === undefined ? {} : { body: fill(mapper.data) }),
    });
    if (!response.ok) throw new Error(`The module answered ${response.status}`);
    answer = (await response.json()) as Record<string, unknown>;
  }
}

const toTitle = (key: string) =>
  key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();

describe.each<[string, () => Promise<void>]>([
  [
    'n8n',
    () => {
      const world = {
        credential: { Webhook: webhook.url },
        chosen: nodesNamedIn(partOf('With n8n')),
        executionId: 'e1',
        fetch,
      };
      return playN8n(JSON.parse(codeOf('With n8n')) as Workflow, 'Schedule', {}, world);
    },
  ],
  ['Make', () => playMake(JSON.parse(codeOf('With Make')) as { flow: MakeModule[] })],
  ['Zapier', () => playSteps(stepsOf('With Zapier'), (name) => `{{${toTitle(name)}}}`)],
  ['BotGhost', () => playSteps(stepsOf('With BotGhost'), (name) => `(${name})`)],
])('the greeting of %s', (_, play) => {
  test('greets nobody at first, then exactly the new ones, once, and pings nobody else', async () => {
    await play();
    await play();
    expect(webhook.messages).toEqual([]);
    const [one = '', other = ''] = await giveTo(2);
    await play();
    await play();
    expect(webhook.texts).toEqual([`Welcome <@${one}> <@${other}>`]);
    const [last = ''] = await giveTo(1);
    await play();
    expect(webhook.texts.slice(1)).toEqual([`Welcome <@${last}>`]);
    const posted = app.discord.rest.callsTo('POST /webhooks/:application/:token').map(({ body }) => body);
    expect(posted).toMatchObject([
      { allowed_mentions: { parse: ['users'] } },
      { allowed_mentions: { parse: ['users'] } },
    ]);
  });
});
