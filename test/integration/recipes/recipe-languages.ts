// The languages of BDFD, aoi.js and ForgeScript, as far as recipes use them: `$name[argument;argument]`, arguments first.
// A function that is not in the list of its language fails the test, so that no recipe uses one that does not exist.

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** What a recipe did: its request, what it read of the answer, what it wrote to the channel. */
export interface Played {
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

/** How `$onlyIf` ends a command, with what it says instead. */
class Stopped extends Error {}

const onlyIf: Blocks[string] = async ([condition = ''], run) => {
  const [left, right] = condition.split('==');
  if (left !== right) throw new Stopped(await run());
  return '';
};

/** Output from before `$onlyIf` stopped the command is not shown. */
async function untilStopped(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Stopped) return error.message;
    throw error;
  }
}

/** `$message` in all three languages: the words after the command, or one of them. */
function messageArgument(message: string, index: string | undefined, firstIndex: number): string {
  const [, ...words] = message.split(' ');
  return index === undefined ? words.join(' ') : (words[Number(index) - firstIndex] ?? '');
}

/** @param send answers a request with its JSON @param message what the user wrote, the command included */
export type Player = (
  code: string,
  message: string,
  send: (request: Sent) => Promise<unknown>,
) => Promise<Played>;

function lookUp(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`the answer has no ${path.join('.')}`);
    }
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

export const playBdfd: Player = async (code, message, send) => {
  const played = { sent: [] as Sent[], read: [] as string[], messages: [] as string[] };
  const headers: Record<string, string> = {};
  let answer: unknown = null;
  const request = async (method: string, [url = '', body]: string[]) => {
    const sent = { method, url, headers: { ...headers }, ...(body === undefined ? {} : { body }) };
    played.sent.push(sent);
    answer = await send(sent);
    return '';
  };
  /** Whether lines are skipped, by open $if. */
  const skipping: boolean[] = [];
  const language: Language = {
    functions: {
      nomention: () => '',
      message: ([index]) => messageArgument(message, index, 1),
      authorID: () => messageArgument(message, undefined, 0),
      guildID: () => messageArgument(message, undefined, 0),
      channelID: () => '1',
      url: ([, given = '']) => encodeURIComponent(given),
      httpAddHeader: ([name = '', value = '']) => {
        headers[name] = value;
        return '';
      },
      httpPost: (args) => request('POST', args),
      httpGet: (args) => request('GET', args),
      httpResult: (path) => {
        played.read.push(path.join('.'));
        // BDFD writes nothing for a key that is not there; each recipe's keys are checked by themselves.
        return path.length === 0 ? String(answer) : toText(lookUp(answer, path));
      },
      channelSendMessage: ([, content = '']) => {
        played.messages.push(content);
        return '';
      },
      addEmoji: ([, address = '']) => {
        played.messages.push(address);
        return '<:new_emoji:1>';
      },
      if: ([condition = '']) => {
        const [, left = '', sign = '', right = ''] = /^(.*?)(>=|==)(.*)$/s.exec(condition) ?? [];
        skipping.push(!(sign === '==' ? left === right : Number(left) >= Number(right)));
        return '';
      },
    },
    blocks: { onlyIf },
  };
  const text = await untilStopped(async () => {
    let shown = '';
    for (const line of code.split('\n')) {
      if (line === '$else') skipping.push(!(skipping.pop() ?? false));
      else if (line === '$endif') skipping.pop();
      else if (!skipping.includes(true)) shown += `${await evaluate(line, language)}\n`;
    }
    return shown;
  });
  return { ...played, text };
};
