import { combiningmarks, replacements, subsuperscripts } from 'unicodeit/ts_dist/js/data.js';

/**
 * The signs are those of unicodeit. Its own `replace` searches the whole formula for each of them, 4 ms for 500
 * characters, and finds `\\l` in `\\log`.
 */
const SIGNS = toMap(replacements.filter(([, sign]) => !isMark(sign)));
const SCRIPTS = toMap([...subsuperscripts, ['^∘', '°']]);
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
const TEXTS = new Set(['text', 'mathrm', 'mathit', 'mathbf', 'operatorname', 'boxed']);
const OTHERS: Readonly<Record<string, string>> = { ' ': ' ', '\\': '\n', dots: '…' };

function isMark(sign = ''): boolean {
  return /^\p{M}/u.test(sign);
}

function toMap(pairs: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(pairs.map(([command = '', sign = '']) => [command, sign]));
}

export interface Formula {
  readonly end: number;
  /** With its delimiters. */
  readonly source: string;
  /** In Unicode; null when the formula is not that simple. */
  readonly text: string | null;
}

/** A longer formula is not simple. */
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
  return { end: after, source: text.slice(at, after), text: formulaText(body) };
}

/** A formula in Unicode; null when it is long, or contains something that Unicode has no sign for. */
export function formulaText(source: string): string | null {
  if (source.length > LENGTH_MAX) return null;
  const text = new FormulaReader(source).read();
  return text === null ? null : text.replaceAll(/ {2,}/g, ' ').trim();
}

class FormulaReader {
  /** Commands and single signs, the first one last. */
  readonly #tokens: string[];
  #isSimple = true;

  constructor(source: string) {
    this.#tokens = (source.match(/\\(?:[A-Za-z]{1,20}|[^])|[^]/gu) ?? []).reverse();
  }

  read(): string | null {
    const text = this.#readUntil(undefined, 0);
    return this.#isSimple ? text : null;
  }

  /** @param end undefined for the end of the formula */
  #readUntil(end: string | undefined, depth: number): string {
    let text = '';
    while (this.#isSimple && this.#tokens.at(-1) !== end) text += this.#readPart(depth);
    this.#tokens.pop();
    return text;
  }

  #refuse(): string {
    this.#isSimple = false;
    return '';
  }

  /** A sign, a command with its arguments, or a group. */
  #readPart(depth: number): string {
    const token = this.#tokens.pop();
    switch (token) {
      case undefined:
      case '\\':
      case '}':
      case '&':
        return this.#refuse();
      case '{':
        return depth < DEPTH_MAX ? this.#readUntil('}', depth + 1) : this.#refuse();
      case '^':
      case '_':
        return this.#replaceEach(this.#readArgument(depth).replaceAll(' ', ''), (sign) =>
          SCRIPTS.get(token + sign.replace('−', '-')),
        );
      case '~':
      case '\n':
        return ' ';
      case '-':
        return '−';
      default:
        return token.startsWith('\\') ? this.#readCommand(token.slice(1), depth) : token;
    }
  }

  #readArgument(depth: number): string {
    while (this.#tokens.at(-1) === ' ') this.#tokens.pop();
    return this.#readPart(depth);
  }

  #replaceEach(text: string, replace: (sign: string) => string | undefined): string {
    const signs = Array.from(text, replace);
    return signs.includes(undefined) ? this.#refuse() : signs.join('');
  }

  #readCommand(name: string, depth: number): string {
    if (NAMES.has(name)) return name.replace('bmod', 'mod');
    if (LAYOUT.has(name)) return '';
    if (TEXTS.has(name)) {
      // The star only moves the text under the name. It is not shown.
      if (name === 'operatorname' && this.#tokens.at(-1) === '*') this.#tokens.pop();
      return this.#readArgument(depth);
    }
    if (name === 'sqrt') {
      return this.#tokens.at(-1) === '[' ? this.#refuse() : `√${bracket(this.#readArgument(depth))}`;
    }
    if (name === 'not') {
      const sign = this.#readArgument(depth);
      return /^.$/u.test(sign) ? (sign + NOT).normalize('NFC') : this.#refuse();
    }
    const sign = OTHERS[name] ?? SIGNS.get(`\\${name}`);
    if (sign !== undefined) return sign;
    if (/^[dt]?frac$/.test(name)) {
      const top = bracket(this.#readArgument(depth));
      return `${top}/${bracket(this.#readArgument(depth))}`;
    }
    // Letters of another kind, or with a mark: `\\mathbb{RN}` and `\\hat{x}`.
    if (this.#tokens.at(-1) !== '{') return this.#refuse();
    const mark = MARKS.get(`\\${name}`);
    return this.#replaceEach(this.#readArgument(depth), (each) =>
      mark === undefined ? SIGNS.get(`\\${name}{${each}}`) : each + mark,
    );
  }
}

/** Adds brackets around anything but a single number or name. */
function bracket(text: string): string {
  return /^(?:[\p{L}\p{N}]+|.)$/u.test(text) ? text : `(${text})`;
}
