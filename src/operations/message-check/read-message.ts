import { parseJson } from '../../kernel/parse-json.ts';
import { isList, isObject } from './walk.ts';

/** ```` ```json … ``` ````, as messages are shown in chats. */
const FENCE = /^\s*```[a-z]*\n([^]*?)\n?```\s*$/i;

/** @returns what the text holds as JSON, in a code fence or not; or a sentence that says where it breaks, and why */
export function readJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  const json = (FENCE.exec(text)?.[1] ?? text).replace(/^\uFEFF/, '');
  const read = parse(json);
  if ('value' in read) return read;
  const at = findFault(json, read.refusal);
  const before = json.slice(0, at);
  const [line, column] = [before.split('\n').length, at - before.lastIndexOf('\n')];
  return { fault: `The message is not JSON: line ${line}, column ${column}. ${causeOf(json, at)}` };
}

/** The same for JSON inside a message: null where it is not, or is nested too deep. */
export function parseInside(text: string): unknown {
  const value = parseJson(text);
  return isSmall(value) ? value : null;
}

function parse(json: string): { readonly value: unknown } | { readonly refusal: string } {
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : '' };
  }
}

const TOKEN = 'Unexpected token';

/** The parser says no position of a token that may not be there: every beginning that reaches so far has it. */
function findFault(json: string, refusal: string): number {
  const position = /at position (\d+)/.exec(refusal)?.[1];
  if (position !== undefined) return Number(position);
  if (!refusal.startsWith(TOKEN)) return json.length;
  let before = 0;
  let after = json.length + 1;
  while (before + 1 < after) {
    const middle = Math.floor((before + after) / 2);
    const read = parse(json.slice(0, middle));
    if ('refusal' in read && read.refusal.startsWith(TOKEN)) after = middle;
    else before = middle;
  }
  // The parser reads `new` as the beginning of `null`, and refuses its second letter.
  while (/[a-z]/.test(json.charAt(before - 1))) before -= 1;
  return before;
}

interface Cause {
  /** What stands there: the last sign before it that is not white space, a bar, and the rest. */
  readonly there: RegExp;
  /** What else is in the text. */
  readonly within?: RegExp;
  readonly says: string;
}

/** Code within a text of the message says nothing about the message. */
const WHERE_VALUES_BEGIN = /^[{[,:]?\|/;

/** The first that fits is the likely one. */
const CAUSES: readonly Cause[] = [
  { there: /\|$/, says: 'It ends too early: a bracket or a quotation mark is missing.' },
  { there: /\|[\n\r]/, says: String.raw`A text has a line break in it: write \n in its place.` },
  { there: /\|[“”„‟«»]/, says: 'It has curly quotation marks: use straight ones.' },
  { there: /^,\|[}\]]/, says: 'There is a comma before a bracket: take it out.' },
  { there: /^\{\|\{/, within: /\{\{/, says: 'A placeholder was not filled in.' },
  {
    there: WHERE_VALUES_BEGIN,
    within:
      /\bdiscord\.[A-Z]|:\s?(?:None|True|False)\b|\b(?:embed|view)=|\.(?:add_field|set_[a-z]+)\(|^\s?(?:async )?def /,
    says: 'This is Python. Paste what json.dumps(message) gives, with embed.to_dict() for each embed.',
  },
  {
    there: WHERE_VALUES_BEGIN,
    within: /\bnew [A-Z]|\.(?:set|add)[A-Z]|=>|\b(?:const|let|var) \w|\.\w+\(\{/,
    says: 'This is JavaScript. Paste what JSON.stringify(message) gives.',
  },
  { there: /^\|/, says: 'It does not begin with {: send the JSON of the message.' },
  {
    there: /\|'/,
    says: 'It has single quotation marks: use double ones. In Python, json.dumps(message) writes them.',
  },
  {
    there: /^[{,]\|[\p{L}_$]/u,
    says: 'A name has no quotation marks: use double ones. In JavaScript, JSON.stringify(message) writes them.',
  },
  {
    there: /^[:[]\|[\p{L}_$]/u,
    says: 'A word is neither true, false nor null: put texts into quotation marks.',
  },
  {
    there: /^"\|/,
    says: String.raw`A text has a quotation mark in it, or a comma is missing: write \" for the mark.`,
  },
];

function causeOf(json: string, at: number): string {
  const there = `${json.slice(0, at).trimEnd().slice(-1)}|${json.slice(at, at + 2)}`;
  const beginning = json.slice(0, 10_000);
  const cause = CAUSES.find(
    ({ there: place, within }) => place.test(there) && within?.test(beginning) !== false,
  );
  return cause?.says ?? 'A bracket, a comma or a quotation mark is missing or too much.';
}

const LEVELS_MAX = 32;
const VALUES_MAX = 20_000;

/** @returns false when JSON is nested deeper, or has more values, than any message */
export function isSmall(value: unknown, depth = 0, count = { values: 0 }): boolean {
  count.values += 1;
  if (depth > LEVELS_MAX || count.values > VALUES_MAX) return false;
  if (!isList(value) && !isObject(value)) return true;
  return Object.values(value).every((each) => isSmall(each, depth + 1, count));
}
