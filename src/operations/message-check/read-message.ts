import { isList, isObject } from './walk.ts';

/** JSON that a parser refuses: where, and why as far as can be seen. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly cause: string;
}

/** ```` ```json … ``` ````, as messages are shown in chats. */
const FENCE = /^\s*```[a-z]*\n([^]*?)\n?```\s*$/i;

/** @returns what the text holds as JSON, in a code fence or not */
export function readJson(text: string): { readonly value: unknown } | { readonly fault: JsonFault } {
  const fenced = FENCE.exec(text)?.[1] ?? text;
  const json = fenced.replace(/^\uFEFF/, '');
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    return { fault: explain(json, error instanceof Error ? error.message : '') };
  }
}

/** The same for JSON inside a message: null where it is none, or nested too deep. */
export function parseInside(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isSmall(value) ? value : null;
  } catch {
    return null;
  }
}

function explain(json: string, said: string): JsonFault {
  const position = /at position (\d+)/.exec(said)?.[1];
  const isToken = said.startsWith(TOKEN);
  const at =
    position !== undefined ? Number(position) : isToken ? startOfWord(json, findToken(json)) : json.length;
  const before = json.slice(0, at);
  return {
    line: before.split('\n').length,
    column: at - before.lastIndexOf('\n'),
    cause: causeOf(json, at, before.trimEnd().at(-1)),
  };
}

const TOKEN = 'Unexpected token';

/** The parser says no position of a token that may not be there: it is in every beginning that reaches so far. */
function findToken(json: string): number {
  let before = 0;
  let after = json.length + 1;
  while (before + 1 < after) {
    const middle = Math.floor((before + after) / 2);
    if (refusesToken(json.slice(0, middle))) after = middle;
    else before = middle;
  }
  return before;
}

/** The parser reads `new` as the beginning of `null`, and refuses its second letter. */
function startOfWord(json: string, at: number): number {
  return at - (/[a-z]{0,4}$/.exec(json.slice(Math.max(0, at - 4), at))?.[0].length ?? 0);
}

function refusesToken(json: string): boolean {
  try {
    JSON.parse(json);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith(TOKEN);
  }
}

/** Programs that make a message, which people paste in its place. */
const LANGUAGES: readonly { readonly mark: RegExp; readonly advice: string }[] = [
  {
    mark: /\bdiscord\.[A-Z]|:\s?(?:None|True|False)\b|\b(?:embed|view)=|\.(?:add_field|set_[a-z]+)\(|^\s?(?:async )?def /,
    advice: 'This is Python. Paste what json.dumps(message) gives, with embed.to_dict() for each embed.',
  },
  {
    mark: /\bnew [A-Z]|\.(?:set|add)[A-Z]|=>|\b(?:const|let|var) \w|\.\w+\(\{/,
    advice: 'This is JavaScript. Paste what JSON.stringify(message) gives.',
  },
];

function languageOf(text: string): string | undefined {
  const beginning = text.slice(0, 10_000);
  return LANGUAGES.find(({ mark }) => mark.test(beginning))?.advice;
}

function causeOf(json: string, at: number, lastBefore: string | undefined): string {
  const found = json[at];
  if (found === undefined) return 'It ends too early: a bracket or a quotation mark is missing.';
  if (found === '\n' || found === '\r')
    return String.raw`A text has a line break in it: write \n in its place.`;
  if ('“”„‟«»'.includes(found)) return 'It has curly quotation marks: use straight ones.';
  if ((found === '}' || found === ']') && lastBefore === ',')
    return 'There is a comma before a bracket: take it out.';
  if (found === '{' && json[at - 1] === '{') return 'A placeholder was not filled in.';
  // Code within a text of the message says nothing about the message.
  const isValue = lastBefore === undefined || '{[,:'.includes(lastBefore);
  const language = isValue ? languageOf(json) : undefined;
  if (language !== undefined) return language;
  if (lastBefore === undefined) return 'It does not begin with {: send the JSON of the message.';
  if (found === "'")
    return 'It has single quotation marks: use double ones. In Python, json.dumps(message) writes them.';
  if (/[\p{L}_$]/u.test(found) && (lastBefore === '{' || lastBefore === ',')) {
    return 'A name has no quotation marks: use double ones. In JavaScript, JSON.stringify(message) writes them.';
  }
  if (/[\p{L}_$]/u.test(found) && (lastBefore === ':' || lastBefore === '[')) {
    return 'A word is neither true, false nor null: put texts into quotation marks.';
  }
  if (lastBefore === '"')
    return String.raw`A text has a quotation mark in it, or a comma is missing: write \" for the mark.`;
  return 'A bracket, a comma or a quotation mark is missing or too much.';
}

const LEVELS_MAX = 32;
const VALUES_MAX = 20_000;

/** @returns false when JSON is nested deeper, or has more values, than any message */
export function isSmall(value: unknown): boolean {
  let values = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    if (depth > LEVELS_MAX || values > VALUES_MAX) return false;
    const below: unknown[] = [];
    for (const each of level) {
      const inside = isList(each) ? each : isObject(each) ? Object.values(each) : [];
      if (values + below.length + inside.length > VALUES_MAX) return false;
      for (const one of inside) below.push(one);
    }
    level = below;
  }
  return true;
}
