import { countTypos } from '../kernel/edit-distance.ts';
import { Problem, type ProblemTextKey, type Values } from '../kernel/problem.ts';
import { maskSecrets } from '../kernel/secrets.ts';

/** Fields by name, as they arrived. */
export type RawFields = Readonly<Record<string, unknown>>;

/** Longer names are unknown, because reading a name takes time with its length, and our fields are shorter. */
const NAME_LENGTH_MAX = 64;
/** `[]` or a number of at most 4 digits after a name makes a list, as axios, n8n and PHP write it. */
const LIST_MARK = /\[\d{0,4}\]$/;

/** A well-meaning caller never sends more unknown names, and comparing them takes time. */
const COMPARED_MAX = 100;

/** Programs add these to any URL to get past a cache or to recognise a request. They are never fields. */
const REQUEST_MARKS = new Set(
  `_ t ts v cb nonce rnd request_id trace_id span_id message_id interaction_id application_id client_id event_id
  execution_id workflow_id run_id timestamp time nocache`
    .split(/\s+/)
    .map(fold),
);
const CAMPAIGN = /^utm_/i;

/** The whole value is an id or a mention, or a list of them. */
const ID_OR_MENTION = /^(?:\d{17,20}|<(?:@[!&]?|#)\d{1,20}>)$/;
/** Separators of a list that came as one text, including its brackets and quotes. */
const LIST_SEPARATORS = /[\s,;[\]"']+/;

/** Judges a name that is not a field: returns why this value is refused, or null to ignore it. */
export type RefusedName = (
  value: unknown,
) => { readonly key: ProblemTextKey; readonly values?: Values } | null;

interface FieldNamesOptions {
  readonly fields: readonly string[];
  /** Options that HTTP or Discord reads itself. A tool of language models has none. Default: none. */
  readonly options?: readonly string[];
  /** Fields of a related operation that callers mix up with these. They are recognised, but ignored. Default: none. */
  readonly mistaken?: readonly string[];
  /** Fields for which `''` is a value. Default: none. */
  readonly keepsEmpty?: readonly string[];
  /** Other names that are refused instead of ignored. A field of the same name takes precedence. Default: none. */
  readonly refused?: ReadonlyMap<string, RefusedName>;
  /** Fields that tools of language models lack, each with the sentence that refuses it. Default: none. */
  readonly refusedByMcp?: Readonly<Record<string, ProblemTextKey>>;
  /**
   * Fields that take an id, for operations that would show too much if they ignored a filter. With them, an unknown
   * name is refused if it was probably meant for a field, if `refused` has it in brackets or in the singular, or if its
   * value is an id. Default null: unknown names are ignored.
   */
  readonly idFields?: readonly string[] | null;
}

interface Meaning {
  readonly name: string;
  readonly kind: 'field' | 'option' | 'mistaken' | 'refused';
  /** null for a name that is read. */
  readonly refusal: RefusedName | null;
  readonly keepsEmpty: boolean;
}

/**
 * All names that callers may use, in every spelling. Built once per operation, so a call only looks up each name.
 */
export class FieldNames {
  // Names from callers are looked up only in this map, never as properties: `__proto__` is not a field.
  readonly #meanings = new Map<string, Meaning>();
  readonly #options: FieldNamesOptions;
  readonly #folded: readonly (readonly [folded: string, field: string])[];

  constructor(options: FieldNamesOptions) {
    this.#options = options;
    this.#folded = options.fields.map((field) => [fold(field), field]);
    const { fields, options: ofInterface = [], mistaken = [], keepsEmpty = [], refused = [] } = options;
    const mean = (name: string, kind: Meaning['kind'], refusal: RefusedName | null = null) => {
      const meaning = { name, kind, refusal, keepsEmpty: keepsEmpty.includes(name) };
      this.#meanings.set(fold(name), meaning).set(name, meaning);
    };
    // For repeated names, the last one counts.
    for (const name of mistaken) mean(name, 'mistaken');
    for (const [name, refusal] of refused) mean(name, 'refused', refusal);
    for (const name of ofInterface) mean(name, 'option');
    for (const name of fields) mean(name, 'field');
  }

  /** The same table with options that HTTP or Discord reads itself. */
  withOptions(options: readonly string[]): FieldNames {
    return new FieldNames({ ...this.#options, options });
  }

  /**
   * Returns the fields and options that have a value, in `raw` or else in `fallback`, by their documented names.
   * `undefined`, `null` and `''` count as no value. The documented spelling wins over others. Values from several other
   * spellings are joined into a list, which no single-value field accepts.
   * @param isMcpCall refuses unknown names, because a model invents some
   * @throws Problem `invalid_field`
   */
  read(raw: RawFields, fallback: RawFields, isMcpCall = false): Record<string, unknown> {
    const given: Record<string, unknown> = {};
    this.#readInto(given, fallback, isMcpCall);
    this.#readInto(given, raw, isMcpCall);
    return given;
  }

  /** True for a field or an option in any spelling. */
  knows(spelt: string): boolean {
    const kind = this.#find(spelt)?.kind;
    return kind === 'field' || kind === 'option';
  }

  /** Returns the unknown name that was probably meant for this missing field, or null. */
  findMisspelt(field: string, ...sent: readonly RawFields[]): string | null {
    const unknown = sent.flatMap((raw) => Object.keys(raw)).slice(0, COMPARED_MAX);
    const meant = unknown.find(
      (name) =>
        name.length <= NAME_LENGTH_MAX &&
        this.#find(name) === undefined &&
        !isRequestMark(name) &&
        countTypos(fold(name), fold(field)) < Infinity,
    );
    return meant === undefined ? null : toShown(meant);
  }

  #readInto(given: Record<string, unknown>, raw: RawFields, isMcpCall: boolean): void {
    const { idFields = null } = this.#options;
    /** By field: whether it came under its documented name. */
    const read = new Map<string, boolean>();
    let compared = 0;
    for (const [spelt, sent] of Object.entries(raw)) {
      const meaning = this.#find(spelt);
      const keepsEmpty = meaning?.keepsEmpty ?? false;
      const value = spelt.endsWith(']') ? toEntries([sent], keepsEmpty) : sent;
      if (!isGiven(value, keepsEmpty)) continue;
      if (meaning !== undefined) this.#refuseValue(meaning, value);
      if (isMcpCall) this.#requireArgument(spelt, meaning);
      if (meaning === undefined && idFields !== null && !isRequestMark(spelt)) {
        compared += 1;
        if (compared <= COMPARED_MAX) this.#refuseNearby(spelt, value);
        refuseIds(spelt, value, idFields);
      }
      if (meaning !== undefined && meaning.kind !== 'refused') {
        const { name } = meaning;
        const isDocumented = spelt === name || withoutMark(spelt) === name;
        const wasDocumented = read.get(name);
        if (wasDocumented === isDocumented) {
          given[name] = toEntries([given[name], value], keepsEmpty);
        } else if (wasDocumented !== true) {
          given[name] = value;
          read.set(name, isDocumented);
        }
      }
    }
  }

  /** @throws Problem for a value that is refused under this name */
  #refuseValue({ name, refusal }: Meaning, value: unknown): void {
    const refused = refusal?.(value) ?? null;
    if (refused === null) return;
    throw new Problem(refused.key, {
      field: name,
      values: { names: this.#namesForTools(), ...refused.values },
    });
  }

  /** @throws Problem `invalid_field` for a name that is not an argument of the tool */
  #requireArgument(spelt: string, meaning: Meaning | undefined): void {
    if (meaning?.kind !== 'field') throw this.#unknown(spelt);
    const refused = this.#options.refusedByMcp?.[meaning.name];
    if (refused !== undefined) throw new Problem(refused, { field: meaning.name });
  }

  #find(spelt: string): Meaning | undefined {
    const meaning = this.#meanings.get(spelt);
    if (meaning !== undefined || spelt.length > NAME_LENGTH_MAX) return meaning;
    return this.#meanings.get(fold(withoutMark(spelt)));
  }

  #unknown(spelt: string): Problem {
    const names = this.#namesForTools();
    const field = toShown(spelt);
    if (names === '') return new Problem('invalid_field/no_arguments', { field });
    const meant = this.#findNearest(toWords(spelt), this.#options.refusedByMcp);
    return meant === null
      ? new Problem('invalid_field/argument', { field, values: { names } })
      : new Problem('invalid_field/misspelt', { field, values: { names, meant } });
  }

  #namesForTools(): string {
    const { fields, refusedByMcp = {} } = this.#options;
    return fields.filter((field) => !(field in refusedByMcp)).join(', ');
  }

  /** @throws Problem `invalid_field` */
  #refuseNearby(spelt: string, value: unknown): void {
    const words = toWords(spelt);
    const meant = this.#findNearest(words);
    const refusal =
      meant === null
        ? this.#findRefusal(words)?.(value)
        : ({ key: 'invalid_field/misspelt', values: { meant } } as const);
    if (!refusal) return;
    throw new Problem(refusal.key, { field: toShown(spelt), values: refusal.values ?? {} });
  }

  #findRefusal(words: readonly string[]): RefusedName | null {
    for (const word of words) {
      const meaning = this.#meanings.get(word) ?? this.#meanings.get(word.replace(/s$/, ''));
      if (meaning !== undefined && meaning.refusal !== null) return meaning.refusal;
    }
    return null;
  }

  #findNearest(words: readonly string[], others: object = {}): string | null {
    let nearest: string | null = null;
    let least = Infinity;
    for (const word of words) {
      for (const [candidate, field] of this.#folded) {
        const distance = countTypos(word, candidate);
        if (distance >= least || field in others) continue;
        nearest = field;
        least = distance;
      }
    }
    return nearest;
  }
}

/** The words of a name without the characters around them: "user_id[x]", "filter[user_id]", "amp;user_id". */
function toWords(spelt: string): string[] {
  const words = spelt.slice(0, NAME_LENGTH_MAX).match(/[\w-]+/g) ?? [];
  return words.map(fold);
}

function isRequestMark(spelt: string): boolean {
  return (
    CAMPAIGN.test(spelt) || (spelt.length <= NAME_LENGTH_MAX && REQUEST_MARKS.has(fold(withoutMark(spelt))))
  );
}

/** @throws Problem `invalid_field` for ids under an unknown name */
function refuseIds(spelt: string, value: unknown, idFields: readonly string[]): void {
  if (!isIds(value)) return;
  const values = { names: idFields.join(', ') };
  throw new Problem('invalid_field/unread_id', { field: toShown(spelt), values });
}

/** True for an id, a mention, or a list of these alone. False for a text that only contains an id. */
function isIds(value: unknown): boolean {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const entries = texts.flatMap((text) =>
    typeof text === 'string' ? text.split(LIST_SEPARATORS).filter(Boolean) : [text],
  );
  return (
    entries.length > 0 && entries.every((entry) => typeof entry === 'string' && ID_OR_MENTION.test(entry))
  );
}

/**
 * A name from a caller. It is masked before it is cut, because the beginning of a token would no longer look like one.
 */
function toShown(spelt: string): string {
  return maskSecrets(spelt).slice(0, NAME_LENGTH_MAX).toWellFormed();
}

/** All given values: one as it is, several as a list. */
function toEntries(values: readonly unknown[], keepsEmpty: boolean): unknown {
  const given = values.flat().filter((value) => isGiven(value, keepsEmpty));
  return given.length > 1 ? given : given[0];
}

function isGiven(value: unknown, keepsEmpty: boolean): boolean {
  return value !== undefined && value !== null && (value !== '' || keepsEmpty);
}

function withoutMark(spelt: string): string {
  return spelt.endsWith(']') ? spelt.replace(LIST_MARK, '') : spelt;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
