import { readDurationIfMeant } from './duration.ts';
import { Line } from './line.ts';
import { findSpace } from './token.ts';

/**
 * Finds a duration with digits, such as `1h30m`, inside a reason, for users who wonder why it is not the duration. Skips
 * the first word of the reason, because a duration there was already read as one or rejected.
 * @param action the verb of the line, or empty
 * @returns it as typed
 */
export function findDurationInReason(reason: string, action: string): string | null {
  const line = new Line(reason);
  const nextWord = (at: number) => line.skipSpaces(findSpace(line.text, at));
  for (let at = nextWord(line.skipSpaces(0)); at < line.length; at = nextWord(at)) {
    const found = line.tokenAt(at).kind === 'digits' ? readDurationIfMeant(line, at, action, false) : null;
    if (found !== null) return line.cut(found);
  }
  return null;
}
