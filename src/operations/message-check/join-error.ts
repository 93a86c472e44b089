import { isCallback } from './check-message.ts';
import type { Sender } from './places.ts';
import { adviceFor, type DiscordError, type Refusal } from './read-error.ts';
import { type Entry, isList, isObject, quote } from './walk.ts';

/** An entry with what Discord said about its place; null where only we say so. */
export interface JoinedEntry extends Entry {
  readonly discord: string | null;
}

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
  const others: JoinedEntry[] = [];
  for (const refusal of error?.refusals ?? []) {
    if (error === null) break;
    const { path } = refusal;
    const found = path === null ? findOfWhole(error, problems) : findEntries(path, refusal, problems);
    const joined = found.length > 0 || path === null ? found : findEntries(path, refusal, notices);
    for (const entry of joined) {
      const before = said.get(entry);
      said.set(entry, before === undefined ? refusal.sentence : `${before} ${refusal.sentence}`);
    }
    if (joined.length === 0) others.push(toEntry(refusal, error, message, isCallback(message, sender)));
  }
  const withSaid = (entry: Entry): JoinedEntry => ({ ...entry, discord: said.get(entry) ?? null });
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

function findEntries(
  path: string,
  { isWhole = false }: Refusal,
  entries: readonly Entry[],
): readonly Entry[] {
  const ours = entries.map((entry) => ({ entry, path: withoutData(entry.path ?? '') }));
  const same = ours.filter(
    (each) => each.path === path || each.entry.alsoAt.some((other) => withoutData(other) === path),
  );
  const below = ours.filter((each) => each.path.startsWith(`${path}.`) || each.path.startsWith(`${path}[`));
  const inside = isWhole ? [...new Set([...same, ...below])] : same.length > 0 ? same : below;
  return (inside.length > 0 ? inside : nearestAbove(path, ours)).map(({ entry }) => entry);
}

function withoutData(path: string): string {
  return path.replace(/^data\./, '');
}

interface Placed {
  readonly entry: Entry;
  readonly path: string;
}

/** Only within the same embed or component: one further up is about something else. */
function nearestAbove(path: string, entries: readonly Placed[]): readonly Placed[] {
  const top = /^(?:embeds|components)\[\d+\]/.exec(path)?.[0] ?? path;
  const above = entries.filter(
    (each) =>
      each.path.startsWith(top) && (path.startsWith(`${each.path}.`) || path.startsWith(`${each.path}[`)),
  );
  const longest = Math.max(...above.map((each) => each.path.length));
  return above.filter((each) => each.path.length === longest);
}

function toEntry(refusal: Refusal, error: DiscordError, message: unknown, isInData: boolean): JoinedEntry {
  const { sentence } = refusal;
  const path = refusal.path !== null && isInData ? `data.${refusal.path}` : refusal.path;
  const advice = adviceFor(error, refusal);
  const found = path === null ? undefined : valueAt(message, path);
  const there = found === undefined ? '' : ` There is ${quote(found)}.`;
  const place = path === null ? 'Discord says' : `Discord says of ${path}`;
  const text = `${place}: ${sentence}${/[.!?)]$/.test(sentence) ? '' : '.'}${there}${advice === '' ? '' : ` ${advice}`}`;
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
