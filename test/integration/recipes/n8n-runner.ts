import { compileFunction } from 'node:vm';

// Runs nodes of n8n 2.41 as it does, as far as recipes use them. A node that is not in here fails the test.

interface Pairs {
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/** The comparisons of conditions, by their types and names. */
const HOLDS: Readonly<Record<string, (left: unknown, right: string) => boolean>> = {
  'boolean true': (left) => left === true,
  'boolean false': (left) => left === false,
  'string equals': (left, right) => left === right,
  'string regex': (left, right) => new RegExp(right).test(String(left)),
};

interface Node {
  readonly id?: string;
  readonly name: string;
  readonly type: string;
  readonly retryOnFail?: boolean;
  readonly maxTries?: number;
  readonly parameters: {
    readonly method: string;
    readonly url: string;
    readonly genericAuthType?: string;
    readonly nodeCredentialType?: string;
    readonly jsonHeaders?: string;
    readonly jsonBody?: string;
    readonly headerParameters?: Pairs;
    readonly queryParameters?: Pairs;
    readonly bodyParameters?: Pairs;
    readonly options?: {
      readonly response?: { readonly response?: { neverError?: boolean; responseFormat?: 'json' } };
    };
    readonly assignments?: {
      readonly assignments: readonly {
        readonly name: string;
        readonly value: string;
        readonly type: string;
      }[];
    };
    readonly amount?: string;
    readonly errorMessage?: string;
    readonly content?: string;
    readonly fieldToSplitOut?: string;
    readonly conditions?: {
      readonly conditions: readonly {
        readonly leftValue: string;
        readonly rightValue: string;
        readonly operator: { readonly type: string; readonly operation: string };
      }[];
    };
  };
}
export interface Workflow {
  readonly id?: string;
  readonly name?: string;
  readonly nodes: readonly Node[];
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { node: string }[])[] }>>;
}
export type Item = Record<string, unknown>;

/** One execution of a workflow, and its surroundings. */
export interface N8n {
  /** The header of the credential that the reader has made. */
  readonly credential: Readonly<Record<string, string>>;
  /** The nodes in which the reader chose it, as they were told: see `nodesNamedIn`. */
  readonly chosen: readonly string[];
  /** The token in the credential of the type Discord Bot API. Default: no node has one. */
  readonly botToken?: string;
  /** Seconds of each *Wait*. */
  readonly waits?: number[];
  /** Runs a *Wait*. Default: no time passes. */
  wait?(seconds: number): Promise<void>;
  readonly executionId: string;
  readonly fetch: typeof fetch;
  /** Contents of the messages that its nodes of Discord have sent. */
  readonly messages?: string[];
  /** Where the workflow was pasted: n8n gives each node an id of its own there. */
  readonly canvas?: string;
  /** The first item of each node's last run, as `$('its name').first()` has it. */
  readonly firsts?: Map<string, Item>;
  /** How often each node has run. A node of a loop runs several times in one execution. */
  readonly runs?: Map<string, number>;
  /** The items that each *Loop Over Items* has not given out yet. */
  readonly loops?: Map<string, Item[]>;
}

type Read = (value: string) => unknown;

/** The nodes that a text names for a credential of the type Header Auth. */
export function nodesNamedIn(text: string): string[] {
  const sentences = text
    .split(/\.\s|: |\n\n/)
    .filter((each) => /\bchoose (?:a|the) credential\b/i.test(each) && !each.includes('Discord Webhook'));
  return sentences.flatMap((each) => [...each.matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name));
}

/** The items that an item came from, by the nodes that they left: n8n's paired items. */
const TRAILS = new WeakMap<Item, ReadonlyMap<string, Item>>();

/** One expression is a value of its own; among other text it is text. */
function evaluate(value: string, names: Readonly<Record<string, unknown>>): unknown {
  if (!value.startsWith('=')) return value;
  const resolve = (expression: string): unknown =>
    compileFunction(`return ${expression};`, Object.keys(names))(...Object.values(names));
  const only = /^=\{\{ ((?:(?!\}\})[^])*) \}\}$/.exec(value)?.[1];
  if (only !== undefined) return resolve(only);
  return value
    .slice(1)
    .replaceAll(/\{\{ (.*?) \}\}/g, (_, expression: string) => String(resolve(expression)));
}

/** Runs a node for an item: the items that leave it, and by which way. */
async function runNode(
  { name, type, parameters, retryOnFail = false, maxTries = 1 }: Node,
  item: Item,
  read: Read,
  n8n: N8n,
): Promise<{ items: Item[]; way: number }> {
  const areMet = () =>
    (parameters.conditions?.conditions ?? []).every(({ leftValue, rightValue, operator }) =>
      isMet(read(leftValue), operator, rightValue),
    );
  switch (type.replace('n8n-nodes-base.', '')) {
    case 'githubTrigger':
    case 'scheduleTrigger':
      return { items: [item], way: 0 };
    case 'wait': {
      const seconds = read(String(parameters.amount));
      if (typeof seconds !== 'number' || seconds < 0) throw new Error('Invalid wait amount');
      n8n.waits?.push(seconds);
      await n8n.wait?.(seconds);
      return { items: [item], way: 0 };
    }
    case 'set':
      return { items: [{ ...item, ...assigned(parameters, read) }], way: 0 };
    case 'if':
      return { items: [item], way: areMet() ? 0 : 1 };
    case 'filter':
      return { items: areMet() ? [item] : [], way: 0 };
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
      if (parameters.genericAuthType !== undefined && !n8n.chosen.includes(name))
        throw new Error('Credentials not found');
      if (parameters.nodeCredentialType !== undefined && n8n.botToken === undefined)
        throw new Error('Credentials not found');
      return { items: [await triedRequest(parameters, read, n8n, retryOnFail ? maxTries : 1)], way: 0 };
    default:
      throw new Error(`A recipe does not use ${type}`);
  }
}

/** The validation of types is strict in recipes. */
function isMet(
  left: unknown,
  { type, operation }: { type: string; operation: string },
  right: string,
): boolean {
  // A missing value is of every type.
  if (left !== undefined && left !== null && typeof left !== type)
    throw new Error(`Wrong type: a ${typeof left} where a ${type} was expected`);
  const holds = HOLDS[`${type} ${operation}`];
  if (holds === undefined) throw new Error(`A recipe does not use ${type} ${operation}`);
  return holds(left, right);
}

/** Older nodes write null as a text, so a recipe gives none. */
function assigned({ assignments }: Node['parameters'], read: Read): Item {
  const pairs = (assignments?.assignments ?? []).map(({ name, value, type }) => {
    const given = read(value);
    if (typeof given !== type) throw new Error(`${name} is no ${type}`);
    return [name, given] as const;
  });
  return Object.fromEntries(pairs);
}

/** n8n tries again after an answer with an `error`, too. */
async function triedRequest(...tried: [...Parameters<typeof request>, tries: number]): Promise<Item> {
  const [parameters, read, n8n, tries] = tried;
  const again = () => triedRequest(parameters, read, n8n, tries - 1);
  try {
    const item = await request(parameters, read, n8n);
    return item['error'] === undefined || tries <= 1 ? item : await again();
  } catch (error) {
    if (tries <= 1) throw error;
    return again();
  }
}

async function request(
  parameters: Node['parameters'],
  read: Read,
  { credential, botToken, fetch }: N8n,
): Promise<Item> {
  const { method, headerParameters, queryParameters, bodyParameters, genericAuthType, options } = parameters;
  const { jsonHeaders = '{}', jsonBody, nodeCredentialType } = parameters;
  const pairs = (list: Pairs | undefined) =>
    (list?.parameters ?? []).map(({ name, value }): [string, string] => [name, String(read(value))]);
  const url = new URL(String(read(parameters.url)));
  for (const [name, value] of pairs(queryParameters)) url.searchParams.append(name, value);
  const response = await fetch(url, {
    method,
    headers: {
      ...Object.fromEntries(pairs(headerParameters)),
      ...(JSON.parse(String(read(jsonHeaders))) as Record<string, string>),
      ...(genericAuthType === 'httpHeaderAuth' ? credential : {}),
      ...(nodeCredentialType === 'discordBotApi' ? { Authorization: `Bot ${botToken}` } : {}),
      ...(jsonBody === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(jsonBody === undefined ? {} : { body: String(read(jsonBody)) }),
    ...(bodyParameters === undefined ? {} : { body: new URLSearchParams(pairs(bodyParameters)) }),
  });
  const { neverError = false, responseFormat } = options?.response?.response ?? {};
  if (!response.ok && !neverError) throw new Error(`Request failed with status code ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (responseFormat === 'json') return parse(new TextDecoder().decode(bytes));
  const text = guessedText(bytes);
  const isJson = response.headers.get('content-type')?.includes('application/json') === true;
  // A page counts as an answer.
  return isJson ? parse(text) : { data: text };
}

function parse(text: string): Item {
  try {
    return JSON.parse(text) as Item;
  } catch {
    throw new Error('Response body is not valid JSON. Change "Response Format" to "Text"');
  }
}

/** Unless a node says what comes, n8n guesses the encoding, often wrongly. @see https://github.com/n8n-io/n8n/issues/34372 */
function guessedText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return /[\u0080-\u00FF]{3}/.test(text) ? new TextDecoder('gb18030').decode(bytes) : text;
}

/** Runs a workflow from a node on. @throws what its node *Stop and Error* says */
export async function runN8n(
  workflow: Workflow,
  name: string,
  items: Item | readonly Item[],
  n8n: N8n,
): Promise<void> {
  const { runs = new Map(), firsts = new Map(), loops = new Map(), canvas = 'canvas', executionId } = n8n;
  const node = workflow.nodes.find((each) => each.name === name);
  if (node === undefined) throw new Error(`There is no node ${name}`);
  const run = runs.get(name) ?? 0;
  runs.set(name, run + 1);
  const ways = new Map<number, Item[]>();
  const isLoop = node.type === 'n8n-nodes-base.splitInBatches';
  if (isLoop) ways.set(...nextOf(loops, name, [items].flat()));
  for (const [at, item] of isLoop ? [] : [items].flat().entries()) {
    const read: Read = (value) =>
      evaluate(value, {
        $json: item,
        $execution: { id: executionId },
        $itemIndex: at,
        $runIndex: run,
        $nodeId: `${canvas}-${name}`,
        $: (other: string) => ({
          first: () => ({ json: firsts.get(other) }),
          get item() {
            const json = TRAILS.get(item)?.get(other);
            if (json === undefined) throw new Error(`No item of ${other} leads here`);
            return { json };
          },
        }),
      });
    const left = await runNode(node, item, read, n8n);
    const leaving = left.items.map((each) => ({ ...each }));
    for (const each of leaving) TRAILS.set(each, new Map([...(TRAILS.get(item) ?? []), [name, each]]));
    ways.set(left.way, [...(ways.get(left.way) ?? []), ...leaving]);
  }
  for (const [way, left] of ways) {
    const [first] = left;
    if (first === undefined) continue;
    firsts.set(name, first);
    for (const next of workflow.connections[name]?.main[way] ?? [])
      await runN8n(workflow, next.node, left, { ...n8n, runs, firsts, loops });
  }
}

/** Its first items wait in *Loop Over Items*, and leave it one by one whenever something comes back. */
function nextOf(loops: Map<string, Item[]>, name: string, items: readonly Item[]): [way: number, Item[]] {
  const left = loops.get(name) ?? [...items];
  loops.set(name, left.slice(1));
  return left.length === 0 ? [0, []] : [1, left.slice(0, 1)];
}
