import { BLACKBOARD, SIGN_ESCAPES, SIGNS, SUBSCRIPTS, SUPERSCRIPTS } from './latex-signs.ts';

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
        return this.#readScript(SUPERSCRIPTS, depth);
      case '_':
        return this.#readScript(SUBSCRIPTS, depth);
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

  #readScript(signs: ReadonlyMap<string, string>, depth: number): string | null {
    const text = this.#readArgument(depth);
    if (text === null) return null;
    let script = '';
    for (const sign of text.replaceAll('−', '-').replaceAll(' ', '')) {
      const small = signs.get(sign);
      if (small === undefined) return null;
      script += small;
    }
    return script;
  }

  #readCommand(depth: number): string | null {
    const name = /^[A-Za-z]{1,20}/.exec(this.#source.slice(this.#at, this.#at + 20))?.[0];
    if (name === undefined) {
      const sign = this.#source.charAt(this.#at);
      this.#at += 1;
      return SIGN_ESCAPES.get(sign) ?? null;
    }
    this.#at += name.length;
    const sign = SIGNS.get(name);
    if (sign !== undefined) return sign;
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
      case 'mathbb': {
        const letters = this.#readArgument(depth);
        return letters === null ? null : Array.from(letters, (each) => BLACKBOARD.get(each) ?? each).join('');
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
