import { maskSecrets } from '../../kernel/secrets.ts';
import type { Sender } from './places.ts';

export const PROBLEM_KINDS = [
  'json',
  'empty_message',
  'missing',
  'empty',
  'too_long',
  'too_many',
  'too_few',
  'too_large',
  'too_small',
  'type',
  'format',
  'choice',
  'conflict',
  'duplicate',
  'place',
  'name',
  'discord',
] as const;
export const NOTICE_KINDS = [
  'renamed',
  'unknown',
  'ignored',
  'type',
  'empty',
  'too_long',
  'no_ping',
  'file',
] as const;
export const KINDS = [...new Set([...PROBLEM_KINDS, ...NOTICE_KINDS])];
export type ProblemKind = (typeof PROBLEM_KINDS)[number];
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Something that Discord refuses, or takes and shows otherwise than meant. */
export interface Entry {
  /** As discord.js writes it, such as `embeds[0].title`; null is the message as a whole. */
  readonly path: string | null;
  readonly kind: ProblemKind | NoticeKind;
  readonly text: string;
  readonly limit: number | null;
  readonly value: number | null;
  /** True when the repaired message has it right. */
  readonly fixed: boolean;
  /** Other places at which Discord reports it. */
  readonly alsoAt: readonly string[];
}

type Facts = Partial<Pick<Entry, 'limit' | 'value' | 'fixed' | 'alsoAt'>>;

const TEXT_UNITS_MAX = 400;
const QUOTE_UNITS_MAX = 60;

/** What one check has found so far. */
export class Walk {
  readonly sender: Sender;
  problems: Entry[] = [];
  notices: Entry[] = [];
  /** Code points of embeds that count towards their common limit. */
  embedCharacters = 0;
  embeds = 0;
  components = 0;
  displays = 0;
  displayCharacters = 0;
  displayBytes = 0;
  hasMention = false;
  /** Of components, which may have one only once. */
  readonly customIds = new Set<unknown>();
  readonly componentIds = new Set<unknown>();

  constructor(sender: Sender) {
    this.sender = sender;
  }

  problem(path: string | null, kind: ProblemKind, text: string, facts: Facts = {}): void {
    this.problems.push(toEntry(path, kind, text, facts));
  }

  notice(path: string | null, kind: NoticeKind, text: string, facts: Facts = {}): void {
    this.notices.push(toEntry(path, kind, text, facts));
  }

  /** Runs a check below a name that Discord does not read: what was put right there was never refused. */
  keepUnfixed<Result>(check: () => Result): Result {
    const { problems, notices } = this;
    this.problems = [];
    this.notices = [];
    const result = check();
    this.problems = [...problems, ...this.problems.filter(({ fixed }) => !fixed)];
    this.notices = [...notices, ...this.notices.filter(({ fixed }) => !fixed)];
    return result;
  }
}

function toEntry(path: string | null, kind: Entry['kind'], text: string, facts: Facts): Entry {
  const { limit = null, value = null, fixed = false, alsoAt = [] } = facts;
  return { path, kind, text: printable(text).slice(0, TEXT_UNITS_MAX), limit, value, fixed, alsoAt };
}

/** Characters that a terminal or a log would act on become blanks. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ');
}

/** The beginning of a value as JSON, without tokens and addresses of webhooks. */
export function quote(value: unknown): string {
  // The rest is cut off, however long it is.
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, 300) : value), QUOTE_UNITS_MAX);
}

/** The beginning of a stranger's text, without tokens and addresses of webhooks. */
export function cut(text: string, unitsMax: number): string {
  // Masked before it is cut, because the beginning of a token no longer looks like one.
  const masked = printable(maskSecrets(text.slice(0, 5 * unitsMax))).trim();
  return masked.length > unitsMax ? `${masked.slice(0, unitsMax).toWellFormed()} …` : masked;
}

export function childPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = key.length <= 20 ? printable(key) : cut(key, QUOTE_UNITS_MAX);
  return path === '' ? name : `${path}.${name}`;
}

/** `embeds[0].fields[1].value` as `The value of field 2 in embed 1`. */
export function nameOf(path: string): string {
  const parts = [...path.matchAll(/(\w+)(?:\[(\d+)\])?/g)]
    .map(([, name = '', index]) => (index === undefined ? name : `${singular(name)} ${Number(index) + 1}`))
    .filter((name) => name !== 'data')
    .toReversed();
  const [first = path, ...around] = parts;
  if (/ \d+$/.test(first)) {
    const [upper = '', ...more] = [first, ...around].join(' in ');
    return upper.toUpperCase() + more.join('');
  }
  return around.length === 0 ? `The ${first}` : `The ${first} of ${around.join(' in ')}`;
}

function singular(name: string): string {
  return name.replace(/s$/, '');
}

export const countPoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

export const shown = (count: number): string => count.toLocaleString('en');

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
