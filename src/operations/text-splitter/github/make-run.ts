import type { Run } from './inline.ts';

const SPACE = 0;
const PUNCTUATION = 1;
const WORD = 2;
const PUNCTUATION_SIGN = /[\p{P}\p{S}]/u;

function kindOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return SPACE;
  if (unit < 0x80) {
    if (unit <= 0x20) return SPACE;
    const isWord = (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) - 0x61) >>> 0 < 26;
    return isWord ? WORD : PUNCTUATION;
  }
  if (/\s/.test(text.charAt(at))) return SPACE;
  const start = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  return PUNCTUATION_SIGN.test(String.fromCodePoint(text.codePointAt(start) ?? 0)) ? PUNCTUATION : WORD;
}

/** A run of one sign from `at` to `end`, which may open or close a style by what is beside it. */
export function makeRun(text: string, sign: Run['sign'], at: number, end: number): Run {
  const before = kindOf(text, at - 1);
  const after = kindOf(text, end);
  const isLeft = after !== SPACE && (after !== PUNCTUATION || before !== WORD);
  const isRight = before !== SPACE && (before !== PUNCTUATION || after !== WORD);
  const isLine = sign === '_';
  return {
    kind: 'run',
    sign,
    length: end - at,
    canOpen: isLeft && (!isLine || !isRight || before === PUNCTUATION),
    canClose: isRight && (!isLine || !isLeft || after === PUNCTUATION),
    rest: end - at,
    closes: null,
    opens: null,
    isInWord: before === WORD && after === WORD,
  };
}
