import type { Sent } from './recipe-languages.ts';

// Recipes that are not programs: what a reader would type into the fields of a builder, turned into the request that
// the builder makes of it, and the keys that they read from the answer.

export interface ReadRecipe {
  readonly request: Sent;
  /** Paths into the answer, such as `chunks` or `chunks_1`. */
  readonly reads: readonly string[];
}

/** @param fill puts the user's values in place of the builder's variables */
export type Reader = (code: string, fill: (text: string) => string) => ReadRecipe;

interface FormWords {
  readonly method: string;
  readonly url: string;
  readonly query: string;
  readonly field: string;
  readonly header: string;
  readonly separator: string;
  /** The body as JSON, in builders that take one. */
  readonly json?: string;
  /** A secret that the builder keeps and adds as a header. */
  readonly credential?: { readonly value: string; readonly name: string };
  readonly reads: RegExp;
}

function formReader(words: FormWords): Reader {
  return (code, fill) => {
    const blocks = code.split('\n\n');
    const at = blocks.findIndex((block) => block.includes(`${words.url}: `));
    const form = blocks[at] ?? '';
    const after = blocks.slice(at + 1).join('\n');
    const lines = form.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    });
    const one = (name: string) => lines.find(([label]) => label === name)?.[1];
    const list = (name: string) =>
      lines
        .filter(([label]) => label === name)
        .map(([, entry]) => {
          const at = entry.indexOf(words.separator);
          return [entry.slice(0, at), fill(entry.slice(at + words.separator.length))] as [string, string];
        });
    const url = new URL(fill(one(words.url) ?? ''));
    for (const [name, value] of list(words.query)) url.searchParams.append(name, value);
    const fields = list(words.field);
    const json = words.json === undefined ? undefined : one(words.json);
    const credentials = Object.fromEntries(words.credential === undefined ? [] : list('Credentials'));
    const { name = '', value = '' } = words.credential ?? {};
    const headers = {
      ...Object.fromEntries(list(words.header)),
      ...(credentials[name] === undefined ? {} : { [credentials[name]]: credentials[value] ?? '' }),
    };
    return {
      request: {
        method: one(words.method)?.toUpperCase() ?? 'GET',
        url: url.href,
        headers: {
          ...headers,
          ...(fields.length === 0 ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(fields.length === 0 ? {} : { body: new URLSearchParams(fields).toString() }),
        ...(json === undefined ? {} : { body: fill(json) }),
      },
      reads: [...after.matchAll(words.reads)].flatMap((match) =>
        (match.slice(1).find((group) => group !== undefined) ?? '').split(/, | and /),
      ),
    };
  };
}

export const readBotGhost = formReader({
  method: 'Request type',
  url: 'Request URL',
  query: 'URL param',
  field: '',
  header: 'HTTP header',
  separator: ' = ',
  reads: /^Variables: (.*)$/gm,
});

export const readKite = formReader({
  method: 'Method',
  url: 'URL',
  query: 'Query',
  field: '',
  header: 'Header',
  separator: ' = ',
  reads: /\{\{ result\('qm'\)\.data\(\)\.(\w+) \}\}/g,
});

const DISCORD_BOT_MAKER: FormWords = {
  method: '',
  url: 'WebAPI URL',
  query: '',
  field: '',
  header: 'Headers',
  separator: ':',
  reads: /tempVars\("qm"\)\.(\w+)/g,
};

/** One of its two actions reads and the other one sends. */
export const readDiscordBotMaker: Reader = (code, fill) => {
  const sends = !code.includes(`${DISCORD_BOT_MAKER.url}: `);
  const words = sends
    ? { ...DISCORD_BOT_MAKER, method: 'Method', url: 'WebAPI Url', json: 'Json To Post' }
    : DISCORD_BOT_MAKER;
  return formReader(words)(code, fill);
};

export const readMake = formReader({
  credential: { name: 'API key parameter name', value: 'Key' },
  method: 'Method',
  url: 'URL',
  query: 'Query parameters',
  field: 'Field',
  header: 'Headers',
  separator: ' = ',
  reads: /\{\{(?:(?:join|replace)\()?2\.data\.(\w+)(?:; .*?\))?\}\}/g,
});

const readZapierForm = formReader({
  method: 'Event',
  url: 'URL',
  query: 'Query String Params',
  field: 'Data',
  header: 'Headers',
  separator: ' = ',
  reads: /\{\{([A-Z][\w ]*)\}\}/g,
});

/** Zapier shows keys as titles: `user_id` is "User Id". */
export const readZapier: Reader = (code, fill) => {
  const { request, reads } = readZapierForm(code, fill);
  return {
    request,
    reads: reads
      .filter((title) => title !== '' && title !== 'Chunk' && title !== 'Output')
      .map((title) => title.toLowerCase().replaceAll(' ', '_')),
  };
};

interface N8nParameters {
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
}

/** Nodes that read Discord's answer. */
const OF_DISCORD = new Set(['Timed out?', 'Added?', 'Refused']);

export const readN8n: Reader = (code, fill) => {
  const { nodes } = JSON.parse(code) as {
    nodes: {
      name: string;
      type: string;
      parameters: {
        method: string;
        url: string;
        headerParameters: N8nParameters;
        queryParameters?: N8nParameters;
        bodyParameters?: N8nParameters;
        contentType?: string;
        genericAuthType?: string;
        fieldToSplitOut?: string;
        assignments?: { assignments: { name: string; value: string }[] };
      };
    }[];
  };
  // Fields that the workflow adds itself. It also carries on fields of an answer, under their names.
  const own = new Set(
    nodes
      .flatMap(({ parameters }) => parameters.assignments?.assignments ?? [])
      .filter(({ name, value }) => !value.includes(`$json.${name}`))
      .map(({ name }) => name),
  );
  const { method, url, headerParameters, queryParameters, bodyParameters, contentType, genericAuthType } =
    nodes[0]!.parameters;
  const pairs = (given: N8nParameters | undefined) =>
    (given?.parameters ?? []).map(({ name, value }) => [name, fill(value)] as [string, string]);
  const address = new URL(url);
  for (const [name, value] of pairs(queryParameters)) address.searchParams.append(name, value);
  const isForm = contentType === 'form-urlencoded';
  return {
    request: {
      method,
      url: address.href,
      headers: {
        ...Object.fromEntries(pairs(headerParameters)),
        // The credential that the reader has made as the recipe says.
        ...(genericAuthType === 'httpHeaderAuth' ? { Webhook: fill('YOUR_WEBHOOK') } : {}),
        ...(isForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(isForm ? { body: new URLSearchParams(pairs(bodyParameters)).toString() } : {}),
    },
    reads: nodes
      .slice(1)
      .filter(({ name, type }) => !type.endsWith('.filter') && !OF_DISCORD.has(name))
      .flatMap(({ parameters }) => [
        ...(parameters.fieldToSplitOut === undefined ? [] : [parameters.fieldToSplitOut]),
        ...[...JSON.stringify(parameters).matchAll(/(?:\$json|item\.json)\.(\w+)/g)].map(
          (match) => match[1]!,
        ),
      ])
      .filter((name) => !own.has(name)),
  };
};

/**
 * Words of a shell: blanks separate them, quotes hold them together, and a backslash keeps the next character. What is in
 * double quotes keeps its variables.
 */
function shellWords(code: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at]!;
    if (sign === "'" || sign === '"') {
      const end = code.indexOf(sign, at + 1);
      word = (word ?? '') + code.slice(at + 1, end);
      at = end;
    } else if (sign === '\\') {
      at += 1;
      if (code[at] !== '\n') word = (word ?? '') + code[at]!;
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + sign;
    }
  }
  return word === null ? words : [...words, word];
}

/** Only variables are filled in: a shell leaves everything else as it is. */
const inShell = (value: string, fill: (text: string) => string) =>
  /^\$\w+$/.test(value) ? fill(value) : value;

export const readCurl: Reader = (code, fill) => {
  const words = shellWords(code);
  const pipe = words.indexOf('|');
  const [program, url = '', ...options] = pipe === -1 ? words : words.slice(0, pipe);
  if (program !== 'curl') throw new Error('no curl');
  const headers: Record<string, string> = {};
  let body: string | undefined;
  for (let at = 0; at < options.length; at += 2) {
    const value = options[at + 1] ?? '';
    if (options[at] === '-H')
      headers[value.split(': ')[0]!] = inShell(value.slice(value.indexOf(': ') + 2), fill);
    else if (options[at] === '-d') body = value;
    else throw new Error(`unknown option ${options[at]}`);
  }
  return {
    request: {
      method: body === undefined ? 'GET' : 'POST',
      url,
      headers,
      ...(body === undefined ? {} : { body }),
    },
    reads: [...code.matchAll(/jq (?:-r )?'([^']*)'/g)].flatMap(([, filter = '']) =>
      [...filter.matchAll(/\.(\w+)/g)].map((match) => match[1]!),
    ),
  };
};
