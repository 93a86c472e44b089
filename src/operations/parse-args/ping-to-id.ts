import { isDigit } from './characters.ts';
import { makeShadow } from './shadow-text.ts';

const ID_DIGITS_MAX = 20;
const SNOWFLAKE_DIGITS_MIN = 17;

/**
 * The text with each user mention replaced by its bare id, also where that makes a new mention (`<@<@1>>`). Two ids
 * that would touch get a blank between them.
 */
export function replaceMentions(text: string): string {
  const shadow = makeShadow(text, null);
  const { string } = shadow.text;
  if (!string.includes('<@')) return text;
  // One entry per visible unit, with the invisible characters before it.
  const pieces: string[] = [];
  const visible: string[] = [];
  let taken = 0;
  // Where the last id ends in `visible`.
  let idEnd = -1;
  for (let at = 0; at < string.length; at += 1) {
    const unit = string.charAt(at);
    const behind = (shadow.offsets?.[at] ?? at) + 1;
    const id = unit === '>' ? takeMention(pieces, visible) : null;
    if (id === null) {
      pieces.push(text.slice(taken, behind));
      visible.push(unit);
    } else {
      const touchesBefore = idEnd === visible.length || endsInSnowflake(visible);
      const digits = `${touchesBefore ? ' ' : ''}${id}${beginsWithSnowflake(string, at + 1) ? ' ' : ''}`;
      for (const digit of digits) {
        pieces.push(digit);
        visible.push(digit);
      }
      idEnd = visible.length;
    }
    taken = behind;
  }
  return pieces.join('') + text.slice(taken);
}

function endsInSnowflake(visible: readonly string[]): boolean {
  let digits = 0;
  while (digits < SNOWFLAKE_DIGITS_MIN && isDigit((visible[visible.length - 1 - digits] ?? '').charCodeAt(0)))
    digits += 1;
  return digits === SNOWFLAKE_DIGITS_MIN;
}

function beginsWithSnowflake(text: string, at: number): boolean {
  let digits = 0;
  while (digits < SNOWFLAKE_DIGITS_MIN && isDigit(text.charCodeAt(at + digits))) digits += 1;
  return digits === SNOWFLAKE_DIGITS_MIN;
}

/** Removes `<@123` or `<@!123` from the end of both lists; its id, or null when they end otherwise. */
function takeMention(pieces: string[], visible: string[]): string | null {
  let at = visible.length;
  while (at > 0 && visible.length - at < ID_DIGITS_MAX && isDigit((visible[at - 1] ?? '').charCodeAt(0)))
    at -= 1;
  if (at === visible.length) return null;
  const id = visible.slice(at).join('');
  if (visible[at - 1] === '!') at -= 1;
  if (visible[at - 1] !== '@' || visible[at - 2] !== '<') return null;
  pieces.length = at - 2;
  visible.length = at - 2;
  return id;
}
