import type { IntegerPlace, OtherPlace, Place, Sender, TextPlace, UrlPlace } from './places.ts';
import { FLAGS } from './places.ts';
import { countPoints, isList, isObject, nameOf, quote, shown, type Walk } from './walk.ts';

// Each check returns the value as Discord wants it, where there is one reading, and undefined to leave it out.

/** A value that holds no others. */
export type ValuePlace = Exclude<Place, { readonly type: 'object' | 'list' | 'component' }>;

export function checkValue(given: unknown, place: ValuePlace, path: string, walk: Walk): unknown {
  switch (place.type) {
    case 'text':
      return checkText(given, place, path, walk);
    case 'url':
      return checkUrl(given, place, path, walk);
    case 'integer':
      return checkInteger(given, place, path, walk);
    case 'word':
      return checkWord(given, place, path, walk);
    case 'ignored':
      walk.notice(path, 'ignored', `Discord ignores ${path}.`);
      return given;
    default:
      return CHECKS[place.type]?.(given, path, walk) ?? given;
  }
}

const CHECKS: Readonly<Record<string, (given: unknown, path: string, walk: Walk) => unknown>> = {
  boolean: checkBoolean,
  id: checkId,
  time: checkTime,
  color: checkColor,
  flags: checkFlags,
  nonce: checkNonce,
};

function checkText(given: unknown, place: TextPlace, path: string, walk: Walk): unknown {
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') {
    return refuseType(given, 'a string', path, walk);
  }
  const text = typeof given === 'string' ? given : convert(given, String(given), 'a string', path, walk);
  const length = countPoints(place.trims === true ? text.trim() : text);
  if (length === 0 && place.min === 1) {
    const fixed = place.isLeftOutWhenEmpty === true;
    walk.problem(path, 'empty', `${nameOf(path)} is empty.`, { limit: 1, value: 0, fixed });
    if (fixed) return undefined;
  } else if (length > place.max) {
    walk.problem(
      path,
      'too_long',
      `${nameOf(path)} has ${shown(length)} characters; Discord takes ${shown(place.max)}.`,
      { limit: place.max, value: length },
    );
  }
  return text;
}

function checkInteger(given: unknown, place: IntegerPlace, path: string, walk: Walk): unknown {
  const named = typeof given === 'string' ? findChoice(place.choices ?? {}, given) : undefined;
  if (named !== undefined) {
    walk.problem(path, 'type', `${path} is ${quote(given)}; Discord wants the number ${named}.`, {
      fixed: true,
    });
    return named;
  }
  const value =
    typeof given === 'string' && /^-?\d{1,15}$/.test(given)
      ? convert(given, Number(given), 'a number', path, walk)
      : given;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return refuseType(value, 'a whole number', path, walk);
  }
  const { min, max, choices } = place;
  if (choices !== undefined) {
    const numbers = Object.values(choices);
    if (!numbers.includes(value)) {
      walk.problem(path, 'choice', `${path} is ${value}; Discord takes ${numbers.join(', ')}.`);
    }
  } else if (min !== undefined && value < min) {
    walk.problem(path, 'too_small', `${path} is ${shown(value)}; the least is ${shown(min)}.`, {
      limit: min,
      value,
    });
  } else if (max !== undefined && value > max) {
    walk.problem(path, 'too_large', `${path} is ${shown(value)}; the most is ${shown(max)}.`, {
      limit: max,
      value,
    });
  }
  return value;
}

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
]);

function checkBoolean(given: unknown, path: string, walk: Walk): unknown {
  if (typeof given === 'boolean') return given;
  const value = BOOLEANS.get(typeof given === 'string' ? given.toLowerCase() : given);
  if (value === undefined) return refuseType(given, 'true or false', path, walk);
  return convert(given, value, 'true or false', path, walk);
}

function checkId(given: unknown, path: string, walk: Walk): unknown {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) {
    return convert(given, String(given), 'a string of digits', path, walk);
  }
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0) {
    // Discord reads every digit of it. This service, like JavaScript, cannot say which ones they were.
    walk.notice(path, 'type', `${path} is a number; write ids in quotes, as numbers lose digits.`);
  } else if (typeof given !== 'string') return refuseType(given, 'an id', path, walk);
  else if (!/^\d{1,20}$/.test(given)) {
    walk.problem(path, 'format', `${path} is ${quote(given)}; Discord wants an id of digits alone.`);
  }
  return given;
}

function checkUrl(given: unknown, place: UrlPlace, path: string, walk: Walk): unknown {
  if (typeof given !== 'string') return refuseType(given, 'a URL', path, walk);
  const bare = /^\s*<([^<>\s]+)>\s*$/.exec(given)?.[1];
  const url = bare ?? given;
  if (bare !== undefined) {
    walk.problem(path, 'format', `${path} has angle brackets around its URL.`, { fixed: true });
  }
  if (url.trim() === '') {
    if (place.required === true) {
      walk.problem(path, 'empty', `${nameOf(path)} is empty.`, { limit: 1, value: 0 });
      return url;
    }
    walk.notice(path, 'empty', `${path} is empty; leave it out.`, { fixed: true });
    return undefined;
  }
  const length = countPoints(url);
  const { schemes = [], isFile = false } = place;
  const taken = isFile ? ['attachment'] : ['http', 'https', ...schemes];
  const [, slashed, plain] = /^\s*(?:([a-z][a-z\d+.-]{0,30}):\/\/[^\s/?#]|(discord):)/i.exec(url) ?? [];
  const scheme = (slashed ?? plain)?.toLowerCase();
  if (scheme === undefined || !taken.includes(scheme)) {
    const wanted = taken.map((name) => `${name}://`).join(', ');
    walk.problem(path, 'format', `${path} is ${quote(url)}; Discord wants a URL that begins with ${wanted}.`);
  } else if (length > place.max) {
    walk.problem(
      path,
      'too_long',
      `${nameOf(path)} has ${shown(length)} characters; Discord takes ${shown(place.max)}.`,
      {
        limit: place.max,
        value: length,
      },
    );
  } else if (scheme === 'attachment') {
    walk.notice(path, 'file', `${path} shows a file: upload one with that name in the same request.`);
  }
  return url;
}

/** Silent documents: a blank in place of T, and a time without a zone, are taken here. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

function isTime(text: string): boolean {
  if (!ISO_TIME.test(text) || Number.isNaN(Date.parse(text))) return false;
  // `Date` moves the 30th of February to March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
}

function checkTime(given: unknown, path: string, walk: Walk): unknown {
  if (typeof given === 'string' && isTime(given)) return given;
  const digits = /^\s*(?:<t:(\d{9,10})(?::[a-z])?>|(\d{9,10}|\d{12,13}))\s*$/i.exec(String(given));
  const number = digits?.[1] ?? digits?.[2];
  if (number === undefined) {
    walk.problem(
      path,
      'format',
      `${path} is ${quote(given)}; Discord wants a time such as "2026-01-31T18:00:00Z".`,
    );
    return given;
  }
  const time = new Date(Number(number) * (number.length > 10 ? 1 : 1_000)).toISOString();
  walk.problem(path, 'format', `${path} is ${quote(given)}; Discord wants ${quote(time)}.`, { fixed: true });
  return time;
}

const COLOR_MAX = 0xff_ff_ff;

function checkColor(given: unknown, path: string, walk: Walk): unknown {
  const isNumber = typeof given === 'number' || (typeof given === 'string' && /^-?\d{1,15}$/.test(given));
  if (isNumber) return checkInteger(given, { type: 'integer', min: 0, max: COLOR_MAX }, path, walk);
  const color = readColor(given);
  const wanted = color === null ? `a number up to ${shown(COLOR_MAX)}` : `a number, ${color}`;
  walk.problem(path, 'format', `${path} is ${quote(given)}; Discord wants ${wanted}.`, {
    fixed: color !== null,
  });
  return color ?? given;
}

/** Names of colours are not read: libraries have several values for one. */
function readColor(given: unknown): number | null {
  if (isList(given)) return fromChannels(given.map((one) => (typeof one === 'number' ? one : Number.NaN)));
  if (typeof given !== 'string') return null;
  const text = given.trim();
  const [, long, short] = /^(?:(?:#|0x)?([\da-f]{6})|(?:#|0x)([\da-f]{3}))$/i.exec(text) ?? [];
  if (long !== undefined) return Number.parseInt(long, 16);
  if (short !== undefined) return Number.parseInt(short.replaceAll(/./g, '$&$&'), 16);
  const channels = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i.exec(text);
  return channels === null ? null : fromChannels(channels.slice(1).map(Number));
}

function fromChannels(channels: readonly number[]): number | null {
  const [red = 0, green = 0, blue = 0] = channels;
  if (channels.length !== 3 || channels.some((one) => !Number.isInteger(one) || one < 0 || one > 255))
    return null;
  return (red << 16) | (green << 8) | blue;
}

function checkFlags(given: unknown, path: string, walk: Walk): unknown {
  const names = typeof given === 'string' ? [given] : given;
  const bits = isList(names) ? names.map(toBits).filter((bit) => bit !== undefined) : [];
  if (isList(names) && names.length > 0 && bits.length === names.length) {
    const flags = bits.reduce((sum, bit) => sum | bit, 0);
    walk.problem(path, 'type', `${path} is ${quote(given)}; Discord wants the number ${flags}.`, {
      fixed: true,
    });
    return reportFlags(flags, path, walk);
  }
  const value = checkInteger(given, { type: 'integer' }, path, walk);
  return typeof value === 'number' && Number.isInteger(value) ? reportFlags(value, path, walk) : value;
}

const FLAG_MAX = 2 ** 30;

function toBits(flag: unknown): number | undefined {
  if (typeof flag === 'number') {
    return Number.isInteger(flag) && flag >= 0 && flag <= FLAG_MAX ? flag : undefined;
  }
  return typeof flag === 'string' ? flagOf(flag) : undefined;
}

function flagOf(name: string): number | undefined {
  return findChoice(Object.fromEntries(Object.entries(FLAGS).map(([each, { bit }]) => [each, bit])), name);
}

function reportFlags(flags: number, path: string, walk: Walk): number {
  const taken = Object.values<{ bit: number; senders: readonly Sender[] }>(FLAGS)
    .filter(({ senders }) => senders.includes(walk.sender))
    .reduce((sum, { bit }) => sum | bit, 0);
  const others = flags - (flags & taken);
  if (others !== 0) walk.notice(path, 'ignored', `Discord ignores ${shown(others)} in ${path}.`);
  return flags;
}

function checkNonce(given: unknown, path: string, walk: Walk): unknown {
  if (typeof given === 'number' && Number.isInteger(given)) return given;
  return checkText(given, { type: 'text', max: 25 }, path, walk);
}

function checkWord(given: unknown, place: OtherPlace, path: string, walk: Walk): unknown {
  const { choices = [] } = place;
  if (typeof given !== 'string') return refuseType(given, 'a string', path, walk);
  if (choices.includes(given)) return given;
  const meant = choices.find((choice) => fold(choice) === fold(given));
  const wanted = choices.map((choice) => quote(choice)).join(', ');
  walk.problem(path, 'choice', `${path} is ${quote(given)}; Discord takes ${wanted}.`, {
    fixed: meant !== undefined,
  });
  return meant ?? given;
}

/** An emoji as people write it in a message; null for another text. */
export function readEmoji(text: string): Readonly<Record<string, unknown>> | null {
  const [, animated, name, id] = /^\s*<(a?):(\w{1,32}):(\d{1,20})>\s*$/.exec(text) ?? [];
  if (id !== undefined) return { id, name, animated: animated === 'a' };
  return isEmojiName(text.trim()) ? { name: text.trim() } : null;
}

/** Discord takes the emoji itself and none of the names that people have for it. */
function isEmojiName(name: string): boolean {
  return name.length <= 32 && /[^\x00-\x7f]/.test(name);
}

/** Discord converts it by itself, so it is no fault. */
function convert<Value>(given: unknown, value: Value, wanted: string, path: string, walk: Walk): Value {
  walk.notice(path, 'type', `${path} is ${quote(given)}; Discord wants ${wanted}, and converts it.`, {
    fixed: true,
  });
  return value;
}

export function refuseType(given: unknown, wanted: string, path: string, walk: Walk): unknown {
  const found = isList(given) ? 'a list' : isObject(given) ? 'an object' : quote(given);
  walk.problem(path, 'type', `${path} is ${found}; Discord wants ${wanted}.`);
  return given;
}

/** Names as libraries write them: `BUTTON`, `Button`, `action_row`, `ButtonStyle.Primary`. */
export function findChoice(choices: Readonly<Record<string, number>>, name: string): number | undefined {
  const wanted = name.length <= NAME_UNITS_MAX ? fold(name.slice(name.lastIndexOf('.') + 1)) : '';
  return Object.entries(choices).find(([each]) => !/^\d+$/.test(each) && fold(each) === wanted)?.[1];
}

/** Longer ones are no name of anything here. */
const NAME_UNITS_MAX = 64;

export function fold(name: string): string {
  return name.replaceAll(/[_\-\s]/g, '').toLowerCase();
}
