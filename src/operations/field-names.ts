import { countEdits } from '../kernel/edit-distance.ts';
import { Problem } from '../kernel/problem.ts';
import { maskSecrets } from '../kernel/secrets.ts';
import type { RawFields } from './operation.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** Longer names are unknown. None of our fields needs more, and reading a name takes time with its length. */
const NAME_UNITS_MAX = 64;
/** `[]` or a number of at most 4 digits after a name makes a list, as axios, n8n and PHP write it. */
const LIST_MARK = /\[\d{0,4}\]$/;

/** A well-meaning caller never sends more unknown names, and comparing them takes time. */
const COMPARED_MAX = 100;

/** Programs add these to any address, for example to get past a cache. They are never misspelt fields. */
const OF_OTHER_PROGRAMS = /^(?:_|t|ts|v|cb|nonce|rnd|utm_.*)$/i;

/** In documented names of at least this length, two letters may be wrong; in those of at least 4, one. */
const LONG_LENGTH_MIN = 6;
const SHORT_LENGTH_MIN = 4;

/** What was sent under one spelling of a field. */
interface Sent {
  readonly value: unknown;
  readonly isList: boolean;
}

/** The fields that callers may name, in every spelling. */
export class FieldNames {
  // Names from strangers are looked up only in these, so that `__proto__` is not a field.
  readonly #names: ReadonlySet<string>;
  readonly #byFolded: ReadonlyMap<string, string>;

  /** @param names as they are documented. If two fold to the same spelling, the later one is meant. */
  constructor(names: readonly string[]) {
    this.#names = new Set(names);
    this.#byFolded = new Map(names.map((name) => [fold(name), name]));
  }

  /**
   * The fields that have a value, in `raw` or else in `fallback`, by their documented names. `undefined`, `null` and
   * `''` count as no value. The documented spelling wins over others. Values from several other spellings are joined
   * into a list, which no single-value field accepts.
   * @param mayBeEmpty fields for which `''` is a value
   */
  pick(
    raw: RawFields,
    fallback: RawFields,
    mayBeEmpty: ReadonlySet<string> = NOTHING,
  ): Record<string, unknown> {
    return { ...this.#read(fallback, mayBeEmpty), ...this.#read(raw, mayBeEmpty) };
  }

  /**
   * Refuses names that were probably meant for one of these fields: if a filter is ignored, the answer shows more than
   * was asked for.
   * @throws Problem `invalid_field`
   */
  refuseMisspelt(raw: RawFields): void {
    const unknown = Object.entries(raw).filter(
      ([spelt, value]) =>
        isGiven(value, false) && this.#find(spelt) === undefined && !OF_OTHER_PROGRAMS.test(spelt),
    );
    for (const [spelt] of unknown.slice(0, COMPARED_MAX)) {
      const meant = this.#findNearest(spelt);
      if (meant === null) continue;
      // Masked before it is cut, because the beginning of a token would no longer look like one.
      const shown = maskSecrets(spelt).slice(0, NAME_UNITS_MAX).toWellFormed();
      throw new Problem('invalid_field/misspelt', { field: shown, values: { meant } });
    }
  }

  #find(spelt: string): string | undefined {
    if (this.#names.has(spelt)) return spelt;
    return spelt.length > NAME_UNITS_MAX ? undefined : this.#byFolded.get(fold(withoutMark(spelt)));
  }

  #read(raw: RawFields, mayBeEmpty: ReadonlySet<string>): Record<string, unknown> {
    const documented = new Map<string, Sent[]>();
    const others = new Map<string, Sent[]>();
    for (const [spelt, value] of Object.entries(raw)) {
      const name = this.#find(spelt);
      if (name === undefined) continue;
      const isList = spelt.endsWith(']');
      const spellings = withoutMark(spelt) === name ? documented : others;
      const sent = spellings.get(name);
      if (sent === undefined) spellings.set(name, [{ value, isList }]);
      else sent.push({ value, isList });
    }
    const given: Record<string, unknown> = {};
    for (const spellings of [others, documented]) {
      for (const [name, sent] of spellings) {
        const value = join(sent, mayBeEmpty.has(name));
        if (value !== undefined) given[name] = value;
      }
    }
    return given;
  }

  #findNearest(spelt: string): string | null {
    let nearest: string | null = null;
    let least = Infinity;
    // Anything around the name does not belong to it: "user_id[x]", "filter[user_id]", "amp;user_id".
    for (const word of spelt.slice(0, NAME_UNITS_MAX).match(/[\w-]+/g) ?? []) {
      for (const [candidate, name] of this.#byFolded) {
        const distance = distanceOf(fold(word), candidate);
        if (distance >= least) continue;
        nearest = name;
        least = distance;
      }
    }
    return nearest;
  }
}

/** Infinity when this name cannot have been meant. */
function distanceOf(folded: string, candidate: string): number {
  if (folded === `${candidate}s`) return 1;
  const { length } = candidate;
  return countEdits(folded, candidate, length >= LONG_LENGTH_MIN ? 2 : length >= SHORT_LENGTH_MIN ? 1 : 0);
}

/** @returns undefined when there is no value */
function join(sent: readonly Sent[], isEmptyGiven: boolean): unknown {
  const given = sent.filter(({ value }) => isGiven(value, isEmptyGiven));
  const [first] = given;
  if (given.length === 1 && first?.isList === false) return first.value;
  const values = given
    .flatMap(({ value }): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter((value) => isGiven(value, isEmptyGiven));
  return values.length > 1 ? values : values[0];
}

function isGiven(value: unknown, isEmptyGiven: boolean): boolean {
  return value !== undefined && value !== null && (value !== '' || isEmptyGiven);
}

function withoutMark(spelt: string): string {
  return spelt.endsWith(']') ? spelt.replace(LIST_MARK, '') : spelt;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
