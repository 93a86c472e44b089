import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { SimulatedWebhook } from '../../simulator/webhooks.ts';

const PAGE = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8');
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
  app = await startTestApp({ DISCORD_API_URL: discord.apiUrl });
  webhook = discord.addWebhook({ guildId: app.guildId });
});
afterAll(async () => {
  await app.app.close();
  await discord.close();
});

/** The code of a section of docs/recipes.md, with this service's address and key. */
function codeOf(heading: string): string {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(heading));
  const code = /```\w+\n([\s\S]*?)\n```\n/.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`docs/recipes.md has no code under "${heading}"`);
  return code
    .replaceAll('https://quartermaster.example', app.url)
    .replaceAll('YOUR_API_KEY', app.key)
    .replaceAll('https://discord.com/api/webhooks/YOUR_WEBHOOK', webhook.url);
}

async function playStream(code: string) {
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
  test('sends all of an answer as messages that fit, from the first full one on', async () => {
    const { sent, sentAt } = await playStream(codeOf('An answer while it is being written'));
    const text = sent.map(({ content }) => content).join('\n');
    expect(text).toMatch(/^\*\*Sizes\*\*\n\n```\nName {2}Size\n/);
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
    await expect(playStream(code)).rejects.toThrow(/key/i);
  });
});

interface Node {
  readonly name: string;
  readonly type: string;
  readonly parameters: {
    readonly method: string;
    readonly url: string;
    readonly headerParameters?: { readonly parameters: readonly { name: string; value: string }[] };
    readonly bodyParameters?: { readonly parameters: readonly { name: string; value: string }[] };
    readonly errorMessage?: string;
    readonly conditions?: {
      readonly conditions: readonly { readonly leftValue: string; readonly rightValue: string }[];
    };
  };
}
interface Workflow {
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { node: string }[])[] }>>;
}
type Item = Record<string, unknown>;

/** n8n's expressions, as far as the page uses them: a path, or the whole item as JSON. */
function evaluate(value: string, item: Item): unknown {
  const expression = /^=\{\{ (.*) \}\}$/.exec(value)?.[1];
  if (expression === undefined) return value;
  if (!expression.startsWith('$json.')) throw new Error(`This is no expression of the page: ${expression}`);
  return expression
    .split('.')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Item)[name], item);
}

/** Runs a node for an item: the items that leave it, and by which way. */
async function runNode({ type, parameters }: Node, item: Item): Promise<{ items: Item[]; way: number }> {
  if (type.endsWith('.if')) {
    const isTrue = parameters.conditions?.conditions.every(
      ({ leftValue }) => evaluate(leftValue, item) === true,
    );
    return { items: [item], way: isTrue === true ? 0 : 1 };
  }
  if (type.endsWith('.filter')) {
    const passes = parameters.conditions?.conditions.every(
      ({ leftValue, rightValue }) => evaluate(leftValue, item) === rightValue,
    );
    return { items: passes === true ? [item] : [], way: 0 };
  }
  if (type.endsWith('.stopAndError')) throw new Error(String(evaluate(parameters.errorMessage ?? '', item)));
  const pairs = (list: typeof parameters.bodyParameters) =>
    (list?.parameters ?? []).map(({ name, value }): [string, string] => [
      name,
      String(evaluate(value, item)),
    ]);
  const response = await fetch(parameters.url, {
    method: parameters.method,
    headers: Object.fromEntries(pairs(parameters.headerParameters)),
    body: new URLSearchParams(pairs(parameters.bodyParameters)),
  });
  return { items: [(await response.json()) as Item], way: 0 };
}

async function play({ nodes, connections }: Workflow, name: string, item: Item): Promise<void> {
  const node = nodes.find((each) => each.name === name);
  if (node === undefined) throw new Error(`There is no node ${name}`);
  const { items, way } = await runNode(node, item);
  for (const { node: next } of connections[name]?.main[way] ?? [])
    for (const each of items) await play({ nodes, connections }, next, each);
}

/** GitHub tells of a release. */
function tell(action: string, body: string, node_id: string): Promise<void> {
  const workflow = JSON.parse(codeOf("GitHub's changelog")) as Workflow;
  return play(workflow, 'Published?', { body: { action, release: { body, node_id } } });
}

describe("the nodes for n8n that post GitHub's changelog", () => {
  test('post a long changelog as several messages that mention nobody', async () => {
    await tell('published', `${ANSWER}\n\n- @everyone [x] done`, 'one');
    expect(webhook.messages.length).toBeGreaterThan(3);
    const text = webhook.texts.join('\n');
    expect(text).toMatch(/^\*\*Sizes\*\*\n\n```\nName {2}Size\n/);
    expect(text.match(/let a = 1;/g)).toHaveLength(150);
    for (const { body } of discord.rest.callsTo('POST /webhooks/:application/:token')) {
      expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
    }
  });

  test('post a release once, though GitHub tells of it several times', async () => {
    const posted = webhook.messages.length;
    for (const action of ['created', 'published', 'released', 'edited', 'published']) {
      await tell(action, 'Fixed.', 'two');
    }
    expect(webhook.messages).toHaveLength(posted + 1);
  });

  test('stop with the reason when nothing was posted', async () => {
    const posted = webhook.messages.length;
    await expect(tell('published', 'a'.repeat(1_048_577), 'three')).rejects.toThrow('more than');
    expect(webhook.messages).toHaveLength(posted);
  });
});
