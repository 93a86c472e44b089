import type { Recipe } from '../../../src/recipes/recipe.ts';
import type { Check, Condition, FormField, Step } from '../../../src/recipes/steps.ts';
import { startDbm } from './dbm-runner.ts';

// Does by hand what somebody has built with a recipe, in each visual builder's own way. A comparison that is
// not in here fails the test.

export type FormBuilder = 'botghost' | 'kite' | 'discord_bot_maker' | 'make' | 'zapier';

/** What the flow did with an answer. */
export interface FormRun {
  readonly messages: readonly string[];
  /** Fields of what it did besides, such as a time out. */
  readonly acts: readonly FormField[];
}

type Answer = Readonly<Record<string, unknown>>;

/** A key of the answer as each builder writes it. */
const VALUE =
  /\((\w+)\)|\{\{ result\('qm'\)\.data\(\)\.(\w+) \}\}|\$\{tempVars\("qm"\)\.(\w+)(?:\.slice\(0, 512\))?\}|\{\{(?:join|replace)\(2\.data\.(\w+); (?:", "|"@"; "＠")\)\}\}|\{\{2\.data\.(\w+)\}\}|\{\{encodeURL\(substring\(2\.data\.(\w+); 0; 512\)\)\}\}|\{\{([A-Z][\w ]*)\}\}/g;
/** Roles with their counts as Discord Bot Maker and Make write them into one text. */
const ROLES =
  /\$\{tempVars\("qm"\)\.roles\.map\(\(role\) => role\.role_id \+ ": " \+ role\.count\)\.join\(", "\)\.slice\(0, 1900\)\}|\{\{substring\(4\.text; 0; 1900\)\}\}/;
/** Where each builder says a message, and where it runs through a list. */
const MESSAGE = /^(?:Reply|Create response message|Send Message|Discord > Send .*)$/;
const LIST = /^(?:Iterator|Looping by Zapier > .*|(?:Source )?List)$/;
const ENTRY = /\{\{3\.value\}\}|\{\{Chunk\}\}|\$\{tempVars\("chunk"\)\}/;

/** Only changes a text. */
const FORMATTER = 'Formatter by Zapier';

/** A value of the answer as a builder writes it into a text. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const keyOf = (groups: readonly (string | undefined)[]) =>
  (groups.slice(1, 8).find((group) => group !== undefined) ?? '').toLowerCase().replaceAll(' ', '_');

function valueOf(text: string, answer: Answer): unknown {
  const [whole] = text.matchAll(VALUE);
  return whole !== undefined && whole[0] === text ? answer[keyOf(whole)] : written(text, answer);
}

interface Role {
  readonly role_id: string;
  readonly count: number;
}

function written(text: string, answer: Answer): string {
  const roles = (Array.isArray(answer['roles']) ? answer['roles'] : []) as readonly Role[];
  const listed = roles.map(({ role_id, count }) => `${role_id}: ${count}`).join(', ');
  // Zapier has a list for each key of a list of objects.
  const columns = {
    roles_role_id: roles.map(({ role_id }) => role_id),
    roles_count: roles.map(({ count }) => count),
  };
  const all: Answer = { ...columns, ...answer };
  return text.replace(ROLES, listed).replaceAll(VALUE, (...groups: (string | undefined)[]) => {
    const value = toText(all[keyOf(groups)]);
    return groups[0]?.startsWith('{{replace(') === true ? value.replaceAll('@', '＠') : value;
  });
}

const COMPARISONS: Readonly<Record<string, (left: unknown, right: string) => boolean>> = {
  'Equal to': (left, right) => toText(left) === right,
  'Not equal to': (left, right) => toText(left) !== right,
  'Greater than': (left, right) => Number(left) > Number(right),
  'Not equal': (left, right) => toText(left) !== right,
  Equal: (left, right) => toText(left) === right,
  Exists: (left) => toText(left) !== '',
  'Does not exist': (left) => toText(left) === '',
  '(Boolean) Is true': (left) => left === true,
  '(Boolean) Is false': (left) => left === false,
  '(Text) Exactly matches': (left, right) => left === right,
  '(Number) Greater than': (left, right) => Number(left) > Number(right),
};

type Holds = (condition: Condition) => boolean;

function holds({ left, check, right }: Condition, answer: Answer): boolean {
  const compare = COMPARISONS[check];
  if (compare === undefined) throw new Error(`No builder has the comparison ${check}`);
  return compare(valueOf(left, answer), right ?? '');
}

/** The rows that run: all that hold where the builder looks at each (Zapier), else the first. */
function rowsOf(checks: readonly Check[], isMet: Holds, runsAll: boolean): readonly Check[] {
  const met = checks.filter((each) => [...each.also, each].every(isMet));
  return runsAll ? met : met.slice(0, 1);
}

/**
 * What happens from the answer of the request on. Without an answer, its keys have no values.
 * @param member whom Discord Bot Maker finds in the server
 * @param discord Discord's answer to a request of Discord Bot Maker
 */
export function runForm(
  builder: FormBuilder,
  { steps }: Recipe,
  answer: Answer,
  member: object | null = {},
  discord: object = { id: '500000000000000001' },
): FormRun {
  const messages: string[] = [];
  const acts: FormField[] = [];
  const dbm = startDbm(answer);
  const isMet: Holds = (condition) =>
    builder === 'discord_bot_maker' ? dbm.checkVariable(condition) : holds(condition, answer);
  for (const step of stepsAfterRequest(steps)) {
    if (step.kind === 'check') {
      const met = rowsOf(step.checks, isMet, builder === 'zapier' || !step.ends);
      messages.push(...met.map(({ reply }) => written(reply, answer)));
      if (step.ends && met.length > 0) return { messages, acts };
    }
    if (step.kind !== 'fill' || isElsewhere(step)) continue;
    const list = step.fields.find(([label]) => LIST.test(label))?.at(-1);
    for (const [label, place] of step.fields) {
      if (label === 'Store In') dbm.store(place, member);
      if (label === 'Store Response In') dbm.store(place, discord);
    }
    const [input, find = '', replace = ''] = step.fields
      .filter(([label]) => label.startsWith(FORMATTER))
      .map((field) => written(field.at(-1) ?? '', answer));
    const filled = input === undefined ? answer : { ...answer, output: input.replaceAll(find, replace) };
    for (const field of step.fields) {
      const [label] = field;
      const text = field.at(-1) ?? '';
      if (label === 'Control Variable') {
        dbm.setVariable(field);
      } else if (!MESSAGE.test(label)) {
        if (!LIST.test(label) && !label.startsWith(FORMATTER)) acts.push(field);
      } else if (ENTRY.test(text) && list !== undefined) {
        const entries = builder === 'discord_bot_maker' ? dbm.listOf(list) : [valueOf(list, answer)].flat();
        messages.push(...entries.map(String));
      } else {
        messages.push(written(text, filled));
      }
    }
  }
  return {
    messages,
    acts: acts.map(([label, ...parts]) => [label, parts.map((part) => written(part, answer)).join(' = ')]),
  };
}

/** The request is the first step with an address of ours. */
function stepsAfterRequest(steps: readonly Step[]): readonly Step[] {
  const at = steps.findIndex(
    (step) =>
      step.kind === 'fill' &&
      step.fields.some(([label, value]) => /url$/i.test(label) && value.includes('/api/')),
  );
  return steps.slice(at + 1);
}

/** What a builder does only when Discord refuses, and what Make does on another route. */
function isElsewhere({ key }: Step): boolean {
  return key.endsWith('.refused') || key === 'make.rest';
}

/** Whether a text starts the flow, by the filter that stands before the request. */
export function lets(builder: 'make' | 'zapier', recipe: Recipe, text: string): boolean {
  const rows = gateOf(builder, recipe);
  switch (rows.get('Operator') ?? rows.get('Condition')) {
    case 'Text operators: Matches pattern':
      return new RegExp(rows.get('Value') ?? '').test(text);
    case 'Exists':
      return valueOf(rows.get('Only continue if…') ?? '', extract(recipe, text)) !== undefined;
    default:
      return false;
  }
}

/** What Zapier's *Extract Pattern* finds in a text: `Output 0` is all of it, `Output 1` the first group. */
export function extract(recipe: Recipe, text: string): Answer {
  const found = new RegExp(gateOf('zapier', recipe).get('Pattern') ?? '').exec(text) ?? [];
  return Object.fromEntries([...found].map((part, at) => [`output_${at}`, part]));
}

/** The rows of the filter, which must stand before the request. */
function gateOf(builder: 'make' | 'zapier', { steps }: Recipe): ReadonlyMap<string, string> {
  const at = steps.findIndex(({ key }) => key === `${builder}.gate`);
  const gate = steps[at];
  if (gate?.kind !== 'fill' || steps.length - stepsAfterRequest(steps).length <= at) return new Map();
  return new Map(gate.fields.map((field) => [field.at(-2) ?? '', field.at(-1) ?? '']));
}

/** The message when Discord refuses what the flow asks of it; null when the flow stays silent. */
export function refusal({ steps }: Recipe): string | null {
  const step = steps.find(({ key }) => key.endsWith('.refused'));
  const message = step?.kind === 'fill' ? step.fields.find(([label]) => MESSAGE.test(label)) : undefined;
  return message?.at(-1) ?? null;
}
