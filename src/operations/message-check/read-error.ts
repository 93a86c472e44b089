import { FLAGS } from './places.ts';
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

const SENTENCE_UNITS_MAX = 300;

/**
 * Reads what Discord answered, in any of the forms in which people see it.
 * @returns null when there is no such thing in it
 * @throws LibraryCheck
 */
export function readError(given: unknown): DiscordError | null {
  const read = readAny(given, LEVELS_MAX);
  if (read !== null) return read;
  const printed = typeof given === 'string' ? given : JSON.stringify(given);
  if (OF_A_LIBRARY.test(printed)) throw new LibraryCheck();
  return null;
}

const OF_A_LIBRARY =
  /\b(?:ExpectedConstraintError|ExpectedValidationError|CombinedPropertyError|CombinedError|ValidationError|Received one or more errors)\b/;

/** Objects and texts inside others that are looked into. */
const LEVELS_MAX = 5;
/** Where libraries and tools keep what Discord answered. */
const HOLDERS = [
  'rawError',
  'response',
  'data',
  'body',
  'error',
  'cause',
  'context',
  'message',
  'messages',
  'description',
  'text',
];

/** The first answer in it that names places, otherwise the first of all. */
function readAny(given: unknown, levels: number): DiscordError | null {
  if (levels === 0) return null;
  if (typeof given === 'string') return readText(given, levels);
  if (isList(given)) return firstOf(given.slice(0, OBJECTS_MAX), levels);
  if (!isObject(given)) return null;
  const own = readObject(given);
  if (own !== null && namesPlaces(own)) return own;
  const held = HOLDERS.flatMap((name) => (Object.hasOwn(given, name) ? [given[name]] : []));
  const inside = firstOf(held, levels);
  return own === null || (inside !== null && namesPlaces(inside)) ? inside : own;
}

function firstOf(values: readonly unknown[], levels: number): DiscordError | null {
  const read = values.map((value) => readAny(value, levels - 1)).filter((one) => one !== null);
  return read.find(namesPlaces) ?? read[0] ?? null;
}

function namesPlaces({ refusals }: DiscordError): boolean {
  return refusals.some(({ path }) => path !== null);
}

function readText(text: string, levels: number): DiscordError | null {
  const inJson = firstOf(findObjects(text), levels);
  if (inJson !== null && namesPlaces(inJson)) return inJson;
  const lines = readLines(text);
  const code = readCode(text);
  if (lines.length > 0) return { code: code ?? INVALID_FORM, refusals: lines };
  return inJson ?? (code === null ? null : { code, refusals: [wholeRefusal(code, text)] });
}

const INVALID_FORM = 50_035;

/** Codes that say what to do, and the sentence by which people paste them. */
export const CODES: ReadonlyMap<number, { readonly said: string; readonly advice: string }> = new Map([
  [
    INVALID_FORM,
    {
      said: 'Invalid Form Body',
      advice: 'It names no place here: paste the lines after it, or the whole response.',
    },
  ],
  [
    50_006,
    {
      said: 'Cannot send an empty message',
      advice:
        'The message was empty when it came to Discord: send the header Content-Type: application/json and the message as JSON, not as a form.',
    },
  ],
  [
    50_109,
    {
      said: 'The request body contains invalid JSON.',
      advice: 'The body was no JSON when it came to Discord.',
    },
  ],
  [
    50_008,
    {
      said: 'Cannot send messages in a non-text channel',
      advice: 'This channel takes no messages: use the id of a text channel or of a thread.',
    },
  ],
  [
    50_013,
    {
      said: 'Missing Permissions',
      advice: 'The bot lacks a permission there, or its role is too low. permission-check says which.',
    },
  ],
  [
    50_001,
    {
      said: 'Missing Access',
      advice: 'The bot cannot see the channel or is not in the server. permission-check says why.',
    },
  ],
  [
    50_027,
    {
      said: 'Invalid Webhook Token',
      advice: 'The token of the webhook is wrong, or the interaction is older than 15 minutes.',
    },
  ],
  [
    10_015,
    { said: 'Unknown Webhook', advice: 'The webhook was deleted, or its URL is not whole: copy it again.' },
  ],
  [10_003, { said: 'Unknown Channel', advice: 'The channel does not exist, or the bot cannot see it.' }],
  [
    30_015,
    {
      said: 'Maximum number of attachments in a message reached (10)',
      advice: 'A message takes 10 files: send the others in another one.',
    },
  ],
  [
    40_005,
    {
      said: 'Request entity too large',
      advice: 'The files are too large for this server: make them smaller.',
    },
  ],
  [
    40_067,
    {
      said: 'A tag is required to create a forum post in this channel',
      advice: 'This forum wants a tag: send applied_tags.',
    },
  ],
  [
    50_081,
    {
      said: 'Invalid stickers sent',
      advice: 'The bot may use only stickers of the server that it posts in.',
    },
  ],
  [
    160_002,
    {
      said: 'Cannot reply without permission to read message history',
      advice: 'The bot needs the permission Read Message History to reply.',
    },
  ],
  [
    200_000,
    {
      said: 'Message was blocked by automatic moderation',
      advice: "The server's AutoMod refuses a word: change the text, or exempt the channel.",
    },
  ],
  [
    220_001,
    {
      said: 'Webhooks posted to forum channels must have a thread_name or thread_id',
      advice: 'In a forum, send thread_name for a new post, or thread_id.',
    },
  ],
  [
    220_002,
    {
      said: 'Webhooks posted to forum channels cannot have both a thread_name and thread_id',
      advice: 'Send one of thread_name and thread_id.',
    },
  ],
  [
    220_003,
    {
      said: 'Webhooks can only create threads in forum channels',
      advice: 'This channel is no forum: leave thread_name out.',
    },
  ],
  [
    240_000,
    {
      said: 'Message blocked by harmful links filter',
      advice: "Discord's filter refuses a link in it: take it out.",
    },
  ],
]);

/** What to do about a sentence of Discord's at a place. */
export function adviceFor({ code }: DiscordError, { path, sentence }: Refusal): string {
  if (path === null) return CODES.get(code ?? 0)?.advice ?? '';
  if (path === 'message_reference' && /unknown message/i.test(sentence)) {
    return 'The message to reply to was deleted: send fail_if_not_exists: false, or no message_reference.';
  }
  if (path === 'flags') return `The flag of components is ${FLAGS.IsComponentsV2.bit}.`;
  return '';
}

function wholeRefusal(code: number, text: string): Refusal {
  return { path: null, sentence: CODES.get(code)?.said ?? cut(text, SENTENCE_UNITS_MAX) };
}

/** As discord.js, discord.py and consoles print it. */
const CODE = /Error\[(\d{5,6})\]|\bcode["']?[:=]? ?["']?(\d{5,6})\b/i;

function readCode(text: string): number | null {
  const [, inBrackets, named] = CODE.exec(text) ?? [];
  const found = inBrackets ?? named;
  if (found !== undefined) return Number(found);
  const lower = text.slice(0, 10_000).toLowerCase();
  for (const [code, { said }] of CODES)
    if (lower.includes(said.toLowerCase().replace(/\.$/, ''))) return code;
  return null;
}

function readObject(given: Fields): DiscordError | null {
  const { code: sent, message, errors } = given;
  const code = typeof sent === 'string' && /^\d{5,6}$/.test(sent) ? Number(sent) : sent;
  if (isObject(errors)) {
    const refusals = listErrors(errors);
    if (refusals.length > 0) return { code: typeof code === 'number' ? code : INVALID_FORM, refusals };
  }
  if (typeof code === 'number' && typeof message === 'string') {
    const lines = readLines(message);
    return { code, refusals: lines.length > 0 ? lines : [wholeRefusal(code, message)] };
  }
  // Webhooks answered like that until they had codes, and some still do.
  const old = Object.entries(given)
    .slice(0, REFUSALS_MAX)
    .flatMap(([name, said]) => readOldForm(name, said));
  return old.length > 0 && old.every((one) => one !== null) ? { code: INVALID_FORM, refusals: old } : null;
}

const ROOTS = new Set([
  'content',
  'embeds',
  'embed',
  'components',
  'flags',
  'poll',
  'allowed_mentions',
  'message_reference',
  'attachments',
  'sticker_ids',
  'nonce',
  'tts',
  'username',
  'webhook_id',
  'avatar_url',
  'thread_name',
  'applied_tags',
  'data',
  'files',
  'file',
  'type',
  '_misc',
]);

function readOldForm(name: string, said: unknown): (Refusal | null)[] {
  if (!ROOTS.has(name) || !isList(said) || said.length === 0) return [null];
  return said.slice(0, REFUSALS_MAX).map((one) => {
    if (typeof one !== 'string') return null;
    if (/^\d{1,3}$/.test(one)) {
      const sentence = JSON.stringify({ [name]: [one] });
      return { path: normalizePath(`${name}.${one}`), sentence, isWhole: true };
    }
    return { path: normalizePath(name), sentence: cut(one, SENTENCE_UNITS_MAX) };
  });
}

const REFUSALS_MAX = 100;

/** The nested form, `{embeds: {0: {title: {_errors: [{code, message}]}}}}`, level by level. */
function listErrors(errors: Fields): Refusal[] {
  const found: Refusal[] = [];
  let level: [string, Fields][] = [['', errors]];
  while (level.length > 0 && found.length < REFUSALS_MAX) {
    const below: [string, Fields][] = [];
    for (const [path, part] of level) {
      for (const [name, inside] of Object.entries(part)) {
        if (name === '_errors' && isList(inside)) {
          for (const one of inside) {
            const sentence = isObject(one) ? one['message'] : undefined;
            if (typeof sentence === 'string' && found.length < REFUSALS_MAX) {
              found.push({ path: normalizePath(path), sentence: cut(sentence, SENTENCE_UNITS_MAX) });
            }
          }
        } else if (isObject(inside)) below.push([path === '' ? name : `${path}.${name}`, inside]);
      }
    }
    level = below;
  }
  return found;
}

/** A line of discord.js (`embeds[0].title[CODE]: …`) or discord.py (`In embeds.0.title: …`). */
const LINE =
  /^\s{0,20}(?:In )?([a-z_]{1,40}(?:\.\w{1,40}|\[\d{1,3}\]){0,30})(?:\[[A-Z][A-Z\d_]{0,80}\])?: (.{1,300})/;

function readLines(text: string): Refusal[] {
  const found: Refusal[] = [];
  // After a stack, consoles print the request, whose fields look the same.
  const stack = text.search(/\n[ \t]{1,20}at /);
  for (const line of (stack === -1 ? text : text.slice(0, stack)).split('\n')) {
    const [, path = '', sentence = ''] = LINE.exec(line) ?? [];
    const root = /^[a-z_]+/.exec(path)?.[0] ?? '';
    if (ROOTS.has(root) && found.length < REFUSALS_MAX)
      found.push({ path: normalizePath(path), sentence: cut(sentence, SENTENCE_UNITS_MAX) });
  }
  return found;
}

/** `data.embeds.0.x` and `embed.x` are `embeds[0].x`. */
function normalizePath(path: string): string | null {
  const parts = path.split(/[.[\]]+/).filter((part) => part !== '');
  if (parts[0] === 'data') parts.shift();
  if (parts[0] === 'embed') parts.splice(0, 1, 'embeds', '0');
  const joined = parts
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
  return joined === '' || joined === '_misc' ? null : joined;
}

/** Each is read to its end once, and failing to parse takes long. */
const OBJECTS_MAX = 8;

/** Objects in a text, such as the JSON of a response within a log line, cut off or not. */
function findObjects(text: string): Fields[] {
  const json = unescape(text);
  const found: Fields[] = [];
  const start = /\{\s{0,20}"/g;
  for (let tries = 0; tries < OBJECTS_MAX; tries += 1) {
    const at = start.exec(json)?.index;
    if (at === undefined) break;
    const { end, missing } = findEnd(json, at);
    const object = parseObject(json.slice(at, end) + missing);
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

function parseObject(json: string): Fields | null {
  const value = parseInside(json);
  return isObject(value) ? value : null;
}
