import { FLAGS, IGNORED_FLAGS, type FieldSpecOf, type ValueSpec } from './message-fields.ts';
import { countPoints, fold, isList, quote, shown, type CheckContext } from './check-context.ts';

/** @returns the value, repaired if that is unambiguous; undefined to leave it out */
export function checkValue(given: unknown, spec: ValueSpec, context: CheckContext): unknown {
  if (spec.type === 'any') return given;
  if (spec.type === 'ignored') {
    context.notice('ignored', `Discord ignores ${context.path}.`);
    return given;
  }
  if (spec.type === 'text' && spec.takesIntegers === true && Number.isInteger(given)) return given;
  const reading = spec.type === 'choice' ? readingOf(spec) : READINGS[spec.type];
  const value = readValue(given, reading, context);
  if (typeof value === 'string' && spec.type === 'text') return checkText(value, spec, context);
  if (typeof value === 'string' && spec.type === 'url') return checkUrl(value, spec, context);
  if (typeof value === 'number' && Number.isInteger(value)) checkNumber(value, spec, context);
  return value;
}

/** A type of value, and how to read what people write instead. */
interface Reading {
  readonly wanted: string;
  /** Follows `wanted` in the sentence when the value is not repaired. */
  readonly detail?: string;
  readonly kind: 'type' | 'format' | 'choice';
  /** The expected `typeof`: any other value is a finding of the kind `type`. */
  readonly of?: string;
  readonly takes: (given: unknown) => boolean;
  /** Does the conversion that Discord does too, so it is only a notice. Undefined if there is none. */
  readonly converts?: (given: unknown) => unknown;
  /** Undefined if the value is ambiguous. */
  readonly repairs?: (given: unknown) => unknown;
}

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);
const INTEGER: Reading = {
  wanted: 'a whole number',
  kind: 'type',
  takes: Number.isInteger,
  converts: (given) => (typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : undefined),
};

const READINGS: Readonly<Record<Exclude<ValueSpec['type'], 'any' | 'ignored' | 'choice'>, Reading>> = {
  boolean: {
    wanted: 'true or false',
    kind: 'type',
    takes: (given) => typeof given === 'boolean',
    converts: (given) => BOOLEANS.get(typeof given === 'string' ? given.toLowerCase() : given),
  },
  text: {
    wanted: 'a string',
    kind: 'type',
    takes: (given) => typeof given === 'string',
    converts: (given) => (['number', 'boolean'].includes(typeof given) ? String(given) : undefined),
  },
  url: {
    wanted: 'a URL',
    kind: 'format',
    of: 'string',
    takes: (given) => typeof given === 'string' && withoutBrackets(given) === undefined,
    repairs: withoutBrackets,
  },
  id: {
    wanted: 'an id of digits alone',
    kind: 'format',
    of: 'string',
    takes: (given) => (typeof given === 'string' ? /^\d{1,20}$/.test(given) : isLongInteger(given)),
    converts: (given) => (Number.isInteger(given) && Number(given) >= 0 ? String(given) : undefined),
  },
  integer: INTEGER,
  flags: { ...INTEGER, wanted: 'a number', repairs: toFlags },
  color: { ...INTEGER, wanted: 'a number', kind: 'format', repairs: toColor },
  time: {
    wanted: 'a time',
    detail: ' such as "2026-01-31T18:00:00Z"',
    kind: 'format',
    takes: isTime,
    repairs: toTime,
  },
};

function readingOf({ choices }: FieldSpecOf<'choice'>): Reading {
  const values = Object.values(choices);
  return {
    wanted: typeof values[0] === 'number' ? 'a number' : 'a word',
    detail: `: ${values.map(quote).join(', ')}`,
    kind: 'choice',
    of: typeof values[0],
    takes: (given) => values.some((value) => value === given),
    converts: (given) => values.find((value) => String(value) === given),
    repairs: (given) => findChoice(choices, given),
  };
}

function readValue(given: unknown, reading: Reading, context: CheckContext): unknown {
  const { wanted, detail = '', takes, converts, repairs } = reading;
  if (takes(given)) return given;
  const converted = converts?.(given);
  if (converted !== undefined) {
    const text = `${context.path} is ${quote(given)}; Discord wants ${wanted}, and converts it.`;
    context.notice('type', text, { fixed: true });
    return converted;
  }
  const kind = typeof given === (reading.of ?? typeof given) ? reading.kind : 'type';
  const meant = repairs?.(given);
  return context.reportAndRepair(kind, given, meant === undefined ? wanted + detail : wanted, meant);
}

function checkText(text: string, spec: FieldSpecOf<'text'>, context: CheckContext): string | undefined {
  const { max, min, trims = false, isLeftOutWhenEmpty = false } = spec;
  const length = countPoints(trims ? text.trim() : text);
  if (length > max) context.tooLong(length, max);
  if (length > 0 || min === undefined) return text;
  context.empty({ fixed: isLeftOutWhenEmpty });
  return isLeftOutWhenEmpty ? undefined : text;
}

function checkUrl(
  url: string,
  { required, schemes, max }: FieldSpecOf<'url'>,
  context: CheckContext,
): string | undefined {
  if (url.trim() === '') {
    if (required !== true) {
      context.notice('empty', `${context.path} is empty; leave it out.`, { fixed: true });
      return undefined;
    }
    context.empty();
    return url;
  }
  const [, slashed, plain] = /^\s*(?:([a-z][a-z\d+.-]{0,30}):\/\/[^\s/?#]|(discord):)/i.exec(url) ?? [];
  const scheme = (slashed ?? plain)?.toLowerCase();
  const length = countPoints(url);
  if (scheme === undefined || !schemes.includes(scheme)) {
    const beginnings = schemes.map((each) => `${each}://`).join(', ');
    context.reportAndRepair('format', url, `a URL that begins with ${beginnings}`);
  } else if (length > max) context.tooLong(length, max);
  else if (scheme === 'attachment') {
    context.notice('file', `${context.path} shows a file: upload one with that name in the same request.`);
  }
  return url;
}

function withoutBrackets(given: unknown): string | undefined {
  return typeof given === 'string' ? /^\s*<([^<>\s]+)>\s*$/.exec(given)?.[1] : undefined;
}

function checkNumber(value: number, spec: ValueSpec, context: CheckContext): void {
  if (spec.type === 'id') {
    if (!isLongInteger(value)) return;
    context.notice('type', `${context.path} is a number; write ids in quotes, as numbers lose digits.`);
  } else if (spec.type === 'flags') {
    const taken = Object.values(FLAGS).reduce((sum, bit) => sum + bit, -IGNORED_FLAGS[context.sender]);
    const ignored = value - (value & taken);
    if (ignored !== 0) context.notice('ignored', `Discord ignores ${shown(ignored)} in ${context.path}.`);
  } else if (spec.type === 'integer' || spec.type === 'color') {
    const { min = -Infinity, max = Infinity } = spec;
    if (value < min) context.outside('too_small', value, min);
    if (value > max) context.outside('too_large', value, max);
  }
}

/** Discord reads every digit of such an id, but JavaScript has already rounded it here. */
function isLongInteger(given: unknown): boolean {
  return Number.isInteger(given) && Number(given) > Number.MAX_SAFE_INTEGER;
}

/** Also accepts a space instead of T, and a time without a zone: Discord's documents mention neither. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

function isTime(given: unknown): boolean {
  if (typeof given !== 'string' || !ISO_TIME.test(given) || Number.isNaN(Date.parse(given))) return false;
  // `Date` moves the 30th of February to March.
  const day = given.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function toTime(given: unknown): string | undefined {
  const [, marked, bare] =
    /^\s*(?:<t:(\d{9,10})(?::[a-z])?>|(\d{9,10}|\d{12,13}))\s*$/i.exec(String(given)) ?? [];
  const digits = marked ?? bare;
  if (digits === undefined) return undefined;
  return new Date(Number(digits) * (digits.length > 10 ? 1 : 1_000)).toISOString();
}

/** Does not read names of colours, as libraries disagree on their values. */
function toColor(given: unknown): number | undefined {
  if (isList(given)) return fromChannels(given.map((one) => (typeof one === 'number' ? one : Number.NaN)));
  const text = typeof given === 'string' ? given.trim() : '';
  const [, long, short] = /^(?:(?:#|0x)?([\da-f]{6})|(?:#|0x)([\da-f]{3}))$/i.exec(text) ?? [];
  const hex = long ?? short?.replaceAll(/./g, '$&$&');
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const channels = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i.exec(text);
  return channels === null ? undefined : fromChannels(channels.slice(1).map(Number));
}

function fromChannels(channels: readonly number[]): number | undefined {
  const isColor =
    channels.length === 3 && channels.every((one) => Number.isInteger(one) && one >= 0 && one <= 255);
  return isColor ? channels.reduce((color, one) => 256 * color + one, 0) : undefined;
}

/** The highest bit that `|` keeps positive. */
const FLAG_MAX = 2 ** 30;

/** Adds up flags that are written as numbers or names. */
function toFlags(given: unknown): number | undefined {
  const flags = isList(given) ? given : [given];
  let sum = 0;
  for (const flag of flags) {
    const isBit = typeof flag === 'number' && Number.isInteger(flag) && flag >= 0 && flag <= FLAG_MAX;
    const bit = isBit ? flag : findChoice(FLAGS, flag);
    if (bit === undefined) return undefined;
    sum |= bit;
  }
  return flags.length > 0 ? sum : undefined;
}

/** UTF-16 code units. No choice has a longer name. */
const NAME_LENGTH_MAX = 64;

/** Finds a choice by a name as libraries write it: `BUTTON`, `Button`, `action_row`, `ButtonStyle.Primary`. */
export function findChoice<Value>(
  choices: Readonly<Record<string, Value>>,
  name: unknown,
): Value | undefined {
  if (typeof name !== 'string' || name.length > NAME_LENGTH_MAX) return undefined;
  const wanted = fold(name.slice(name.lastIndexOf('.') + 1));
  return Object.entries(choices).find(([each]) => fold(each) === wanted)?.[1];
}
