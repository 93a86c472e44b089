import { createHash } from 'node:crypto';
import { compileFunction } from 'node:vm';

import type { FormField } from '../../../src/recipes/steps.ts';

// Runs modules of Make as it does, as far as recipes use them. A module, a condition or a function that is not in here fails
// the test.

type Values = Readonly<Record<string, unknown>>;

/** Make's request to the service: its fields and its headers. */
type Send = (fields: Values, headers: Values) => Values;

export interface MakeRun {
  readonly messages: readonly string[];
  /** Seconds of each *Sleep*. */
  readonly slept: readonly number[];
}

interface Module {
  readonly number: string;
  readonly app: string;
  /** What the bundle needs to get here. */
  readonly filter: string | null;
  readonly fields: (readonly [name: string, value: string])[];
}

export const exists = (value: unknown) => value !== null && value !== undefined && value !== '';

const FUNCTIONS = {
  min: Math.min,
  max: Math.max,
  ifempty: (value: unknown, other: unknown) => (exists(value) ? value : other),
  md5: (text: string) => createHash('md5').update(text).digest('hex'),
  replace: (text: string, found: string, by: string) => text.replaceAll(found, by),
  join: (list: readonly unknown[], between: string) => list.join(between),
  formatDate: (day: string, _format: string) => day,
  now: '2026-11-23',
};

/** Make has another one for each run. */
export const EXECUTION_ID = '2b9c0d';

/** Outputs of the modules that have run, by their numbers. */
export type Outputs = ReadonlyMap<string, Values>;

/** A place alone keeps its type. Among other text it is text, and a missing value is empty. */
export function valueOf(text: string, outputs: Outputs): unknown {
  const [, inside] = /^\{\{((?:(?!\}\})[^])*)\}\}$/.exec(text) ?? [];
  if (inside !== undefined) return resolved(inside, outputs);
  return text.replaceAll(/\{\{(.*?)\}\}/g, (_, each: string) => written(resolved(each, outputs)));
}

export function written(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Places are `2.data.rest`; arguments have a semicolon between them. */
function resolved(inside: string, outputs: Outputs): unknown {
  const source = inside.replaceAll(/"[^"]*"|\bvar\.scenario\.executionId\b|\b\d+\.[a-z_.]+|;/g, (part) => {
    if (part === ';') return ',';
    if (part.startsWith('var.')) return JSON.stringify(EXECUTION_ID);
    return part.startsWith('"') ? part : `at("${part}")`;
  });
  const at = (place: string) => {
    const [number = '', ...path] = place.split('.');
    return path.reduce<unknown>((value, key) => (value as Values | undefined)?.[key], outputs.get(number));
  };
  const names = { ...FUNCTIONS, at };
  return compileFunction(`return ${source};`, Object.keys(names))(...Object.values(names));
}

function passes(filter: string, outputs: Outputs): boolean {
  return filter.split(', or ').some((rule) => {
    const [, left = '', how, right = ''] =
      /^(\{\{.*?\}\}) (Exists|Does not exist|Equal to)(?: (.*))?$/.exec(rule) ?? [];
    const value = valueOf(left, outputs);
    if (how === undefined) throw new Error(`Make has no condition ${rule}`);
    return how === 'Equal to' ? String(value) === right : exists(value) === (how === 'Exists');
  });
}

function startingWith(start: string, values: Values): Values {
  const found = Object.entries(values).filter(([name]) => name.startsWith(start));
  return Object.fromEntries(found.map(([name, value]) => [name.slice(start.length), value]));
}

/** Rows as the recipe lists them: `14 Tools > Sleep: Delay` and a value; a filter stands before its module. */
function modulesOf(rows: readonly FormField[]): Module[] {
  const modules: Module[] = [];
  let filter: string | null = null;
  for (const [label, value] of rows) {
    if (label === 'Filter') {
      filter = value;
      continue;
    }
    const [, number, app, name = ''] = /^(\d+) ([^:]+)(?:: (.*))?$/.exec(label) ?? [];
    if (number === undefined || app === undefined) throw new Error(`${label} is no module`);
    if (modules.at(-1)?.number !== number) {
      modules.push({ number, app, filter, fields: [] });
      filter = null;
    }
    modules.at(-1)?.fields.push([name, value]);
  }
  return modules;
}

/**
 * Runs modules on a route.
 * @param outputs of the modules before them, by their numbers
 */
export function runMake(
  rows: readonly FormField[],
  outputs: Readonly<Record<string, Values>>,
  send: Send,
): MakeRun {
  const messages: string[] = [];
  const slept: number[] = [];
  const variables = new Map<string, unknown>();
  const run = ([module, ...rest]: readonly Module[], before: Outputs): void => {
    if (module === undefined || (module.filter !== null && !passes(module.filter, before))) return;
    const pairs = module.fields.map(([name, value]) => [name, valueOf(value, before)] as const);
    const values: Values = Object.fromEntries(pairs);
    const goOn = (output: Values) => run(rest, new Map([...before, [module.number, output]]));
    switch (module.app) {
      case 'Tools > Set multiple variables':
        for (const [name, value] of pairs) variables.set(name, value);
        return goOn(values);
      case 'Tools > Get multiple variables':
        return goOn(
          Object.fromEntries(
            String(values[''])
              .split(', ')
              .map((name) => [name, variables.get(name)]),
          ),
        );
      case 'Flow Control > Repeater':
        for (let i = 1; i <= Number(values['Repeats']); i += 1) goOn({ i });
        return undefined;
      case 'Tools > Sleep': {
        const seconds = Number(values['Delay']);
        if (!(seconds >= 1 && seconds <= 300)) throw new Error(`Make sleeps no ${seconds} seconds`);
        slept.push(seconds);
        return goOn({});
      }
      case 'HTTP':
        return goOn({ data: send(startingWith('Field ', values), startingWith('Header ', values)) });
      case 'Discord > Send a Message':
        messages.push(String(values['']));
        return goOn({});
      default:
        throw new Error(`A recipe does not use ${module.app}`);
    }
  };
  run(modulesOf(rows), new Map(Object.entries(outputs)));
  return { messages, slept };
}
