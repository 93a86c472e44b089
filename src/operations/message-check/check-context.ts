import { maskSecrets } from '../../kernel/secrets.ts';
import type { Sender } from './message-fields.ts';

export const KINDS = [
  // Of problems.
  'json',
  'empty_message',
  'missing',
  'too_many',
  'too_few',
  'too_large',
  'too_small',
  'format',
  'choice',
  'conflict',
  'duplicate',
  // A part that may not stand where it is.
  'place',
  'name',
  'discord',
  // Of problems and notices.
  'type',
  'empty',
  'too_long',
  // Of notices.
  'renamed',
  'unknown',
  'ignored',
  'no_ping',
  'file',
] as const;
export type Kind = (typeof KINDS)[number];

/** Something that Discord refuses, or accepts but shows differently. */
export interface Finding {
  /** As discord.js writes it, such as `embeds[0].title`; null is the message as a whole. */
  readonly path: string | null;
  readonly kind: Kind;
  readonly text: string;
  readonly limit: number | null;
  readonly value: number | null;
  /** True if the repaired message no longer has this problem. */
  readonly fixed: boolean;
  /** The list whose items Discord may name instead of this path. */
  readonly listPath: string | null;
}

type Details = Partial<Pick<Finding, 'limit' | 'value' | 'fixed' | 'listPath'>>;

export type Fields = Readonly<Record<string, unknown>>;

/** UTF-16 code units of a sentence. It may quote several values. */
const TEXT_LENGTH_MAX = 400;
/** UTF-16 code units of a value in a sentence. */
const QUOTE_LENGTH_MAX = 60;

class Found {
  readonly problems: Finding[] = [];
  readonly notices: Finding[] = [];
  /** Values that only one component, or only one option of a menu, may have. */
  readonly values = new Set<string>();
  readonly totals = { content: 0, embeds: 0, embed_characters: 0, components: 0, text_display_characters: 0 };
  displays = 0;
  displayBytes = 0;
}

/** A path in the message that is being checked, with everything found so far. */
export class CheckContext {
  readonly sender: Sender;
  readonly path: string;
  readonly found: Found;

  constructor(sender: Sender, path: string, found = new Found()) {
    this.sender = sender;
    this.path = path;
    this.found = found;
  }

  child(key: string | number): CheckContext {
    return new CheckContext(this.sender, childPath(this.path, key), this.found);
  }

  problem(kind: Kind, text: string, details: Details = {}): void {
    this.found.problems.push(toFinding(this.path, kind, text, details));
  }

  notice(kind: Kind, text: string, details: Details = {}): void {
    this.found.notices.push(toFinding(this.path, kind, text, details));
  }

  emptyMessage(text: string, fixed = false): void {
    this.found.problems.push(toFinding(null, 'empty_message', text, { fixed }));
  }

  missing(need = ''): void {
    this.problem('missing', `${this.path} is missing${need === '' ? '' : `: ${need} needs it`}.`);
  }

  empty(details: Details = {}): void {
    this.problem('empty', `${nameOf(this.path)} is empty.`, { limit: 1, value: 0, ...details });
  }

  tooLong(value: number, limit: number, what = nameOf(this.path), details: Details = {}): void {
    const text = `${what} has ${shown(value)} characters; Discord takes ${shown(limit)}.`;
    this.problem('too_long', text, { limit, value, ...details });
  }

  tooMany(value: number, limit: number, detail = ''): void {
    const text = `${this.path} has ${shown(value)} entries${detail}; Discord takes ${shown(limit)}.`;
    this.problem('too_many', text, { limit, value });
  }

  outside(kind: 'too_small' | 'too_large', value: number, limit: number, detail = ''): void {
    const bound = kind === 'too_small' ? 'least' : 'most';
    const text = `${this.path} is ${shown(value)}; the ${bound} is ${shown(limit)}${detail}.`;
    this.problem(kind, text, { limit, value });
  }

  /** @returns the value that Discord wants if there is only one candidate; otherwise what was given */
  reportAndRepair(kind: Kind, given: unknown, wanted: string, meant: unknown = given): unknown {
    const fixed = meant !== given;
    const text = `${this.path} is ${describe(given)}; Discord wants ${wanted}`;
    this.problem(kind, fixed && !isList(meant) ? `${text}, ${quote(meant)}.` : `${text}.`, { fixed });
    return meant;
  }

  /** @param scope where the value may occur only once */
  once(value: unknown, scope: string): void {
    const key = `${scope} ${typeof value} ${String(value)}`;
    const { values } = this.found;
    if (values.has(key)) this.problem('duplicate', `${this.path} is ${quote(value)}, which another one has.`);
    values.add(key);
  }

  /** Remembers this point, to look later at the findings after it. */
  checkpoint(): Checkpoint {
    const lists = [this.found.problems, this.found.notices];
    const since = lists.map((findings) => ({ findings, from: findings.length }));
    return {
      isAllFixed: () => since.every(({ findings, from }) => findings.slice(from).every(({ fixed }) => fixed)),
      forgetFixed() {
        for (const { findings, from } of since) {
          findings.push(...findings.splice(from).filter(({ fixed }) => !fixed));
        }
      },
    };
  }
}

interface Checkpoint {
  readonly isAllFixed: () => boolean;
  readonly forgetFixed: () => void;
}

export function toFinding(path: string | null, kind: Kind, text: string, details: Details = {}): Finding {
  return {
    path,
    kind,
    text: printable(text).slice(0, TEXT_LENGTH_MAX),
    limit: null,
    value: null,
    fixed: false,
    listPath: null,
    ...details,
  };
}

/** Replaces characters that would act on a terminal or a log with spaces. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ');
}

function describe(value: unknown): string {
  if (isList(value)) return 'a list';
  return isObject(value) ? 'an object' : quote(value);
}

/** The beginning of a value as JSON, without tokens and URLs of webhooks. */
export function quote(value: unknown): string {
  // A long text is shortened first: only its beginning is shown.
  return cut(JSON.stringify(typeof value === 'string' ? value.slice(0, 300) : value), QUOTE_LENGTH_MAX);
}

/** The beginning of a stranger's text, without tokens and URLs of webhooks. */
export function cut(text: string, lengthMax: number): string {
  // Mask first: a token that was cut short no longer looks like one.
  const masked = printable(maskSecrets(text.slice(0, 5 * lengthMax))).trim();
  return masked.length > lengthMax ? `${masked.slice(0, lengthMax).toWellFormed()} …` : masked;
}

function childPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const name = key.length <= 20 ? printable(key) : cut(key, QUOTE_LENGTH_MAX);
  return path === '' ? name : `${path}.${name}`;
}

/** `embeds[0].fields[1].value` as `The value of field 2 in embed 1`. */
export function nameOf(path: string): string {
  const [first = path, ...around] = [...path.matchAll(/(\w+)(?:\[(\d+)\])?/g)]
    .map(([, name = '', index]) =>
      index === undefined ? name : `${name.replace(/s$/, '')} ${Number(index) + 1}`,
    )
    .filter((name) => name !== 'data')
    .toReversed();
  const where = around.join(' in ');
  if (!/ \d+$/.test(first)) return where === '' ? `The ${first}` : `The ${first} of ${where}`;
  const name = where === '' ? first : `${first} in ${where}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export const countPoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

export const shown = (count: number): string => count.toLocaleString('en');

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** True for a value that Discord does not take as absent. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Drops case and punctuation to compare names: `custom_id` and `customId` are the same. */
export function fold(name: string): string {
  return name.replaceAll(/[_\-\s]/g, '').toLowerCase();
}
