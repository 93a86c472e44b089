import { readTime } from './duration.ts';
import { Line } from './line.ts';
import { findSpace } from './token.ts';

/**
 * Finds a time with digits, such as `1h30m`, inside a reason, for users who wonder why it is not the duration. Skips
 * the first word of the reason, because a time there was already read as one or rejected.
 * @param action the verb of the line, or empty
 * @returns it as typed
 */
export function findUnreadTime(reason: string, action: string): string | null {
  const line = new Line(reason);
  const nextWord = (at: number) => line.skipSpaces(findSpace(line.text, at));
  for (let at = nextWord(line.skipSpaces(0)); at < line.length; at = nextWord(at)) {
    const time = line.tokenAt(at).kind === 'digits' ? readTime(line, at, action, false) : null;
    if (time !== null) return line.cut(time);
  }
  return null;
}
