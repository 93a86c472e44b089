import { combiningmarks, replacements, subsuperscripts } from 'unicodeit/ts_dist/js/data.js';

/**
 * The signs are those of unicodeit. Its own `replace` looks for each of them in the whole formula, 4 ms for 500
 * characters, and finds `\\l` in `\\log`.
 */
const SIGNS = toMap(replacements);
const SCRIPTS = toMap(subsuperscripts);
const MARKS = toMap(combiningmarks);
const WORD =
  /^(?:sin|cos|tan|cot|log|ln|exp|lim|max|min|sup|inf|det|dim|gcd|deg|arg|mod|bmod|Pr|sinh|cosh|tanh|arcsin|arccos|arctan)$/;
/** What only changes how large or where a part is set. */
const LAYOUT = /^(?:left|right|displaystyle|limits|big|Big|qquad)$/;

function toMap(pairs: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(pairs.map(([command = '', sign = '']) => [command, sign]));
}

export interface Formula {
  readonly end: number;
  /** With its delimiters. */
  readonly source: string;
  /** In Unicode; null when it is not that simple. */
  readonly text: string | null;
}

/** Longer ones are not simple. */
const LENGTH_MAX = 500;
const DEPTH_MAX = 8;

const DELIMITERS = [
  ['$$', '$$'],
  [String.raw`\[`, String.raw`\]`],
  [String.raw`\(`, String.raw`\)`],
  ['$', '$'],
] as const;

/** Reads the formula that begins at `at`; null where none does. */
export function readFormula(text: string, at: number): Formula | null {
  const delimiter = DELIMITERS.find(([start]) => text.startsWith(start, at));
  if (delimiter === undefined) return null;
  const [start, end] = delimiter;
  const from = at + start.length;
  const window = text.slice(from, from + LENGTH_MAX + end.length);
  const length = window.indexOf(end);
  if (length <= 0) return null;
  const body = window.slice(0, length);
  // Prices are no formulas: "$5 and $6".
  if (start === '$' && (/^\s|\s$|\n/.test(body) || /^\d/.test(window.slice(length + 1)))) return null;
  const after = from + length + end.length;
  return { end: after, source: text.slice(at, after), text: formulaText(body) };
}

/** A formula in Unicode; null when there is something in it that Unicode has no signs for. */
export function formulaText(source: string): string | null {
  const converted = new FormulaReader(source).read();
  return converted === null ? null : converted.replaceAll(/ {2,}/g, ' ').trim();
}

class FormulaReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): string | null {
    const text = this.#readUntil('', 0);
    return this.#at < this.#source.length ? null : text;
  }

  #readUntil(end: string, depth: number): string | null {
    let text = '';
    while (this.#at < this.#source.length) {
      const sign = this.#source.charAt(this.#at);
      if (sign === end) break;
      const part = this.#readPart(depth);
      if (part === null) return null;
      text += part;
    }
    return text;
  }

  /** A sign, a command or a group. */
  #readPart(depth: number): string | null {
    const sign = this.#source.charAt(this.#at);
    this.#at += 1;
    switch (sign) {
      case '\\':
        return this.#readCommand(depth);
      case '{':
        return this.#readGroup(depth);
      case '}':
      case '&':
        return null;
      case '^':
        return this.#readScript('^', depth);
      case '_':
        return this.#readScript('_', depth);
      case '~':
      case '\n':
        return ' ';
      case '-':
        return '−';
      default:
        return sign;
    }
  }

  #readGroup(depth: number): string | null {
    if (depth >= DEPTH_MAX) return null;
    const text = this.#readUntil('}', depth + 1);
    if (text === null || this.#source.charAt(this.#at) !== '}') return null;
    this.#at += 1;
    return text;
  }

  #readArgument(depth: number): string | null {
    while (this.#source.charAt(this.#at) === ' ') this.#at += 1;
    return this.#at < this.#source.length ? this.#readPart(depth) : null;
  }

  #readScript(mark: '^' | '_', depth: number): string | null {
    const text = this.#readArgument(depth);
    if (text === null) return null;
    let script = '';
    for (const sign of text.replaceAll('−', '-').replaceAll(' ', '')) {
      const small = SCRIPTS.get(mark + sign);
      if (small === undefined) return null;
      script += small;
    }
    return script;
  }

  /** `\\mathbb{RN}` and `\\hat{x}`: letters of another kind, or with a mark. */
  #readMarked(name: string): string | null {
    const letters = /^\{([^{}\\]{1,20})\}/.exec(this.#source.slice(this.#at, this.#at + 22))?.[1];
    if (letters === undefined) return null;
    const mark = MARKS.get(`\\${name}`);
    const signs = Array.from(letters, (each) =>
      mark === undefined ? SIGNS.get(`\\${name}{${each}}`) : each + mark,
    );
    if (signs.includes(undefined)) return null;
    this.#at += letters.length + 2;
    return signs.join('');
  }

  #readCommand(depth: number): string | null {
    const name = /^[A-Za-z]{1,20}/.exec(this.#source.slice(this.#at, this.#at + 20))?.[0];
    if (name === undefined) {
      const sign = this.#source.charAt(this.#at);
      this.#at += 1;
      if (sign === '!') return '';
      if (sign === ' ') return ' ';
      return sign === '\\' ? '\n' : (SIGNS.get(`\\${sign}`) ?? null);
    }
    this.#at += name.length;
    if (WORD.test(name)) return name.replace('bmod', 'mod');
    if (LAYOUT.test(name)) return '';
    const sign = name === 'dots' ? '…' : SIGNS.get(`\\${name}`);
    if (sign !== undefined) return sign;
    const marked = this.#readMarked(name);
    if (marked !== null) return marked;
    switch (name) {
      case 'frac':
      case 'dfrac':
      case 'tfrac': {
        const top = this.#readArgument(depth);
        const bottom = this.#readArgument(depth);
        return top === null || bottom === null ? null : `${bracket(top)}/${bracket(bottom)}`;
      }
      case 'sqrt': {
        const inner = this.#source.charAt(this.#at) === '[' ? null : this.#readArgument(depth);
        return inner === null ? null : `√${bracket(inner)}`;
      }
      case 'text':
      case 'mathrm':
      case 'mathit':
      case 'mathbf':
      case 'operatorname':
      case 'boxed':
        return this.#readArgument(depth);
      default:
        return null;
    }
  }
}

/** In brackets where it is more than one number or name. */
function bracket(text: string): string {
  return /^(?:[\p{L}\p{N}]+|.)$/u.test(text) ? text : `(${text})`;
}
