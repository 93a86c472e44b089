import { CODES, INVALID_FORM } from './discord-codes.ts';
import { fieldsOf } from './message-fields.ts';
import { parseInside } from './read-message.ts';
import { cut, type Fields, isList, isObject } from './check-context.ts';

/** What Discord says about one path of a message. */
export interface Refusal {
  /** As discord.js writes it; null is the whole message. */
  readonly path: string | null;
  readonly sentence: string;
  /** True if it is about everything below its path. Default false. */
  readonly coversSubtree?: boolean;
}

export interface DiscordError {
  /** Discord's code; null where it has none. */
  readonly code: number | null;
  readonly refusals: readonly Refusal[];
}

/** Thrown if the library refused the message itself, without asking Discord. */
export class LibraryCheck extends Error {}

const OF_A_LIBRARY =
  /\b(?:ExpectedConstraintError|ExpectedValidationError|CombinedPropertyError|CombinedError|ValidationError|Received one or more errors)\b/;

/**
 * Reads an answer of Discord in any form that people see.
 * @returns null if it contains none
 * @throws LibraryCheck
 */
export function readError(given: unknown): DiscordError | null {
  const read = readAny(given, LEVELS_MAX);
  const printed = typeof given === 'string' ? given : JSON.stringify(given);
  if (read === null && OF_A_LIBRARY.test(printed)) throw new LibraryCheck();
  return read;
}

/** How deep to look into objects and texts inside each other. */
const LEVELS_MAX = 5;
/** Per text: each is scanned to its end, and parsing that fails is slow. */
const OBJECTS_MAX = 8;
/** Fields that one error names. */
const REFUSALS_MAX = 100;
/** UTF-16 code units of one of Discord's sentences. */
const SENTENCE_LENGTH_MAX = 300;

/** The first answer that names a path; otherwise the first one. */
function readAny(given: unknown, levels: number): DiscordError | null {
  if (levels === 0) return null;
  const found = [
    isObject(given) ? readObject(given) : null,
    ...insidesOf(given).map((each) => readAny(each, levels - 1)),
    typeof given === 'string' ? readText(given) : null,
  ].filter((each) => each !== null);
  return found.find(({ refusals }) => refusals.some(({ path }) => path !== null)) ?? found[0] ?? null;
}

/** Keys under which libraries keep the request. */
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
  // The format of webhooks before they had codes; some still answer this way.
  const old = Object.entries(given)
    .slice(0, REFUSALS_MAX)
    .flatMap(([name, said]) => readOldForm(name, said));
  const refusals = old.filter((each) => each !== null);
  return old.length > 0 && refusals.length === old.length ? { code: INVALID_FORM, refusals } : null;
}

function refusalAt(path: string, sentence: string): Refusal {
  return { path: normalizePath(path), sentence: cut(sentence, SENTENCE_LENGTH_MAX) };
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

/** Paths of Discord's errors begin with one of these or a field of the message. */
const OTHER_ROOTS = ['embed', 'webhook_id', 'data', 'files', 'file', 'type', '_misc'];
const ROOTS = new Set([...Object.keys(fieldsOf('message')), ...OTHER_ROOTS]);

/** `{embeds: ["0"]}` and `{content: ["Must be …"]}`; null for anything else. */
function readOldForm(name: string, said: unknown): (Refusal | null)[] {
  if (!ROOTS.has(name) || !isList(said) || said.length === 0) return [null];
  return said.slice(0, REFUSALS_MAX).map((each) => {
    if (typeof each !== 'string') return null;
    if (!/^\d{1,3}$/.test(each)) return refusalAt(name, each);
    return { ...refusalAt(`${name}.${each}`, JSON.stringify({ [name]: [each] })), coversSubtree: true };
  });
}

/** As discord.js, discord.py and consoles print it. */
const CODE = /Error\[(\d{5,6})\]|\bcode["']?[:=]? ?["']?(\d{5,6})\b/i;

const SENTENCES = Object.entries(CODES).map(([code, { message }]) => ({
  code,
  lowerCase: message.toLowerCase(),
}));

function readText(text: string): DiscordError | null {
  const [, inBrackets, named] = CODE.exec(text) ?? [];
  const beginning = text.slice(0, 10_000).toLowerCase();
  const code = inBrackets ?? named ?? SENTENCES.find(({ lowerCase }) => beginning.includes(lowerCase))?.code;
  const refusals = readLines(text);
  if (refusals.length > 0) return { code: Number(code ?? INVALID_FORM), refusals };
  return code === undefined ? null : { code: Number(code), refusals: [refusalOfAll(Number(code), text)] };
}

function refusalOfAll(code: number, said: string): Refusal {
  return refusalAt('', CODES[code]?.message ?? said);
}

/** A line of discord.js (`embeds[0].title[CODE]: …`) or discord.py (`In embeds.0.title: …`). */
const LINE =
  /^\s{0,20}(?:In )?([a-z_]{1,40})((?:\.\w{1,40}|\[\d{1,3}\]){0,30})(?:\[[A-Z][A-Z\d_]{0,80}\])?: (.{1,300})/;

function readLines(text: string): Refusal[] {
  // After a stack trace, consoles print the request, whose fields look like error lines.
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

/** Finds objects in a text, such as the JSON of a response in a log line, even if it is cut off. */
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

/** Restores JSON that was quoted twice, or that Python printed. */
function unescape(text: string): string {
  if (/\{\s{0,20}\\"/.test(text)) return text.replaceAll(/\\(["\\])/g, '$1');
  if (!/\{\s{0,20}'/.test(text) || /\{\s{0,20}"/.test(text)) return text;
  return text.replaceAll("'", '"').replaceAll(/: None\b/g, ': null');
}

/** Apps Script prints this where it cuts off a response. */
const CUT_OFF = '... (use muteHttpExceptions';

/** @returns where the object ends, and the closing characters that are missing if it was cut off */
function findEnd(json: string, start: number): { readonly end: number; readonly missing: string } {
  const open: string[] = [];
  let isInString = false;
  const cutAt = json.indexOf(CUT_OFF, start);
  const textEnd = cutAt === -1 ? json.length : cutAt;
  for (let at = start; at < textEnd; at += 1) {
    const char = json[at];
    if (isInString) {
      if (char === '\\') at += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') {
      open.pop();
      if (open.length === 0) return { end: at + 1, missing: '' };
    }
  }
  return { end: textEnd, missing: (isInString ? '"' : '') + open.toReversed().join('') };
}
