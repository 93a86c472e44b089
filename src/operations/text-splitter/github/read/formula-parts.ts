/** A part of a formula in Unicode. Its neighbours decide how it is written. */
export interface FormulaPart {
  readonly kind: 'sign' | 'space' | 'name' | 'fraction' | 'root' | 'marked' | 'superscript' | 'subscript';
  /** For a root, what is under it. */
  readonly text: string;
}

/** A fraction next to one of these needs no brackets, because they separate what is on either side. */
const PARTING = /^[\p{Sm}\p{So}*,;:·]$/u;
/** These do not separate: they belong to what comes after them, or before them. */
const CLINGING = /^[|‖∑∏∐∫∬∭∮∂∇√∞¬÷]$/u;
const OPENING = /^[([{⟨⌈⌊]$/u;
const CLOSING = /^[)\]}⟩⌉⌋]$/u;
const WORD = /[\p{L}\p{N}\p{M}]$/u;
const ONE_SIGN = /^(?:\d+|.)$/u;

/**
 * Writes the parts of a formula on one line, so that it cannot be mistaken for another formula: two parts that would
 * run together get brackets or a blank between them.
 * @param isScript in an exponent or an index, which have no blanks
 * @returns null when it cannot be written unambiguously
 */
export function joinParts(parts: readonly FormulaPart[], isScript: boolean): string | null {
  const shown = parts.filter(({ kind }) => kind !== 'space');
  let text = '';
  let index = -1;
  for (const part of parts) {
    if (part.kind === 'space') {
      text += ' ';
      continue;
    }
    index += 1;
    const before = shown[index - 1];
    const after = shown[index + 1];
    if (isScriptPart(part)) {
      if (hasSameScript(shown, index)) return null;
      text = text.trimEnd() + part.text;
      continue;
    }
    const needsBlank = before !== undefined && runTogether(before, shown[index - 2], part);
    const written = writePart(part, before, after, shown[index + 2]);
    if (isScript && (needsBlank || written.includes(' '))) return null;
    text += needsBlank && !text.endsWith(' ') ? ` ${written}` : written;
  }
  return text.replaceAll(/ {2,}/g, ' ').trim();
}

function writePart(
  part: FormulaPart,
  before: FormulaPart | undefined,
  after: FormulaPart | undefined,
  next: FormulaPart | undefined,
): string {
  const { kind, text } = part;
  if (kind === 'root') {
    const goesOn = after !== undefined && (isScriptPart(after) || /^\d/.test(after.text));
    return `√${ONE_SIGN.test(text) && !goesOn ? text : `(${text})`}`;
  }
  if (kind !== 'fraction') return text;
  const isFirst = before === undefined || isParting(before) || OPENING.test(before.text);
  const isEnd = after === undefined || isParting(after) || CLOSING.test(after.text);
  // The full stop of the sentence.
  const isLast = isEnd || (after.text === '.' && next === undefined);
  if (!isFirst || !isLast) return `(${text})`;
  // When the author's brackets hold nothing but a fraction, they must not look like ours.
  return before?.text === '(' && after?.text === ')' ? ` ${text} ` : text;
}

function isScriptPart({ kind }: FormulaPart): boolean {
  return kind === 'superscript' || kind === 'subscript';
}

/** Two exponents or indexes of one part would be read as one. */
function hasSameScript(parts: readonly FormulaPart[], index: number): boolean {
  for (let at = index - 1; at >= 0; at -= 1) {
    const part = parts[at];
    if (part === undefined || !isScriptPart(part)) return false;
    if (part.kind === parts[index]?.kind) return true;
  }
  return false;
}

function isParting({ kind, text }: FormulaPart): boolean {
  return kind === 'sign' && PARTING.test(text) && !CLINGING.test(text);
}

/** True when a blank must be between two parts: names are not products, and 5½ is not 51/2. */
function runTogether(before: FormulaPart, earlier: FormulaPart | undefined, part: FormulaPart): boolean {
  const isWord = part.kind === 'root' || (part.kind !== 'fraction' && WORD.test(part.text));
  if (before.kind === 'name') return isWord || part.kind === 'fraction';
  if (isScriptPart(before) && earlier?.kind === 'name') return isWord || part.kind === 'fraction';
  const isEnd = before.kind !== 'sign' || WORD.test(before.text) || CLOSING.test(before.text);
  if (part.kind === 'name' || part.kind === 'fraction') return isEnd;
  return part.kind === 'marked' && before.kind === 'marked';
}

/** The upper part of a fraction: signs that are multiplied need no brackets, since the whole fraction has them. */
export function writeUpper(text: string): string {
  return /^(?:[\p{L}\p{N}\p{M}]+|.)$/u.test(text) ? text : `(${text})`;
}

/** The lower part of a fraction: one sign, a whole number or a root, or it has brackets. */
export function writeLower(text: string, parts: readonly FormulaPart[]): string {
  const isRoot = parts.length === 1 && parts[0]?.kind === 'root';
  return isRoot || ONE_SIGN.test(text) ? text : `(${text})`;
}
