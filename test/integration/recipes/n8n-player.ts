import { compileFunction } from 'node:vm';

// Runs nodes of n8n as it does, as far as recipes use them. A node that is not in here fails the test.

interface Pairs {
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

interface Node {
  readonly name: string;
  readonly type: string;
  readonly parameters: {
    readonly method: string;
    readonly url: string;
    readonly genericAuthType?: string;
    readonly headerParameters?: Pairs;
    readonly queryParameters?: Pairs;
    readonly bodyParameters?: Pairs;
    readonly errorMessage?: string;
    readonly content?: string;
    readonly fieldToSplitOut?: string;
    readonly conditions?: {
      readonly conditions: readonly {
        readonly leftValue: string;
        readonly rightValue: string;
        readonly operator: { readonly operation: string };
      }[];
    };
  };
}
export interface Workflow {
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { node: string }[])[] }>>;
}
export type Item = Record<string, unknown>;

/** The surroundings of a workflow. */
export interface N8n {
  /** The header of the credential that the reader has made and chosen. */
  readonly credential: Readonly<Record<string, string>>;
  readonly executionId: string;
  readonly fetch: typeof fetch;
  /** Contents of the messages that its nodes of Discord have sent. */
  readonly messages?: string[];
}

/** One expression is a value of its own; among other text it is text. */
function evaluate(value: string, item: Item, { executionId }: N8n): unknown {
  if (!value.startsWith('=')) return value;
  const resolve = (expression: string): unknown =>
    compileFunction(`return ${expression};`, ['$json', '$execution', '$itemIndex'])(
      item,
      { id: executionId },
      0,
    );
  const only = /^=\{\{ ((?:(?!\}\})[^])*) \}\}$/.exec(value)?.[1];
  if (only !== undefined) return resolve(only);
  return value
    .slice(1)
    .replaceAll(/\{\{ (.*?) \}\}/g, (_, expression: string) => String(resolve(expression)));
}

/** Runs a node for an item: the items that leave it, and by which way. */
async function runNode(
  { type, parameters }: Node,
  item: Item,
  n8n: N8n,
): Promise<{ items: Item[]; way: number }> {
  const read = (value: string) => evaluate(value, item, n8n);
  const conditions = parameters.conditions?.conditions ?? [];
  switch (type.replace('n8n-nodes-base.', '')) {
    case 'githubTrigger':
    case 'scheduleTrigger':
    case 'wait':
      return { items: [item], way: 0 };
    case 'if':
      return { items: [item], way: conditions.every(({ leftValue }) => read(leftValue) === true) ? 0 : 1 };
    case 'filter': {
      const passes = conditions.every(({ leftValue, rightValue }) => read(leftValue) === rightValue);
      return { items: passes ? [item] : [], way: 0 };
    }
    case 'stopAndError':
      throw new Error(String(read(parameters.errorMessage ?? '')));
    case 'splitOut': {
      const field = parameters.fieldToSplitOut ?? '';
      return { items: [item[field]].flat().map((each) => ({ [field]: each })), way: 0 };
    }
    case 'discord':
      n8n.messages?.push(String(read(parameters.content ?? '')));
      return { items: [item], way: 0 };
    case 'httpRequest':
      return { items: [await request(parameters, read, n8n)], way: 0 };
    default:
      throw new Error(`A recipe does not use ${type}`);
  }
}

async function request(
  parameters: Node['parameters'],
  read: (value: string) => unknown,
  { credential, fetch }: N8n,
): Promise<Item> {
  const { method, headerParameters, queryParameters, bodyParameters, genericAuthType } = parameters;
  const pairs = (list: Pairs | undefined) =>
    (list?.parameters ?? []).map(({ name, value }): [string, string] => [name, String(read(value))]);
  const url = new URL(parameters.url);
  for (const [name, value] of pairs(queryParameters)) url.searchParams.append(name, value);
  const response = await fetch(url, {
    method,
    headers: {
      ...Object.fromEntries(pairs(headerParameters)),
      ...(genericAuthType === 'httpHeaderAuth' ? credential : {}),
    },
    ...(bodyParameters === undefined ? {} : { body: new URLSearchParams(pairs(bodyParameters)) }),
  });
  return (await response.json()) as Item;
}

/** Runs a workflow from a node on. @throws what its node *Stop and Error* says */
export async function playN8n(workflow: Workflow, name: string, item: Item, n8n: N8n): Promise<void> {
  const node = workflow.nodes.find((each) => each.name === name);
  if (node === undefined) throw new Error(`There is no node ${name}`);
  const { items, way } = await runNode(node, item, n8n);
  for (const { node: next } of workflow.connections[name]?.main[way] ?? [])
    for (const each of items) await playN8n(workflow, next, each, n8n);
}
