import STEPS from './steps.en.json' with { type: 'json' };

type Texts = typeof STEPS;
/** A sentence of steps.en.json: its group and its name. */
export type StepKey = {
  [Group in keyof Texts]: `${Group}.${keyof Texts[Group] & string}`;
}[keyof Texts];

/** A field of a builder: its label, and what to type. An entry of a list has a name and a value. */
export type FormField =
  | readonly [label: string, value: string]
  | readonly [label: string, name: string, value: string];

/** One comparison in the words of a builder. `right`: null if the check takes no value, empty if its field stays so. */
export interface Condition {
  readonly left: string;
  readonly check: string;
  readonly right: string | null;
}

/** The reply when a condition holds. */
export interface Check extends Condition {
  /** Must be true as well, in builders that would run several rows. */
  readonly also: readonly Condition[];
  readonly reply: string;
}

/** What to do, in one or two sentences. */
interface StepText {
  readonly key: StepKey;
  readonly values: Readonly<Record<string, string>>;
  /** Markdown in English. Other languages have the same `key` with the same `values`. */
  readonly text: string;
}

/**
 * One thing to do in a builder.
 * - `do` has only words.
 * - `fill`: values for the fields of a builder, in the order in which it shows them.
 * - `paste`: the code of the recipe goes there.
 * - `check`: conditions, in the order in which the builder must ask them. `ends`: the command ends with the reply.
 * - `name`: the reader copies variables that the builder names itself. The recipe has `(name)` for each, see
 *   `variablePlaceholder`.
 */
export type Step = StepText &
  (
    | { readonly kind: 'do' }
    | { readonly kind: 'fill'; readonly fields: readonly FormField[] }
    | { readonly kind: 'paste' }
    | { readonly kind: 'check'; readonly checks: readonly Check[]; readonly ends: boolean }
    | { readonly kind: 'name'; readonly variables: readonly string[] }
  );

type Values = Readonly<Record<string, string>>;

export function doStep(key: StepKey, values: Values = {}): Step {
  return { kind: 'do', ...textOf(key, values) };
}

export function paste(key: StepKey, values: Values = {}): Step {
  return { kind: 'paste', ...textOf(key, values) };
}

export function fill(key: StepKey, fields: readonly FormField[], values: Values = {}): Step {
  return { kind: 'fill', ...textOf(key, values), fields };
}

/** No step where there is nothing to check. */
export function check(key: StepKey, checks: readonly Check[], ends = true): Step[] {
  return checks.length === 0 ? [] : [{ kind: 'check', ...textOf(key, {}), checks, ends }];
}

export function name(key: StepKey, variables: readonly string[]): Step {
  return { kind: 'name', ...textOf(key, {}), variables };
}

/** How a recipe writes a variable that the reader copies from the builder. */
export function variablePlaceholder(variable: string): string {
  return `(${variable})`;
}

function textOf(key: StepKey, values: Values): StepText {
  const [group = '', wanted = ''] = key.split('.');
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = STEPS;
  const text = texts[group]?.[wanted] ?? key;
  return {
    key,
    values,
    text: text.replaceAll(/\{(\w+)\}/g, (placeholder, each: string) => values[each] ?? placeholder),
  };
}

/** The text for a field that stays empty. */
export const EMPTY = '(leave empty)';

/** Fields or checks of a step, line by line, for places that show plain text. */
export function linesOf(step: Step): string[] {
  if (step.kind === 'fill') {
    return step.fields.map(
      ([label, ...parts]) => `${label}: ${parts.map((part) => part || EMPTY).join(' = ')}`,
    );
  }
  if (step.kind === 'name') return [`Variables: ${step.variables.join(', ')}`];
  return step.kind === 'check' ? step.checks.map(lineOfCheck) : [];
}

function lineOfCheck({ also, reply, ...condition }: Check): string {
  const conditions = [...also, condition].map(({ left, check: how, right }) =>
    [left, how, ...(right === null ? [] : [right || EMPTY])].join(' '),
  );
  return `If ${conditions.join(', and ')}: ${reply}`;
}
