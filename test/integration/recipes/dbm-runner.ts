import { createContext, runInContext } from 'node:vm';

import type { Condition, FormField } from '../../../src/recipes/steps.ts';

// Actions of Discord Bot Maker, as its source has them: they take the name of a variable, and most values are
// JavaScript. Version 2.0.8 never matches a variable that is false or empty; 2.1.7 compares it.

type Version = '2.0.8' | '2.1.7';

const COMPARISONS: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  Exists: (left) => left !== undefined,
  // Both compare as JavaScript does.
  Equals: (left, right) => run('left == right', { left, right }) === true,
  'Greater Than': (left, right) => run('left > right', { left, right }) === true,
};

export interface DbmCommand {
  /** *Control Variable*, with *Set Value*. */
  setVariable(entry: FormField): void;
  /** What an action has found or received. Without that, the variable stays as it is. */
  store(place: string, found: object | null): void;
  /** *Check Variable*. True if the reply of the row is sent. */
  checkVariable(condition: Condition): boolean;
  /** The list that *Loop Through List* runs through. */
  listOf(place: string): readonly unknown[];
}

/** @param answer what the request has stored in the variable `qm` */
export function startDbm(answer: unknown): DbmCommand {
  const temp = new Map<string, unknown>([['qm', answer]]);
  const evaluate = (content: string): unknown => {
    if (content === '') return false;
    try {
      return run(content, { tempVars: (name: string) => temp.get(name) });
    } catch {
      return false;
    }
  };
  const fillIn = (content: string): unknown =>
    /\$\{.*\}/i.test(content) ? evaluate(`\`${content.replaceAll('`', '\\`')}\``) : content;
  const evaluateIfPossible = (content: string): unknown => {
    const value = evaluate(content);
    if (value !== false) return value;
    const text = fillIn(content);
    return text === false ? content : text;
  };
  const variableOf = (name: string) => temp.get(String(fillIn(name)));
  const matches = (version: Version, variable: unknown, comparison: string, given: string): boolean => {
    if (version === '2.0.8' && !variable) return false;
    if (comparison === 'Matches Regex') {
      if (typeof variable === 'string') return new RegExp(`^${given}$`, 'i').test(variable);
      if (version === '2.0.8') throw new Error('2.0.8 fails where it matches something else than a text');
      return false;
    }
    const compare = COMPARISONS[comparison];
    if (compare === undefined) throw new Error(`Check Variable has no comparison ${comparison}`);
    return compare(variable, evaluateIfPossible(given));
  };
  return {
    setVariable([, name, value = '']) {
      const stored = evaluate(String(fillIn(value)));
      if (stored !== undefined) temp.set(name, stored);
    },
    store(place, found) {
      if (found !== null) temp.set(nameIn(place), found);
    },
    checkVariable({ left, check, right }) {
      const [comparison = '', ifFalse] = check.split(/(?= \(If False\)$)/);
      const variable = variableOf(left);
      const [older, newer] = (['2.0.8', '2.1.7'] as const).map((version) =>
        matches(version, variable, comparison, right ?? ''),
      );
      if (older !== newer) throw new Error(`Versions of DBM differ: ${left} ${check} ${right ?? ''}`);
      return (newer === true) !== (ifFalse !== undefined);
    },
    listOf(place) {
      const list = variableOf(nameIn(place));
      if (!Array.isArray(list)) throw new Error(`${place} is no list`);
      return list;
    },
  };
}

/** The name in a field that has a kind of variable and its name. */
function nameIn(place: string): string {
  return place.replace(/^Temp Variable /, '');
}

function run(script: string, names: Readonly<Record<string, unknown>>): unknown {
  return runInContext(script, createContext({ ...names }));
}
