import { CODES, INVALID_FORM } from './discord-codes.ts';
import { placesOf } from './places.ts';
import { parseInside } from './read-message.ts';
import { cut, type Fields, isList, isObject } from './walk.ts';

/** A sentence of Discord's about one place of a message. */
export interface Refusal {
  /** As discord.js writes it; null is the message as a whole. */
  readonly path: string | null;
  readonly sentence: string;
  /** True if it is about everything inside of its place. Default false. */
  readonly isWhole?: boolean;
}

/** What Discord answered. */
export interface DiscordError {
  /** Discord's code; null where it has none. */
  readonly code: number | null;
  readonly refusals: readonly Refusal[];
}

/** The library has refused it by itself, and Discord was not asked. */
export class LibraryCheck extends Error {}

const OF_A_LIBRARY =
  /\b(?:ExpectedConstraintError|ExpectedValidationError|CombinedPropertyError|CombinedError|ValidationError|Received one or more errors)\b/;

/**
 * Reads what Discord answered, in any of the forms in which people see it.
 * @returns null when there is no such thing in it
 * @throws LibraryCheck
 */
export function readError(given: unknown): DiscordError | null {
  const read = readAny(given, LEVELS_MAX);
  const printed = typeof given === 'string' ? given : JSON.stringify(given);
  if (read === null && OF_A_LIBRARY.test(printed)) throw new LibraryCheck();
  return read;
}

/** Objects and texts inside others that are looked into. */
const LEVELS_MAX = 5;
/** In one text: each is read to its end once, and failing to parse takes long. */
const OBJECTS_MAX = 8;
const REFUSALS_MAX = 100;
const SENTENCE_UNITS_MAX = 300;

/** The first answer in it that names places, otherwise the first of all. */
function readAny(given: unknown, levels: number): DiscordError | null {
  if (levels === 0) return null;
  const found = [
    isObject(given) ? readObject(given) : null,
    ...insidesOf(given).map((each) => readAny(each, levels - 1)),
    typeof given === 'string' ? readText(given) : null,
  ].filter((each) => each !== null);
  return found.find(({ refusals }) => refusals.some(({ path }) => path !== null)) ?? found[0] ?? null;
}

/** Where libraries keep the message that was refused. */
const OF_REQUEST = /^(?:request|config)/;

function insidesOf(given: unknown): readonly unknown[] {
  if (typeof given === 'string') return findObjects(given);
  if (isList(given)) return given;
  const parts = isObject(given) ? Object.entries(given) : [];
  return parts.filter(([name]) => !OF_REQUEST.test(name)).map(([, part]) => part);
}

function readObject(given: Fields): DiscordError | null {
  const { code: sent, message, errors } = given;
  const code = typeof sent === 'string' && /^\d{5,6}$/.test(sent) ? Number(sent) : sent;
  const nested = isObject(errors) ? listErrors(errors, '').slice(0, REFUSALS_MAX) : [];
  if (nested.length > 0) return { code: typeof code === 'number' ? code : INVALID_FORM, refusals: nested };
  if (typeof code === 'number' && typeof message === 'string') {
    const lines = readLines(message);
    return { code, refusals: lines.length > 0 ? lines : [refusalOfAll(code, message)] };
  }
  // Webhooks answered like that until they had codes, and some still do.
  const old = Object.entries(given)
    .slice(0, REFUSALS_MAX)
    .flatMap(([name, said]) => readOldForm(name, said));
  const refusals = old.filter((each) => each !== null);
  return old.length > 0 && refusals.length === old.length ? { code: INVALID_FORM, refusals } : null;
}

function refusalAt(path: string, sentence: string): Refusal {
  return { path: normalizePath(path), sentence: cut(sentence, SENTENCE_UNITS_MAX) };
}

/** The nested form, `{embeds: {0: {title: {_errors: [{code, message}]}}}}`. */
function listErrors(part: Fields, path: string): Refusal[] {
  return Object.entries(part).flatMap(([name, inside]) => {
    if (name !== '_errors' || !isList(inside))
      return isObject(inside) ? listErrors(inside, `${path}.${name}`) : [];
    const sentences = inside.map((each) => (isObject(each) ? each['message'] : null));
    return sentences.filter((each) => typeof each === 'string').map((each) => refusalAt(path, each));
  });
}

/** What a sentence of Discord's may begin with, beside the fields of a message. */
const OTHER_ROOTS = ['embed', 'webhook_id', 'data', 'files', 'file', 'type', '_misc'];
const ROOTS = new Set([...Object.keys(placesOf('message')), ...OTHER_ROOTS]);

/** `{embeds: ["0"]}` and `{content: ["Must be …"]}`; null for anything else. */
function readOldForm(name: string, said: unknown): (Refusal | null)[] {
  if (!ROOTS.has(name) || !isList(said) || said.length === 0) return [null];
  return said.slice(0, REFUSALS_MAX).map((each) => {
    if (typeof each !== 'string') return null;
    if (!/^\d{1,3}$/.test(each)) return refusalAt(name, each);
    return { ...refusalAt(`${name}.${each}`, JSON.stringify({ [name]: [each] })), isWhole: true };
  });
}

/** As discord.js, discord.py and consoles print it. */
const CODE = /Error\[(\d{5,6})\]|\bcode["']?[:=]? ?["']?(\d{5,6})\b/i;

const SENTENCES = Object.entries(CODES).map(([code, { said }]) => ({ code, said: said.toLowerCase() }));

function readText(text: string): DiscordError | null {
  const [, inBrackets, named] = CODE.exec(text) ?? [];
  const beginning = text.slice(0, 10_000).toLowerCase();
  const code = inBrackets ?? named ?? SENTENCES.find(({ said }) => beginning.includes(said))?.code;
  const refusals = readLines(text);
  if (refusals.length > 0) return { code: Number(code ?? INVALID_FORM), refusals };
  return code === undefined ? null : { code: Number(code), refusals: [refusalOfAll(Number(code), text)] };
}

function refusalOfAll(code: number, said: string): Refusal {
  return refusalAt('', CODES[code]?.said ?? said);
}

/** A line of discord.js (`embeds[0].title[CODE]: …`) or discord.py (`In embeds.0.title: …`). */
const LINE =
  /^\s{0,20}(?:In )?([a-z_]{1,40})((?:\.\w{1,40}|\[\d{1,3}\]){0,30})(?:\[[A-Z][A-Z\d_]{0,80}\])?: (.{1,300})/;

function readLines(text: string): Refusal[] {
  // After a stack, consoles print the request, whose fields look the same.
  const [beforeStack = ''] = text.split(/\n[ \t]{1,20}at /, 1);
  const found: Refusal[] = [];
  for (const line of beforeStack.split('\n')) {
    const [, root = '', rest = '', sentence = ''] = LINE.exec(line) ?? [];
    if (ROOTS.has(root) && found.length < REFUSALS_MAX) found.push(refusalAt(root + rest, sentence));
  }
  return found;
}

/** `data.embeds.0.x` and `embed.x` are `embeds[0].x`. */
function normalizePath(path: string): string | null {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  if (parts[0] === 'data') parts.shift();
  if (parts[0] === 'embed') parts.splice(0, 1, 'embeds', '0');
  const joined = parts
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  return joined === '' || joined === '_misc' ? null : joined;
}

/** Objects in a text, such as the JSON of a response within a log line, cut off or not. */
function findObjects(text: string): unknown[] {
  const json = unescape(text);
  const found: unknown[] = [];
  const start = /\{\s{0,20}"/g;
  for (let tries = 0; tries < OBJECTS_MAX; tries += 1) {
    const at = start.exec(json)?.index;
    if (at === undefined) break;
    const { end, missing } = findEnd(json, at);
    const object = parseInside(json.slice(at, end) + missing);
    if (object === null) continue;
    found.push(object);
    start.lastIndex = end;
  }
  return found;
}

/** JSON that was put into quotes once more, or that Python printed. */
function unescape(text: string): string {
  if (/\{\s{0,20}\\"/.test(text)) return text.replaceAll(/\\(["\\])/g, '$1');
  if (!/\{\s{0,20}'/.test(text) || /\{\s{0,20}"/.test(text)) return text;
  return text.replaceAll("'", '"').replaceAll(/: None\b/g, ': null');
}

/** What Google's scripts print after the beginning of a response. */
const CUT_OFF = '... (use muteHttpExceptions';

/** @returns where the object ends, and what a text that ends before lacks */
function findEnd(json: string, start: number): { readonly end: number; readonly missing: string } {
  const open: string[] = [];
  let isInString = false;
  const cutAt = json.indexOf(CUT_OFF, start);
  const textEnd = cutAt === -1 ? json.length : cutAt;
  for (let at = start; at < textEnd; at += 1) {
    const sign = json[at];
    if (isInString) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === '{') open.push('}');
    else if (sign === '[') open.push(']');
    else if (sign === '}' || sign === ']') {
      open.pop();
      if (open.length === 0) return { end: at + 1, missing: '' };
    }
  }
  return { end: textEnd, missing: (isInString ? '"' : '') + open.toReversed().join('') };
}
