import { readDurationAfterIn } from './duration.ts';
import { FlagReader } from './flags.ts';
import type { Line } from './line.ts';
import { canLast, isRoleCommand, isRoleWord } from './moderation-verbs.ts';
import { readTime } from './read-time.ts';
import { readTarget, readTargets } from './target.ts';
import { isBlankOrEndAt } from './token.ts';

/** What a command is to do, or with whom: `!remind me`, `!raffle start`. */
const HEAD_WORDS = new Set(
  `me set start extend all create new add on off open close instant channel member user guild server`.split(
    ' ',
  ),
);

/**
 * The end of the words at `at` that do not belong to the reason, or `at`: `!role add @user @role`, `!remind me in 1
 * hour`.
 * @param command null for the text after a command, without the command
 * @param action the verb of the line; empty when it has none
 */
export function skipHeadWords(line: Line, at: number, command: string | null, action: string): number {
  const end = skipRoleWord(line, at, command);
  const word = readWord(line, end);
  if (word === null || !HEAD_WORDS.has(word.value)) return end;
  return isBeforeArgument(line, word.end, action) ? word.end : end;
}

function skipRoleWord(line: Line, at: number, command: string | null): number {
  const word = readWord(line, at);
  if (word === null || !isRoleWord(word.value)) return at;
  if (command !== null) return isRoleCommand(command) ? word.end : at;
  // Without the command, only a role among the targets shows it.
  const targets = readTargets(line, line.skipBlanks(word.end));
  return targets.some(({ kind }) => kind === 'role') ? word.end : at;
}

/** The whole word after `at` and blanks. */
function readWord(line: Line, at: number) {
  const word = line.tokenAt(line.skipBlanks(at));
  const isWhole = isBlankOrEndAt(line.text, word.end) || line.text.charAt(word.end) === '<';
  return word.kind === 'word' && isWhole ? word : null;
}

/** A target or a time; of lengths only those in digits, as "set a week of rules" is a text. */
function isBeforeArgument(line: Line, at: number, action: string): boolean {
  const start = line.skipBlanks(new FlagReader(line).readFrom(at));
  if (readTarget(line, start, true) !== null) return true;
  const time = readTime(line, start, action, false) ?? readDurationAfterIn(line, start);
  if (time === null) return false;
  if (time.kind === 'permanent') return canLast(action);
  return time.kind === 'timestamp' || BEGINS_WITH_NUMBER.test(line.text.slice(time.start, time.start + 1));
}

const BEGINS_WITH_NUMBER = /^[\d.½¼¾]/;
