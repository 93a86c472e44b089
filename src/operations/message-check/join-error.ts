import { isCallback } from './check-message.ts';
import type { Sender } from './places.ts';
import { adviceFor, type DiscordError, type Refusal } from './read-error.ts';
import { type Entry, isList, isObject, quote } from './walk.ts';

/** An entry with what Discord said about its place; null where only we say so. */
export interface JoinedEntry extends Entry {
  readonly discord: string | null;
}

/** Discord may say much about one place. */
const SAID_UNITS_MAX = 400;

export interface Joined {
  readonly problems: readonly JoinedEntry[];
  readonly notices: readonly JoinedEntry[];
}

/**
 * Joins what we found with what Discord answered. A notice that Discord names is a problem.
 * @param message as it was sent; undefined when there is none
 */
export function joinError(
  problems: readonly Entry[],
  notices: readonly Entry[],
  error: DiscordError | null,
  message: unknown,
  sender: Sender,
): Joined {
  const said = new Map<Entry, string>();
  const withSaid = (entry: Entry): JoinedEntry => ({ ...entry, discord: said.get(entry) ?? null });
  if (error === null) return { problems: problems.map(withSaid), notices: notices.map(withSaid) };
  const others: JoinedEntry[] = [];
  const [inProblems, inNotices] = [indexPlaces(problems), indexPlaces(notices)];
  for (const refusal of error.refusals) {
    const { path } = refusal;
    const found = path === null ? findOfWhole(error, problems) : findEntries(path, refusal, inProblems);
    const joined = found.length > 0 || path === null ? found : findEntries(path, refusal, inNotices);
    for (const entry of joined) {
      const before = said.get(entry);
      if (before === undefined) said.set(entry, refusal.sentence);
      else if (before.length < SAID_UNITS_MAX && !before.includes(refusal.sentence)) {
        said.set(entry, `${before} ${refusal.sentence}`);
      }
    }
    if (joined.length === 0) others.push(toEntry(refusal, error, message, isCallback(message, sender)));
  }
  return {
    problems: [
      ...problems.map(withSaid),
      ...notices.filter((entry) => said.has(entry)).map(withSaid),
      ...others,
    ],
    notices: notices.filter((entry) => !said.has(entry)).map(withSaid),
  };
}

/** What explains a refusal of the message as a whole. */
function findOfWhole({ code }: DiscordError, problems: readonly Entry[]): readonly Entry[] {
  if (code === 50_109) return problems.filter(({ kind }) => kind === 'json');
  if (code === 50_035) return problems;
  if (code !== 50_006) return [];
  const empty = problems.filter(({ kind }) => kind === 'empty_message');
  // An embed without anything in it is an empty message to Discord.
  return empty.length > 0 ? empty : problems.filter(({ kind, path }) => kind === 'empty' && isEmbed(path));
}

function isEmbed(path: string | null): boolean {
  return path !== null && /^(?:data\.)?embeds\[\d+\]$/.test(path);
}

/** A message may have many thousand entries, and Discord may name a hundred places. */
interface Places {
  readonly at: ReadonlyMap<string, readonly Entry[]>;
  readonly below: ReadonlyMap<string, readonly Entry[]>;
}

function indexPlaces(entries: readonly Entry[]): Places {
  const at = new Map<string, Entry[]>();
  const below = new Map<string, Entry[]>();
  for (const entry of entries) {
    const path = withoutData(entry.path ?? '');
    for (const own of new Set([path, ...entry.alsoAt.map(withoutData)])) add(at, own, entry);
    for (const around of placesAround(path)) add(below, around, entry);
  }
  return { at, below };
}

function add(places: Map<string, Entry[]>, path: string, entry: Entry): void {
  const others = places.get(path);
  if (others === undefined) places.set(path, [entry]);
  else others.push(entry);
}

/** Of `embeds[0].title`: `embeds[0]`, then `embeds`. */
function placesAround(path: string): string[] {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
  return ends.toReversed().map((end) => path.slice(0, end));
}

function withoutData(path: string): string {
  return path.replace(/^data\./, '');
}

function findEntries(path: string, { isWhole = false }: Refusal, { at, below }: Places): readonly Entry[] {
  const same = at.get(path) ?? [];
  const inside = below.get(path) ?? [];
  if (isWhole && inside.length > 0) return [...new Set([...same, ...inside])];
  if (same.length > 0) return same;
  return inside.length > 0 ? inside : nearestAbove(path, at);
}

/** Only within the same embed or component: one further up is about something else. */
function nearestAbove(path: string, at: Places['at']): readonly Entry[] {
  const top = /^(?:embeds|components)\[\d+\]/.exec(path)?.[0] ?? path;
  const above = placesAround(path).find((around) => around.startsWith(top) && at.has(around));
  return above === undefined ? [] : (at.get(above) ?? []);
}

function toEntry(refusal: Refusal, error: DiscordError, message: unknown, isInData: boolean): JoinedEntry {
  const { sentence } = refusal;
  const path = refusal.path !== null && isInData ? `data.${refusal.path}` : refusal.path;
  const advice = adviceFor(error, refusal);
  const found = path === null ? undefined : valueAt(message, path);
  const there = found === undefined ? '' : ` There is ${quote(found)}.`;
  const place = path === null ? 'Discord says' : `Discord says of ${path}`;
  const said =
    refusal.isWhole === true
      ? `Discord refuses ${path} and does not say why.${message === undefined ? ' Check the message itself: the answer then says what is wrong in it.' : ''}`
      : `${place}: ${sentence}${/[.!?)]$/.test(sentence) ? '' : '.'}`;
  const text = `${said}${there}${advice === '' ? '' : ` ${advice}`}`;
  return {
    path,
    kind: 'discord',
    text: text.slice(0, 400),
    limit: null,
    value: null,
    fixed: false,
    discord: sentence,
    alsoAt: [],
  };
}

function valueAt(message: unknown, path: string): unknown {
  let value = message;
  for (const key of path.split(/[.[\]]+/)) {
    if (key === '') continue;
    if (isList(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}
