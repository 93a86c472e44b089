const CURLY = new Set('“”„‟‘’‚‛«»＂');
/** The start of a value or a name may follow one of these. */
const BEFORE_STRING = new Set('{[,:');
const AFTER_STRING = /^\s*[:,}\]]/;
const BLANK = /\s/;
/** How far to look ahead from a quote. */
const AHEAD_LENGTH = 20;

/**
 * True when a text would be JSON if its quotes were straight: a curly quote begins a name or a value, or ends a string
 * that has no other end. Curly quotes inside strings are plain text.
 * @param text is not valid JSON
 */
export function breaksByCurlyQuotes(text: string): boolean {
  let isInString = false;
  let endsCurly = false;
  let last = '[';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
      else if (CURLY.has(character))
        endsCurly ||= AFTER_STRING.test(text.slice(at + 1, at + 1 + AHEAD_LENGTH));
    } else if (character === '"') {
      isInString = true;
      endsCurly = false;
      last = character;
    } else if (CURLY.has(character) && BEFORE_STRING.has(last)) {
      return true;
    } else if (!BLANK.test(character)) {
      last = character;
    }
  }
  return isInString && endsCurly;
}
