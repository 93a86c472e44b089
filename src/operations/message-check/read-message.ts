import { parseJson } from '../../kernel/parse-json.ts';
import { isList, isObject } from './check-context.ts';

/** ```` ```json … ``` ````, as people post JSON in a chat. */
const FENCE = /^\s*```[a-z]*\n([^]*?)\n?```\s*$/i;

/** @returns the parsed JSON, with or without a code fence; or a sentence that says where and why it is invalid */
export function readJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  const json = (FENCE.exec(text)?.[1] ?? text).replace(/^\uFEFF/, '');
  const read = parse(json);
  if ('value' in read) return read;
  const at = findFault(json, read.refusal);
  const before = json.slice(0, at);
  const [line, column] = [before.split('\n').length, at - before.lastIndexOf('\n')];
  return { fault: `The message is not JSON: line ${line}, column ${column}. ${causeOf(json, at)}` };
}

/** Parses JSON inside a message; null if it is invalid or too deeply nested. */
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

/** Finds where parsing fails. For an unexpected token V8 gives no position: a binary search finds it. */
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
  // The parser takes `new` for the beginning of `null` and fails at its second letter.
  while (/[a-z]/.test(json.charAt(before - 1))) before -= 1;
  return before;
}

interface Cause {
  /** Matches around the position: the last character before it that is not white space, a bar, and the next two. */
  readonly at: RegExp;
  /** Must match somewhere in the text too. */
  readonly within?: RegExp;
  readonly advice: string;
}

/** Where a value may begin: code inside a text of the message is no clue. */
const WHERE_VALUES_BEGIN = /^[{[,:]?\|/;

/** The first match wins. */
const CAUSES: readonly Cause[] = [
  { at: /\|$/, advice: 'It ends too early: a bracket or a quotation mark is missing.' },
  { at: /\|[\n\r]/, advice: String.raw`A text has a line break in it: write \n in its place.` },
  { at: /\|[“”„‟«»]/, advice: 'It has curly quotation marks: use straight ones.' },
  { at: /^,\|[}\]]/, advice: 'There is a comma before a bracket: take it out.' },
  { at: /^\{\|\{/, within: /\{\{/, advice: 'A placeholder was not filled in.' },
  {
    at: WHERE_VALUES_BEGIN,
    within:
      /\bdiscord\.[A-Z]|:\s?(?:None|True|False)\b|\b(?:embed|view)=|\.(?:add_field|set_[a-z]+)\(|^\s?(?:async )?def /,
    advice: 'This is Python. Paste what json.dumps(message) gives, with embed.to_dict() for each embed.',
  },
  {
    at: WHERE_VALUES_BEGIN,
    within: /\bnew [A-Z]|\.(?:set|add)[A-Z]|=>|\b(?:const|let|var) \w|\.\w+\(\{/,
    advice: 'This is JavaScript. Paste what JSON.stringify(message) gives.',
  },
  { at: /^\|/, advice: 'It does not begin with {: send the JSON of the message.' },
  {
    at: /\|'/,
    advice: 'It has single quotation marks: use double ones. In Python, json.dumps(message) writes them.',
  },
  {
    at: /^[{,]\|[\p{L}_$]/u,
    advice:
      'A name has no quotation marks: use double ones. In JavaScript, JSON.stringify(message) writes them.',
  },
  {
    at: /^[:[]\|[\p{L}_$]/u,
    advice: 'A word is neither true, false nor null: put texts into quotation marks.',
  },
  {
    at: /^"\|/,
    advice: String.raw`A text has a quotation mark in it, or a comma is missing: write \" for the mark.`,
  },
];

function causeOf(json: string, at: number): string {
  const there = `${json.slice(0, at).trimEnd().slice(-1)}|${json.slice(at, at + 2)}`;
  const beginning = json.slice(0, 10_000);
  const cause = CAUSES.find(
    ({ at: pattern, within }) => pattern.test(there) && within?.test(beginning) !== false,
  );
  return cause?.advice ?? 'A bracket, a comma or a quotation mark is missing or too much.';
}

const LEVELS_MAX = 32;
const VALUES_MAX = 20_000;

/** @returns false if JSON is deeper or larger than any message */
export function isSmall(value: unknown, depth = 0, count = { values: 0 }): boolean {
  count.values += 1;
  if (depth > LEVELS_MAX || count.values > VALUES_MAX) return false;
  if (!isList(value) && !isObject(value)) return true;
  return Object.values(value).every((each) => isSmall(each, depth + 1, count));
}
