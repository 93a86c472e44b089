import { type FormulaPart, joinParts, writeLower, writeUpper } from './formula-parts.ts';
import { combiningmarks, replacements, subsuperscripts } from 'unicodeit/ts_dist/js/data.js';

/**
 * The signs come from unicodeit. Its own `replace` searches the whole formula for each sign, 4 ms for 500 characters,
 * and finds `\\l` in `\\log`.
 */
const SIGNS = toMap(replacements.filter(([, sign]) => !isMark(sign)));
const SCRIPTS = toMap([...subsuperscripts, ['^∘', '°'], ['^′', '′'], ['^V', 'ⱽ']]);
/** Marks on letters: each letter of the argument gets its own. */
const MARKS = toMap([...combiningmarks, ...replacements.filter(([, sign]) => isMark(sign))]);
const NOT = '\u0338';
const NAMES = new Set(
  (
    'sin cos tan cot sinh cosh tanh arcsin arccos arctan log ln exp lim max min sup inf det dim gcd deg arg mod bmod ' +
    'Pr'
  ).split(' '),
);
/** Commands that only change the size or place of a part. */
const LAYOUT = new Set(['left', 'right', 'displaystyle', 'limits', 'big', 'Big', 'qquad', '!']);
/** Commands that show their argument as it is. */
const TEXTS = new Set(['text', 'mathrm', 'mathit', 'operatorname', 'boxed']);
const OTHERS: Readonly<Record<string, string>> = { '\\': '\n', dots: '…' };

function isMark(sign = ''): boolean {
  return /^\p{M}/u.test(sign);
}

function toMap(pairs: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(pairs.map(([command = '', sign = '']) => [command, sign]));
}

/** A text as an exponent or an index in Unicode; null when one of its signs has no such form. */
export function inScript(sign: '^' | '_', text: string): string | null {
  const found = Array.from(text, (each) => SCRIPTS.get(sign + each.replace('−', '-').replace('∗', '*')));
  return found.includes(undefined) ? null : found.join('');
}

export interface Formula {
  readonly end: number;
  /** The source, with its delimiters. */
  readonly source: string;
  /** In Unicode; null when the formula is too complex for that. */
  readonly text: string | null;
}

/** A longer formula is too complex. */
const LENGTH_MAX = 500;
const DEPTH_MAX = 8;

const DELIMITERS = [
  ['$$', '$$'],
  [String.raw`\[`, String.raw`\]`],
  [String.raw`\(`, String.raw`\)`],
  ['$', '$'],
] as const;

/** Reads the formula at `at`; null if there is none. */
export function readFormula(text: string, at: number): Formula | null {
  const delimiter = DELIMITERS.find(([start]) => text.startsWith(start, at));
  if (delimiter === undefined) return null;
  const [start, end] = delimiter;
  const from = at + start.length;
  const window = text.slice(from, from + LENGTH_MAX + end.length);
  const length = window.indexOf(end);
  if (length <= 0) return null;
  const body = window.slice(0, length);
  // Prices are not formulas: "$5 and $6".
  if (start === '$' && (/^\s|\s$|\n/.test(body) || /^\d/.test(window.slice(length + 1)))) return null;
  const after = from + length + end.length;
  const touches = {
    before: /[\p{L}\p{N})]/u.test(text.charAt(at - 1)),
    after: /[\p{L}\p{N}(]/u.test(text.charAt(after)),
  };
  return { end: after, source: text.slice(at, after), text: formulaText(body, touches) };
}

/**
 * A formula in Unicode; null when it is long, or contains something that Unicode cannot express unambiguously.
 * @param touches whether there are letters or digits right before it, and right after it
 */
export function formulaText(
  source: string,
  touches: { readonly before: boolean; readonly after: boolean } = { before: false, after: false },
): string | null {
  if (source.length > LENGTH_MAX) return null;
  const parts = new FormulaReader(source).read();
  if (parts === null) return null;
  // A placeholder for the neighbouring letter of the prose, removed again below.
  const letter: FormulaPart = { kind: 'sign', text: 'x' };
  const before = touches.before ? [letter] : [];
  const after = touches.after ? [letter] : [];
  const text = joinParts([...before, ...parts, ...after], false);
  return text?.slice(before.length, text.length - after.length) ?? null;
}

class FormulaReader {
  /** Commands and single signs, the first one last. */
  readonly #tokens: string[];
  #isSimple = true;

  constructor(source: string) {
    this.#tokens = (source.match(/\\(?:[A-Za-z]{1,20}|[^])|[^]/gu) ?? []).reverse();
  }

  read(): FormulaPart[] | null {
    const parts = this.#readUntil(undefined, 0);
    return this.#isSimple ? parts : null;
  }

  /** @param end undefined for the end of the formula */
  #readUntil(end: string | undefined, depth: number): FormulaPart[] {
    const parts: FormulaPart[] = [];
    while (this.#isSimple && this.#tokens.at(-1) !== end) parts.push(...this.#readPart(depth));
    this.#tokens.pop();
    return parts;
  }

  #refuse(): FormulaPart[] {
    this.#isSimple = false;
    return [];
  }

  /** A sign, a command with its arguments, or a group. */
  #readPart(depth: number): FormulaPart[] {
    const token = this.#tokens.pop();
    switch (token) {
      case undefined:
      case '\\':
      case '}':
      case '&':
        return this.#refuse();
      case '{':
        return depth < DEPTH_MAX ? this.#readGroup(depth + 1) : this.#refuse();
      case '^':
      case '_':
        return this.#readScript(token, depth);
      case '~':
      case ' ':
      case '\n':
        return [{ kind: 'space', text: ' ' }];
      case '-':
        return signs('−');
      case '*':
        return signs('∗');
      default:
        return token.startsWith('\\') ? this.#readCommand(token.slice(1), depth) : signs(token);
    }
  }

  /** A group has no sign of its own, so an exponent or index cannot belong to it unless it is a single sign. */
  #readGroup(depth: number): FormulaPart[] {
    const parts = this.#readUntil('}', depth);
    const hasScript = /^[\^_]$/.test(this.#tokens.findLast((token) => token !== ' ') ?? '');
    return hasScript && parts.filter(({ kind }) => kind !== 'space').length !== 1 ? this.#refuse() : parts;
  }

  #readScript(sign: '^' | '_', depth: number): FormulaPart[] {
    const text = inScript(sign, this.#join(this.#readArgument(depth), true).replaceAll(' ', ''));
    if (text === null) return this.#refuse();
    return [{ kind: sign === '^' ? 'superscript' : 'subscript', text }];
  }

  #readArgument(depth: number): FormulaPart[] {
    while (this.#tokens.at(-1) === ' ') this.#tokens.pop();
    const isGroup = this.#tokens.at(-1) === '{';
    if (!isGroup || depth >= DEPTH_MAX) return this.#readPart(depth);
    this.#tokens.pop();
    return this.#readUntil('}', depth + 1);
  }

  #join(parts: readonly FormulaPart[], isScript: boolean): string {
    const text = joinParts(parts, isScript);
    if (text === null) this.#isSimple = false;
    return text ?? '';
  }

  #replaceEach(text: string, replace: (sign: string) => string | undefined): string {
    const found = Array.from(text, replace);
    if (found.includes(undefined)) this.#isSimple = false;
    return found.join('');
  }

  #readCommand(name: string, depth: number): FormulaPart[] {
    if (NAMES.has(name)) return [{ kind: 'name', text: name.replace('bmod', 'mod') }];
    if (LAYOUT.has(name)) {
      // An invisible bracket.
      if ((name === 'left' || name === 'right') && this.#tokens.at(-1) === '.') this.#tokens.pop();
      return [];
    }
    if (TEXTS.has(name)) return this.#readText(name, depth);
    if (name === 'sqrt') {
      return this.#tokens.at(-1) === '['
        ? this.#refuse()
        : [{ kind: 'root', text: this.#join(this.#readArgument(depth), false) }];
    }
    if (name === 'not') {
      const sign = this.#join(this.#readArgument(depth), true);
      return /^.$/u.test(sign) ? signs((sign + NOT).normalize('NFC')) : this.#refuse();
    }
    if (name === ' ') return [{ kind: 'space', text: ' ' }];
    const sign = OTHERS[name] ?? SIGNS.get(`\\${name}`);
    if (sign !== undefined)
      return sign.trim() === '' && sign !== '\n' ? [{ kind: 'space', text: sign }] : signs(sign);
    if (/^[dt]?frac$/.test(name)) return this.#readFraction(depth);
    // Letters of another kind, or with a mark: `\\mathbb{RN}` and `\\hat{x}`.
    if (this.#tokens.at(-1) !== '{') return this.#refuse();
    const mark = MARKS.get(`\\${name}`);
    const argument = this.#join(this.#readArgument(depth), true).replaceAll(' ', '');
    const text = this.#replaceEach(argument, (each) =>
      mark === undefined ? SIGNS.get(`\\${name}{${each}}`) : each + mark,
    );
    return mark === undefined ? signs(text) : [{ kind: 'marked', text }];
  }

  #readText(name: string, depth: number): FormulaPart[] {
    // The star only moves the text under the name. It is not shown.
    if (name === 'operatorname' && this.#tokens.at(-1) === '*') this.#tokens.pop();
    const parts = this.#readArgument(depth);
    return name === 'operatorname' ? [{ kind: 'name', text: this.#join(parts, false) }] : parts;
  }

  #readFraction(depth: number): FormulaPart[] {
    const upper = writeUpper(this.#join(this.#readArgument(depth), false));
    const parts = this.#readArgument(depth);
    return [{ kind: 'fraction', text: `${upper}/${writeLower(this.#join(parts, false), parts)}` }];
  }
}

function signs(text: string): FormulaPart[] {
  return Array.from(text, (sign) => ({ kind: 'sign', text: sign }));
}
