import { combiningmarks, replacements, subsuperscripts } from 'unicodeit/ts_dist/js/data.js';

/**
 * The characters come from unicodeit. Its own `replace` searches the whole formula for each character, which takes 4 ms
 * for 500 characters, and finds `\\l` in `\\log`.
 */
const SYMBOLS = toMap(replacements.filter(([, char]) => !isMark(char)));
const SCRIPTS = toMap([...subsuperscripts, ['^∘', '°'], ['^′', '′'], ['^V', 'ⱽ']]);
/** Combining marks. Each letter of the argument gets one. */
const MARKS = toMap([...combiningmarks, ...replacements.filter(([, char]) => isMark(char))]);
const NAMES = new Set(
  (
    'sin cos tan cot sinh cosh tanh arcsin arccos arctan log ln exp lim max min sup inf det dim gcd deg arg mod bmod ' +
    'Pr'
  ).split(' '),
);
/** Commands that only change the size or place of a part. */
const LAYOUT_COMMANDS = new Set(['left', 'right', 'displaystyle', 'limits', 'big', 'Big', '!']);
/** Commands that show their argument as it is. */
const TEXT_COMMANDS = new Set(['text', 'mathrm', 'mathit', 'operatorname', 'boxed']);

function isMark(char = ''): boolean {
  return /^\p{M}/u.test(char);
}

function toMap(pairs: readonly (readonly string[])[]): ReadonlyMap<string, string> {
  return new Map(pairs.map(([command = '', char = '']) => [command, char]));
}

/** Returns a text as an exponent or an index in Unicode, or null when one of its characters has no such form. */
export function inScript(char: '^' | '_', text: string): string | null {
  const found = Array.from(text, (each) => SCRIPTS.get(char + each.replace('−', '-').replace('∗', '*')));
  return found.includes(undefined) ? null : found.join('');
}

export interface Formula {
  readonly end: number;
  /** The source, with its delimiters. */
  readonly source: string;
  /** In Unicode, or null when the formula is too complex for that. */
  readonly text: string | null;
}

/** Longer formulas count as too complex. */
const LENGTH_MAX = 500;
/** Braces inside each other. */
const DEPTH_MAX = 8;

const DELIMITERS = [
  ['$$', '$$'],
  [String.raw`\[`, String.raw`\]`],
  [String.raw`\(`, String.raw`\)`],
  ['$', '$'],
] as const;

/** Reads the formula at `at`. Returns null for other text. */
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
 * Returns a formula in Unicode, or null when it is long, or contains something that Unicode cannot express
 * unambiguously.
 * @param touches whether there are letters or digits right before it, and right after it
 */
export function formulaText(
  source: string,
  touches: { readonly before: boolean; readonly after: boolean } = { before: false, after: false },
): string | null {
  if (source.length > LENGTH_MAX || /[\ue000-\uf8ff]/.test(source)) return null;
  // A placeholder for the neighbouring letter of the prose, removed again below.
  const [before, after] = [touches.before ? 'x' : '', touches.after ? 'x' : ''];
  let text = before + source.replaceAll(/\s+/g, ' ').replaceAll(COMMAND, writeCommand) + after;
  for (let depth = 0; depth < DEPTH_MAX && ARGUMENT.test(text); depth += 1) text = readArguments(text);
  if (/[\\{}^_&]/.test(text) || SAME_SCRIPTS.test(text)) return null;
  for (let last = ''; last !== text;) [last, text] = [text, text.replaceAll(PARTS, writePart)];
  text = text
    .replaceAll(NAME, writeName)
    .replaceAll(/\ue008(?=\P{M}\p{M})/gu, ' ')
    .replaceAll(PRIVATE_USE, (char) => BRACES[char] ?? '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return text.slice(before.length, text.length - after.length);
}

/**
 * Private characters that mark parts until all text around them is known: a fraction \ue000…\ue001…\ue002, a root
 * \ue003…\ue004, a name \ue005…\ue007, an exponent \ue006…\ue007 and an index \ue009…\ue007, the end \ue008 of letters
 * with marks, braces \ue00a and \ue00b that are shown.
 */
const PRIVATE_USE = /[\ue000-\uf8ff]/g;
const BRACES: Readonly<Record<string, string>> = { '\ue00a': '{', '\ue00b': '}' };
const COMMAND = /\\(?:left|right)\.|\\(?:([A-Za-z]{1,20})|([^]))|[-*~]/gu;
/** The beginning of an argument or of a group, from the innermost. */
const ARGUMENT = /[\\{}^_]/;
const FRACTION = /\\[dt]?frac {0,2}(?:\{([^{}]*)\}|([^{}\\\s])) {0,2}(?:\{([^{}]*)\}|([^{}\\\s]))/gu;
const WITH_NAME = /\\((?![dt]?frac)[A-Za-z]{1,20}) {0,2}∗?(?:\{([^{}]*)\}|([^{}\\\s[]))/gu;
const SCRIPT = /([\^_]) {0,2}(?:\{([^{}]*)\}|([^{}\\\s]))/gu;
/** The second argument of a fraction may be after the brace of the first. */
const GROUP =
  /(?<![\\^_}] {0,2}|\\[a-z]{1,20} {0,2}∗?)\{(?:([^{}]*)\}(?! {0,2}[\^_\ue006\ue009])|([^{}\\\s])\})/giu;
const SAME_SCRIPTS =
  /\ue006[^\ue000-\ue009]*\ue007 ?(?:\ue009[^\ue000-\ue009]*\ue007 ?)?\ue006|\ue009[^\ue000-\ue009]*\ue007 ?(?:\ue006[^\ue000-\ue009]*\ue007 ?)?\ue009/;
const PARTS = /\ue000([^\ue000-\ue004]*)\ue001([^\ue000-\ue004]*)\ue002|\ue003([^\ue000-\ue004]*)\ue004/g;
const NAME = /\ue005([^\ue000-\ue009]*)\ue007((?: ?[\ue006\ue009][^\ue000-\ue009]*\ue007)*)/g;
/** A fraction next to one of these needs no brackets, because they separate it from its neighbours. */
const SEPARATING = /^(?![|‖∑∏∐∫∬∭∮∂∇√∞¬÷])[\p{Sm}\p{So}*,;:·]$/u;
const STARTS = /^[([⟨⌈⌊\ue000\ue001\ue003\ue00a]?$/;
const ENDS = /^[)\]⟩⌉⌋\ue001\ue002\ue004\ue00b]?$/;
/** A word, a bracket or a part that ends here. */
const CLOSED = /[\p{L}\p{N}\p{M})\]⟩⌉⌋\ue002\ue004\ue007\ue008\ue00b]$/u;
const OPENED = /^[\p{L}\p{N}\ue000\ue003\ue005√]/u;
const OPERATORS = new Map([
  ['-', '−'],
  ['*', '∗'],
]);
const ONE_CHAR = /^(?:\d+|[^\ue000-\uf8ff])$/u;

/** Writes commands without an argument as characters. `readArguments` reads the others. */
function writeCommand(whole: string, name = '', char = ''): string {
  if (!whole.startsWith('\\')) return OPERATORS.get(whole) ?? ' ';
  if (NAMES.has(name)) return `\ue005${name.replace('bmod', 'mod')}\ue007`;
  if (LAYOUT_COMMANDS.has(name) || whole.endsWith('.')) return '';
  if (char === '{' || char === '}') return char === '{' ? '\ue00a' : '\ue00b';
  if (char === ' ' || char === '\\') return char === ' ' ? ' ' : '\n';
  if (name === 'dots') return '…';
  const shown = name === 'sqrt' ? undefined : SYMBOLS.get(whole);
  if (shown === undefined) return `${whole} `;
  return shown.trim() === '' ? ' ' : shown;
}

/** Reads the innermost arguments. One that cannot be read stays in the text, so that `formulaText` returns null. */
function readArguments(text: string): string {
  return text
    .replaceAll(
      FRACTION,
      (_whole, upper, one, lower, other) => `\ue000${upper ?? one}\ue001${lower ?? other}\ue002`,
    )
    .replaceAll(WITH_NAME, (whole, name: string, inner: string | undefined, one = '') => {
      const argument = inner ?? one;
      if (name === 'sqrt') return `\ue003${argument}\ue004`;
      if (name === 'operatorname') return `\ue005${argument}\ue007`;
      return TEXT_COMMANDS.has(name) ? argument : (writeLetters(name, argument.replaceAll(' ', '')) ?? whole);
    })
    .replaceAll(SCRIPT, (whole, char: '^' | '_', inner: string | undefined, one: string) => {
      const script = inScript(char, (inner ?? one).replaceAll(' ', ''));
      return script === null ? whole : `${char === '^' ? '\ue006' : '\ue009'}${script}\ue007`;
    })
    .replaceAll(GROUP, '$1$2');
}

/**
 * Writes letters of another kind, or with a mark each: `\mathbb{RN}` and `\hat{x}`. Returns null for letters without
 * such a form.
 */
function writeLetters(name: string, letters: string): string | null {
  const mark = MARKS.get(`\\${name}`);
  const cannotTakeLetters =
    /[\ue000-\uf8ff]/.test(letters) || (name === 'not' && Array.from(letters).length !== 1);
  if (cannotTakeLetters) return null;
  if (mark !== undefined)
    return (
      Array.from(letters, (each) => (name === 'not' ? (each + mark).normalize() : each + mark)).join('') +
      '\ue008'
    );
  const chars = Array.from(letters, (each) => SYMBOLS.get(`\\${name}{${each}}`));
  return chars.includes(undefined) ? null : chars.join('');
}

/** A fraction or a root, in brackets where it would join its neighbours. */
function writePart(
  whole: string,
  upper: string | undefined,
  lower = '',
  root = '',
  at = 0,
  text = '',
): string {
  const before = text.slice(0, at).trimEnd().slice(-1);
  const rest = text.slice(at + whole.length).trimStart();
  const after = rest === '.' ? '' : rest.slice(0, 1);
  if (upper === undefined) return /^[\d\ue006\ue009]/.test(after) ? `√(${root})` : `√${inBrackets(root)}`;
  const fraction = `${inBrackets(upper)}/${inBrackets(lower)}`;
  const isFirst = STARTS.test(before) || SEPARATING.test(before);
  const isLast = ENDS.test(after) || SEPARATING.test(after);
  if (!isFirst || !isLast) return `${CLOSED.test(before) ? ' ' : ''}(${fraction})`;
  // When the author's brackets hold only a fraction, they must not look like ours.
  return before === '(' && after === ')' ? ` ${fraction} ` : fraction;
}

function inBrackets(part: string): string {
  return ONE_CHAR.test(part) ? part : `(${part})`;
}

/** Writes the name of a function with spaces, because without them it would look like a product. */
function writeName(whole: string, name: string, scripts: string, at: number, text: string): string {
  const before = CLOSED.test(text.slice(0, at)) ? ' ' : '';
  return before + name + scripts + (OPENED.test(text.slice(at + whole.length)) ? ' ' : '');
}
