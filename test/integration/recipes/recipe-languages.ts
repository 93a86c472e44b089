import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import type { FilledBy } from '../../../src/recipes/recipe.ts';
import { KEY_NAME, WEBHOOK_NAME } from '../../../src/recipes/request-fields.ts';
import { BDFD_FUNCTIONS } from './bdfd-functions.ts';

// The language of BDFD, as far as recipes use it: `$name[argument;argument]`, arguments first.
// A function that its wiki does not list fails the test, so that no recipe uses one that does not exist.

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Where a reader's webhook stands in for the one of a test, as Discord copies it. */
export const READERS_WEBHOOK = {
  url: `https://discord.com/api/webhooks/300000000000000077/${'Reader'.repeat(12)}`,
  parts: `300000000000000077/${'Reader'.repeat(12)}`,
} as const;

/** The variables that a recipe finds in the environment of its bot. */
export function environmentWith(key: string): Record<string, string> {
  return { [KEY_NAME]: key, [WEBHOOK_NAME]: READERS_WEBHOOK.url };
}

/** The work of a recipe: its request, what it read of the answer, what it wrote to the channel. */
export interface RecipeRun {
  readonly sent: Sent[];
  readonly read: string[];
  readonly messages: string[];
  readonly text: string;
}

type Functions = Readonly<Record<string, (args: string[]) => string | Promise<string>>>;
/** Functions whose last argument runs later, perhaps more than once. */
type Blocks = Readonly<
  Record<string, (args: string[], run: () => Promise<string>) => string | Promise<string>>
>;

interface Language {
  readonly functions: Functions;
  readonly blocks?: Blocks;
}

async function evaluate(source: string, language: Language): Promise<string> {
  let output = '';
  for (let at = 0; at < source.length;) {
    const name = /^\$([a-zA-Z]+)/.exec(source.slice(at))?.[1];
    if (name === undefined) {
      output += source[at];
      at += 1;
      continue;
    }
    if (!BDFD_FUNCTIONS.has(name)) throw new Error(`BDFD has no $${name}`);
    at += name.length + 1;
    const end = source[at] === '[' ? closing(source, at) : at - 1;
    const args = end < at ? [] : splitTop(source.slice(at + 1, end));
    at = end + 1;
    const block = language.blocks?.[name];
    if (block !== undefined) {
      const body = args.pop() ?? '';
      const evaluated = await evaluateAll(args, language);
      output += await block(evaluated, () => evaluate(body, language));
      continue;
    }
    const call = language.functions[name];
    if (call === undefined) throw new Error(`$${name} is not known`);
    output += await call(await evaluateAll(args, language));
  }
  return output;
}

async function evaluateAll(args: readonly string[], language: Language): Promise<string[]> {
  const values: string[] = [];
  for (const arg of args) values.push(await evaluate(arg, language));
  return values;
}

function closing(source: string, open: number): number {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    if (source[at] === '[') depth += 1;
    if (source[at] === ']') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('a bracket is not closed');
}

function splitTop(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '[') depth += 1;
    if (sign === ']') depth -= 1;
    if (sign === ';' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

/** Ends a command early; the message is what it says instead. */
class Stopped extends Error {}

/** Output from before `$onlyIf` stopped the command is not shown. */
async function untilStopped(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stopped) return error.message;
    throw error;
  }
}

/** What fills the main field. If nobody types that, tests write after the command what the builder's variable holds. */
export function filledByOf(message: string): FilledBy | undefined {
  const [word] = message.split(' ', 1);
  return RECIPE_OPERATIONS.find(({ recipe }) => word === `!${recipe.command}`)?.recipe.filledBy;
}

/** `$message` in all three languages: the words after the command, or one of them. */
function messageArgument(message: string, index: string | undefined, firstIndex: number): string {
  const [, ...words] = message.split(' ');
  return index === undefined ? words.join(' ') : (words[Number(index) - firstIndex] ?? '');
}

/**
 * @param send answers a request with its JSON @param message what the user wrote, the command included
 * @param key what is in the environment, in builders that have one
 */
export type RecipeRunner = (
  code: string,
  message: string,
  send: (request: Sent) => Promise<unknown>,
  key: string,
) => Promise<RecipeRun>;

function lookUp(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    // A server may have fewer roles than a recipe shows.
    if (/^roles_\d_/.test(key) && !Object.hasOwn(Object(found), key)) return '';
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`the answer has no ${path.join('.')}`);
    }
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** What BDFD's checks read: who writes the command, where, with which roles and permissions. */
export interface BdfdSituation {
  /** Named as BDFD names them; null for all. */
  readonly permissions: readonly string[] | null;
  readonly inServer: boolean;
  /** True when Discord lets the bot act. */
  readonly mayAct: boolean;
  readonly authorId: string;
  readonly ownerId: string;
  /** The highest role of members, by their ids, as its place: 1 is above all others. */
  readonly roles: Readonly<Record<string, string>>;
}

const AUTHOR_ID = '300000000000000001';
/** The owner of the server writes, and has no role. */
export const BDFD_SITUATION: BdfdSituation = {
  permissions: null,
  inServer: true,
  mayAct: true,
  authorId: AUTHOR_ID,
  ownerId: AUTHOR_ID,
  roles: {},
};
let lastMessageId = 1_400_000_000_000_000_000n;

export const runBdfd: RecipeRunner = (...args) => runBdfdIn(BDFD_SITUATION, ...args);

/** The lines of BDScript 2, one after the other, with its blocks. */
export async function runBdfdIn(
  { permissions, inServer, mayAct, authorId, ownerId, roles }: BdfdSituation,
  ...[code, message, send]: Parameters<RecipeRunner>
): Promise<RecipeRun> {
  const result = { sent: [] as Sent[], read: [] as string[], messages: [] as string[] };
  const headers: Record<string, string> = {};
  const filledBy = filledByOf(message);
  let answer: unknown = null;
  let pingsRoles = true;
  const request = async (method: string, [url = '', body]: string[]) => {
    const sent = { method, url, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
    result.sent.push(sent);
    answer = await send(sent);
    return '';
  };
  const act = (what: string) => {
    if (!mayAct) throw new Error('Missing permissions');
    result.messages.push(what);
    return '';
  };
  const language: Language = {
    functions: {
      nomention: () => '',
      allowRoleMentions: (ids) => {
        pingsRoles = ids.some((id) => id !== '');
        return '';
      },
      reply: () => '',
      message: ([index]) => messageArgument(message, index, 1),
      getAttachments: () => messageArgument(message, undefined, 0),
      mentionedRoles: () => messageArgument(message, undefined, 0),
      authorID: () => (filledBy === 'user' ? messageArgument(message, undefined, 0) : authorId),
      serverOwner: () => ownerId,
      highestRole: ([userId = '']) => roles[userId] ?? '',
      // 1 is the highest; somebody without a role has only the one of everybody.
      rolePosition: ([roleId = '']) => roleId || '99',
      or: (conditions) => String(conditions.some(holds)),
      guildID: () => {
        const id = filledBy === 'guild' ? messageArgument(message, undefined, 0) : '1';
        return inServer ? id : '';
      },
      channelID: () => '1',
      messageID: () => (lastMessageId += 1n).toString(),
      getVar: ([name = '']) => {
        if (name !== WEBHOOK_NAME) throw new Error(`There is no variable ${name}`);
        return READERS_WEBHOOK.url;
      },
      url: ([, given = '']) => encodeURIComponent(given),
      httpAddHeader: ([name = '', value = '']) => {
        headers[name] = value;
        return '';
      },
      httpPost: (args) => request('POST', args),
      httpGet: (args) => request('GET', args),
      httpResult: (path) => {
        result.read.push(path.join('.'));
        if (path.length === 0) return String(answer);
        // What is no JSON has no keys; in an answer of ours, each key of a recipe is there.
        return typeof answer === 'object' && answer !== null ? toText(lookUp(answer, path)) : '';
      },
      channelSendMessage: ([, content = '']) => act(content),
      addEmoji: ([, address = '']) => act(address) || '<:new_emoji:1>',
      timeout: ([time = '', userId = '']) => act(`timeout ${userId} ${time}`),
    },
    blocks: {
      onlyIf: async ([condition = ''], run) => {
        if (!holds(condition)) throw new Stopped(await run());
        return '';
      },
      argsCheck: async ([count = ''], run) => {
        if (!holds(`${message.split(' ').length - 1}${count}`)) throw new Stopped(await run());
        return '';
      },
      onlyPerms: async ([name = ''], run) => {
        if (permissions !== null && !permissions.includes(name)) throw new Stopped(await run());
        return '';
      },
    },
  };
  const text = await untilStopped(() => runLines(code.split('\n'), language));
  if (pingsRoles && text.includes('<@&')) throw new Error(`It pings roles: ${text}`);
  return { ...result, text };
}

/** A condition of BDFD. */
function holds(condition: string): boolean {
  const [, left = '', sign = '', right = ''] = /^(.*?)(>=|<=|==|!=|<|>)(.*)$/s.exec(condition) ?? [];
  if (sign === '==') return left === right;
  if (sign === '!=') return left !== right;
  if (sign === '<') return Number(left) < Number(right);
  if (sign === '>') return Number(left) > Number(right);
  return sign === '<=' ? Number(left) <= Number(right) : Number(left) >= Number(right);
}

/** The lines up to the one that ends their block, and those after it. */
function takeBlock(lines: readonly string[], open: RegExp, end: string): [string[], string[]] {
  let depth = 1;
  for (const [index, line] of lines.entries()) {
    if (open.test(line)) depth += 1;
    if (line === end) depth -= 1;
    if (depth === 0) return [lines.slice(0, index), lines.slice(index + 1)];
  }
  throw new Error(`${end} is missing`);
}

async function runLines(lines: readonly string[], language: Language): Promise<string> {
  const [line, ...rest] = lines;
  if (line === undefined) return '';
  if (line === '$try') {
    const [block, after] = takeBlock(rest, /^\$try$/, '$endtry');
    const at = block.indexOf('$catch');
    let shown: string;
    try {
      shown = await runLines(block.slice(0, at), language);
    } catch (error) {
      if (error instanceof Stopped) throw error;
      shown = await runLines(block.slice(at + 1), language);
    }
    return shown + (await runLines(after, language));
  }
  if (line.startsWith('$if[')) {
    const [block, after] = takeBlock(rest, /^\$if\[/, '$endif');
    const isTrue = holds(await evaluate(line.slice('$if['.length, -1), language));
    return (isTrue ? await runLines(block, language) : '') + (await runLines(after, language));
  }
  return `${await evaluate(line, language)}\n${await runLines(rest, language)}`;
}
