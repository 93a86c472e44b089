import { exists, valueOf, written, type Outputs } from './make-runner.ts';

// Runs a blueprint of Make as Make does, as far as docs/recipes.md uses its modules. A module or a condition that is not in
// here fails the test.

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface Module {
  readonly id: number;
  readonly module: string;
  readonly parameters?: { readonly handleErrors?: boolean };
  /** Rows of conditions: all of one row must hold. */
  readonly filter?: {
    readonly conditions: readonly (readonly {
      readonly a: string;
      readonly b?: string;
      readonly o: string;
    }[])[];
  };
  readonly mapper: {
    readonly url?: string;
    readonly method?: string;
    readonly headers?: readonly Pair[];
    readonly qs?: readonly Pair[];
    readonly contentType?: string;
    readonly data?: string;
    readonly parseResponse?: boolean;
    readonly variables?: readonly (Pair | string)[];
    readonly repeats?: string;
    readonly duration?: string;
    readonly json?: string;
  } | null;
  readonly routes?: readonly { readonly flow: readonly Module[] }[];
}

export interface Blueprint {
  readonly flow: readonly Module[];
}

export interface MakeWorld {
  /** The header of the credential that the reader has made. */
  readonly credential: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
  /** Runs a *Sleep*. */
  wait?(seconds: number): Promise<void>;
}

const CONDITIONS: Readonly<Record<string, (left: unknown, right: string) => boolean>> = {
  exist: exists,
  notexist: (left) => !exists(left),
  'text:notequal': (left, right) => written(left) !== right,
  'number:greater': (left, right) => Number(left) > Number(right),
  'number:less': (left, right) => Number(left) < Number(right),
  'number:equal': (left, right) => Number(left) === Number(right),
};

function passes({ filter }: Module, outputs: Outputs): boolean {
  const holds = ({ a, b = '', o }: { readonly a: string; readonly b?: string; readonly o: string }) => {
    const condition = CONDITIONS[o];
    if (condition === undefined) throw new Error(`Make has no condition ${o}`);
    return condition(valueOf(a, outputs), b);
  };
  return filter?.conditions.some((row) => row.every(holds)) ?? true;
}

async function request({ module, parameters, mapper }: Module, outputs: Outputs, world: MakeWorld) {
  const { url = '', method = 'get', headers = [], qs = [], contentType, data, parseResponse } = mapper ?? {};
  const filled = (pairs: readonly Pair[]) =>
    pairs.map(({ name, value }): [string, string] => [name, String(valueOf(value, outputs))]);
  const response = await world.fetch(`${url}?${new URLSearchParams(filled(qs)).toString()}`, {
    method: method.toUpperCase(),
    headers: {
      ...Object.fromEntries(filled(headers)),
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      ...(module === 'http:ActionSendDataAPIKeyAuth' ? world.credential : {}),
    },
    ...(data === undefined ? {} : { body: String(valueOf(data, outputs)) }),
  });
  if (parameters?.handleErrors === true && !response.ok)
    throw new Error(`The module answered ${response.status}`);
  return { data: parseResponse === true ? await response.json() : await response.text() };
}

/** Runs a scenario once. @throws what a module that ends it says */
export async function runBlueprint({ flow }: Blueprint, world: MakeWorld): Promise<void> {
  const variables = new Map<string, unknown>();
  const run = async (modules: readonly Module[], outputs: Outputs): Promise<void> => {
    const [module, ...rest] = modules;
    if (module === undefined || !passes(module, outputs)) return;
    const { mapper } = module;
    const read = (text = '') => valueOf(text, outputs);
    const goOn = (output: Readonly<Record<string, unknown>>) =>
      run(rest, new Map([...outputs, [String(module.id), output]]));
    switch (module.module) {
      case 'http:ActionSendData':
      case 'http:ActionSendDataAPIKeyAuth':
        return goOn(await request(module, outputs, world));
      case 'util:SetVariables':
        for (const each of mapper?.variables ?? [])
          if (typeof each !== 'string') variables.set(each.name, read(each.value));
        return goOn(Object.fromEntries(variables));
      case 'util:GetVariables': {
        const names = (mapper?.variables ?? []).filter((each) => typeof each === 'string');
        return goOn(Object.fromEntries(names.map((name) => [name, variables.get(name)])));
      }
      case 'builtin:BasicRepeater':
        for (let i = 1; i <= Number(read(mapper?.repeats)); i += 1) await goOn({ i });
        return undefined;
      case 'builtin:BasicRouter':
        for (const route of module.routes ?? []) await run(route.flow, outputs);
        return undefined;
      case 'util:FunctionSleep': {
        const seconds = Number(read(mapper?.duration));
        if (!(seconds >= 1 && seconds <= 300)) throw new Error(`Make sleeps no ${seconds} seconds`);
        await world.wait?.(seconds);
        return goOn({});
      }
      case 'json:ParseJSON':
        return goOn(parsed(String(read(mapper?.json))));
      default:
        throw new Error(`A recipe does not use ${module.module}`);
    }
  };
  await run(flow, new Map());
}

/** Make shows what was not JSON beside its error. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new Error(`Source is not valid JSON: ${text}`, { cause });
  }
}
