import { isCallback } from './check-message.ts';
import { CODES, EMPTY_MESSAGE, INVALID_FORM, INVALID_JSON } from './discord-codes.ts';
import type { Sender } from './places.ts';
import type { DiscordError, Refusal } from './read-error.ts';
import { type Entry, isList, isObject, quote, toEntry } from './walk.ts';

/** An entry with what Discord said about its place; null where only we say so. */
export interface JoinedEntry extends Entry {
  readonly discord: string | null;
}

interface Entries<Each extends Entry> {
  readonly problems: readonly Each[];
  readonly notices: readonly Each[];
}

/**
 * Joins what we found with what Discord answered. A notice that Discord names is a problem.
 * @param message as it was sent; undefined when there is none
 */
export function joinError(
  { problems, notices }: Entries<Entry>,
  error: DiscordError | null,
  message: unknown,
  sender: Sender,
): Entries<JoinedEntry> {
  const { code, refusals } = error ?? { code: null, refusals: [] };
  const said = new Map<Entry, Set<string>>();
  const others: JoinedEntry[] = [];
  const prefix = isCallback(message, sender) ? 'data.' : '';
  for (const refusal of refusals) {
    const path = refusal.path === null ? null : prefix + refusal.path;
    let found = path === null ? explainWhole(code, problems) : explain(path, refusal, problems);
    if (found.length === 0 && path !== null) found = explain(path, refusal, notices);
    for (const entry of found) said.set(entry, (said.get(entry) ?? new Set()).add(refusal.sentence));
    if (found.length === 0) others.push(retell(path, refusal, code, message));
  }
  const withSaid = (entry: Entry): JoinedEntry => {
    const sentences = [...(said.get(entry) ?? [])].join(' ');
    return { ...entry, discord: said.has(entry) ? sentences.slice(0, DISCORD_UNITS_MAX) : null };
  };
  return {
    problems: [...[...problems, ...notices.filter((entry) => said.has(entry))].map(withSaid), ...others],
    notices: notices.filter((entry) => !said.has(entry)).map(withSaid),
  };
}

/** Discord may say much about one place. */
const DISCORD_UNITS_MAX = 600;

/** What explains a refusal of the message as a whole. */
function explainWhole(code: number | null, problems: readonly Entry[]): readonly Entry[] {
  if (code === INVALID_FORM) return problems;
  if (code === INVALID_JSON) return problems.filter(({ kind }) => kind === 'json');
  if (code !== EMPTY_MESSAGE) return [];
  const empty = problems.filter(({ kind }) => kind === 'empty_message');
  // An embed without anything in it is an empty message to Discord.
  return empty.length > 0
    ? empty
    : problems.filter(({ kind, path }) => kind === 'empty' && /^(?:data\.)?embeds\[\d+\]$/.test(path ?? ''));
}

/** Discord may name a hundred places: entries after the first ones are not compared with each. */
const COMPARED_MAX = 1_000;

/** Entries at the place of a refusal, else below it, else at the nearest place above it. */
function explain(path: string, { isWhole = false }: Refusal, entries: readonly Entry[]): readonly Entry[] {
  const compared = entries.slice(0, COMPARED_MAX);
  const [top = path, list] = /^((?:data\.)?(?:embeds|components))\[\d+\]/.exec(path) ?? [];
  const entriesAt = (place: string) =>
    compared.filter((entry) => entry.path === place || (place === top && entry.alsoIn === list));
  const at = entriesAt(path);
  const below = compared.filter((entry) =>
    [`${path}.`, `${path}[`].some((start) => entry.path?.startsWith(start)),
  );
  if (isWhole && below.length > 0) return [...new Set([...at, ...below])];
  if (at.length > 0) return at;
  if (below.length > 0) return below;
  // Only within the same embed or component: one further up is about something else.
  for (let place = placeAround(path); place.startsWith(top); place = placeAround(place)) {
    const above = entriesAt(place);
    if (above.length > 0) return above;
  }
  return [];
}

/** Of `embeds[0].title`: `embeds[0]`, then `embeds`. */
function placeAround(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
}

/** What Discord says, where the message does not explain it. */
function retell(
  path: string | null,
  { sentence, isWhole = false }: Refusal,
  code: number | null,
  message: unknown,
): JoinedEntry {
  const sentences = isWhole
    ? [`Discord refuses ${path} and does not say why.`]
    : [
        `Discord says${path === null ? '' : ` of ${path}`}: ${sentence}${/[.!?)]$/.test(sentence) ? '' : '.'}`,
      ];
  if (isWhole && message === undefined) {
    sentences.push('Check the message itself: the answer then says what is wrong in it.');
  }
  const there = path === null ? undefined : valueAt(message, path);
  if (there !== undefined) sentences.push(`There is ${quote(there)}.`);
  if (path === null) sentences.push(CODES[code ?? 0]?.advice ?? '');
  if (path === 'message_reference' && /unknown message/i.test(sentence)) {
    sentences.push(
      'The message to reply to was deleted: send fail_if_not_exists: false, or no message_reference.',
    );
  }
  return { ...toEntry(path, 'discord', sentences.join(' ').trim()), discord: sentence };
}

function valueAt(message: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  return keys.reduce((value: unknown, key) => {
    if (isList(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, message);
}
