import { FLAGS, IGNORED_FLAGS, type PlaceOf, type ValuePlace } from './places.ts';
import { countPoints, fold, isList, quote, shown, type Walk } from './walk.ts';

/** @returns the value as Discord wants it, where that has one reading, and undefined to leave it out */
export function checkValue(given: unknown, place: ValuePlace, walk: Walk): unknown {
  if (place.type === 'any') return given;
  if (place.type === 'ignored') {
    walk.notice('ignored', `Discord ignores ${walk.path}.`);
    return given;
  }
  if (place.type === 'text' && place.takesIntegers === true && Number.isInteger(given)) return given;
  const reading = place.type === 'choice' ? readingOf(place) : READINGS[place.type];
  const value = readValue(given, reading, walk);
  if (typeof value === 'string' && place.type === 'text') return checkText(value, place, walk);
  if (typeof value === 'string' && place.type === 'url') return checkUrl(value, place, walk);
  if (typeof value === 'number' && Number.isInteger(value)) checkNumber(value, place, walk);
  return value;
}

/** A type of value, and what people write in its place. */
interface Reading {
  readonly wanted: string;
  /** Follows `wanted` in a sentence about a value that is not repaired. */
  readonly detail?: string;
  readonly kind: 'type' | 'format' | 'choice';
  /** Any other value than one of this type is of the kind `type`. */
  readonly of?: string;
  readonly takes: (given: unknown) => boolean;
  /** What Discord converts by itself, so that it is no fault. Undefined for any other value. */
  readonly converts?: (given: unknown) => unknown;
  /** Undefined where there is no one reading. */
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

const READINGS: Readonly<Record<Exclude<ValuePlace['type'], 'any' | 'ignored' | 'choice'>, Reading>> = {
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

function readingOf({ choices }: PlaceOf<'choice'>): Reading {
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

function readValue(given: unknown, reading: Reading, walk: Walk): unknown {
  const { wanted, detail = '', takes, converts, repairs } = reading;
  if (takes(given)) return given;
  const converted = converts?.(given);
  if (converted !== undefined) {
    const text = `${walk.path} is ${quote(given)}; Discord wants ${wanted}, and converts it.`;
    walk.notice('type', text, { fixed: true });
    return converted;
  }
  const kind = typeof given === (reading.of ?? typeof given) ? reading.kind : 'type';
  const meant = repairs?.(given);
  return walk.wrong(kind, given, meant === undefined ? wanted + detail : wanted, meant);
}

function checkText(text: string, place: PlaceOf<'text'>, walk: Walk): string | undefined {
  const { max, min, trims = false, isLeftOutWhenEmpty = false } = place;
  const length = countPoints(trims ? text.trim() : text);
  if (length > max) walk.tooLong(length, max);
  if (length > 0 || min === undefined) return text;
  walk.empty({ fixed: isLeftOutWhenEmpty });
  return isLeftOutWhenEmpty ? undefined : text;
}

function checkUrl(url: string, { required, schemes, max }: PlaceOf<'url'>, walk: Walk): string | undefined {
  if (url.trim() === '') {
    if (required !== true) {
      walk.notice('empty', `${walk.path} is empty; leave it out.`, { fixed: true });
      return undefined;
    }
    walk.empty();
    return url;
  }
  const [, slashed, plain] = /^\s*(?:([a-z][a-z\d+.-]{0,30}):\/\/[^\s/?#]|(discord):)/i.exec(url) ?? [];
  const scheme = (slashed ?? plain)?.toLowerCase();
  const length = countPoints(url);
  if (scheme === undefined || !schemes.includes(scheme)) {
    const beginnings = schemes.map((each) => `${each}://`).join(', ');
    walk.wrong('format', url, `a URL that begins with ${beginnings}`);
  } else if (length > max) walk.tooLong(length, max);
  else if (scheme === 'attachment') {
    walk.notice('file', `${walk.path} shows a file: upload one with that name in the same request.`);
  }
  return url;
}

function withoutBrackets(given: unknown): string | undefined {
  return typeof given === 'string' ? /^\s*<([^<>\s]+)>\s*$/.exec(given)?.[1] : undefined;
}

function checkNumber(value: number, place: ValuePlace, walk: Walk): void {
  if (place.type === 'id') {
    if (!isLongInteger(value)) return;
    walk.notice('type', `${walk.path} is a number; write ids in quotes, as numbers lose digits.`);
  } else if (place.type === 'flags') {
    const taken = Object.values(FLAGS).reduce((sum, bit) => sum + bit, -IGNORED_FLAGS[walk.sender]);
    const ignored = value - (value & taken);
    if (ignored !== 0) walk.notice('ignored', `Discord ignores ${shown(ignored)} in ${walk.path}.`);
  } else if (place.type === 'integer' || place.type === 'color') {
    const { min = -Infinity, max = Infinity } = place;
    if (value < min) walk.outside('too_small', value, min);
    if (value > max) walk.outside('too_large', value, max);
  }
}

/** Discord reads all digits of such an id. This service, like JavaScript, cannot say which ones they were. */
function isLongInteger(given: unknown): boolean {
  return Number.isInteger(given) && Number(given) > Number.MAX_SAFE_INTEGER;
}

/** Discord's documents say nothing of a blank in place of T, or of a time without a zone: both are taken here. */
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

/** Names of colours are not read: libraries have several values for one. */
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

const FLAG_MAX = 2 ** 30;

/** The sum of flags, of which some or all are names. */
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

/** Longer ones are no name of anything here. */
const NAME_UNITS_MAX = 64;

/** Reads names as libraries write them: `BUTTON`, `Button`, `action_row`, `ButtonStyle.Primary`. */
export function findChoice<Value>(
  choices: Readonly<Record<string, Value>>,
  name: unknown,
): Value | undefined {
  if (typeof name !== 'string' || name.length > NAME_UNITS_MAX) return undefined;
  const wanted = fold(name.slice(name.lastIndexOf('.') + 1));
  return Object.entries(choices).find(([each]) => fold(each) === wanted)?.[1];
}
