import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

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

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

/** The code of a section of docs/recipes.md, with this service's address and key. */
function codeOf(heading: string): string {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(heading));
  const code = /```\w+\n([\s\S]*?)\n```\n/.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`docs/recipes.md has no code under "${heading}"`);
  return code.replaceAll('https://quartermaster.example', app.url).replaceAll('YOUR_API_KEY', app.key);
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
    readonly jsonBody?: string;
    readonly fieldToSplitOut?: string;
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
  if (expression === 'JSON.stringify($json)') return JSON.stringify(item);
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
  if (type.endsWith('.splitOut')) {
    return { items: item[parameters.fieldToSplitOut ?? ''] as Item[], way: 0 };
  }
  if (type.endsWith('.stopAndError')) throw new Error(String(evaluate(parameters.errorMessage ?? '', item)));
  const pairs = (list: typeof parameters.bodyParameters) =>
    (list?.parameters ?? []).map(({ name, value }): [string, string] => [
      name,
      String(evaluate(value, item)),
    ]);
  const json = parameters.jsonBody;
  const response = await fetch(parameters.url, {
    method: parameters.method,
    headers: {
      ...Object.fromEntries(pairs(parameters.headerParameters)),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body:
      json === undefined
        ? new URLSearchParams(pairs(parameters.bodyParameters))
        : String(evaluate(json, item)),
  });
  const text = await response.text();
  return { items: text === '' ? [] : [JSON.parse(text) as Item], way: 0 };
}

async function play({ nodes, connections }: Workflow, name: string, item: Item): Promise<void> {
  const node = nodes.find((each) => each.name === name);
  if (node === undefined) throw new Error(`There is no node ${name}`);
  const { items, way } = await runNode(node, item);
  for (const { node: next } of connections[name]?.main[way] ?? [])
    for (const each of items) await play({ nodes, connections }, next, each);
}

describe("the nodes for n8n that post GitHub's changelog", () => {
  const bodies: Item[] = [];
  const webhook = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(pieces).toString()) as Item);
      response.writeHead(204).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      webhook.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => {
    webhook.closeAllConnections();
    webhook.close();
  });

  function workflow(): Workflow {
    const { port } = webhook.address() as AddressInfo;
    const code = codeOf("GitHub's changelog").replace(
      /https:\/\/discord\.com\/api\/webhooks\/\w+/,
      `http://127.0.0.1:${port}`,
    );
    return JSON.parse(code) as Workflow;
  }

  test('post a long changelog as several messages that mention nobody', async () => {
    await play(workflow(), 'Published?', {
      body: { action: 'published', release: { body: `${ANSWER}\n\n- @everyone [x] done` } },
    });
    expect(bodies.length).toBeGreaterThan(3);
    const text = bodies.map(({ content }) => String(content)).join('\n');
    expect(text).toMatch(/^\*\*Sizes\*\*\n\n```\nName {2}Size\n/);
    expect(text.match(/let a = 1;/g)).toHaveLength(150);
    for (const body of bodies) {
      expect(String(body['content']).length).toBeLessThanOrEqual(2_000);
      expect(body['allowed_mentions']).toEqual({ parse: [] });
    }
  });

  test('post a release once, though GitHub tells of it several times', async () => {
    const posted = bodies.length;
    for (const action of ['created', 'published', 'released', 'edited'])
      await play(workflow(), 'Published?', { body: { action, release: { body: 'Fixed.' } } });
    expect(bodies).toHaveLength(posted + 1);
  });

  test('stop with the reason when the answer is none', async () => {
    const posted = bodies.length;
    const text = 'a'.repeat(1_048_577);
    await expect(
      play(workflow(), 'Published?', { body: { action: 'published', release: { body: text } } }),
    ).rejects.toThrow('more than');
    expect(bodies).toHaveLength(posted);
  });
});
