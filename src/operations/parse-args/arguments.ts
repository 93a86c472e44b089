import { skipFillerWords, type Command } from './command.ts';
import { readDurationAfterIn, readDurationIfMeant, type Duration } from './duration.ts';
import { FlagReader, type Flag } from './flags.ts';
import type { Line, Range } from './line.ts';
import { isMoneyCommand } from './moderation-verbs.ts';
import { skipAttachedSeparator, skipSeparator } from './separator.ts';
import { findMention, isUser, readTarget, readTargets, type Target } from './target.ts';
import { PREPOSITIONS } from './time-words.ts';
import { isSpaceAt } from './token.ts';

/** The arguments of a command, read from left to right. */
export interface Arguments {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** The rest. A mention inside the reason makes it two ranges. */
  readonly reasonRanges: readonly Range[];
  readonly flags: readonly Flag[];
}

interface ParserState {
  readonly line: Line;
  readonly flags: FlagReader;
  /** The verb of the line; empty without one, or if it should not count. */
  readonly action: string;
}

/**
 * Reads what follows the command: first targets, flags and one duration before or after a target, then the reason.
 * Without a target before the reason, the first mention in the text is the target.
 */
export function readArguments(line: Line, beginning: Command, argsOnly: boolean): Arguments {
  const action = beginning.subcommand ?? beginning.command ?? '';
  if (isMoneyCommand(action)) {
    // Money goes to users, not to a role or a channel: "!give @user 30m @role".
    const found = readParts(line, beginning, argsOnly, '');
    if (!found.targets.every(isUser)) return found;
  }
  return readParts(line, beginning, argsOnly, action);
}

function readParts(line: Line, { command, end }: Command, argsOnly: boolean, action: string): Arguments {
  const flags = new FlagReader(line);
  const state = { line, flags, action };
  // Without a command, a line begins with a user, or is a text that may contain a mention.
  const isAfterCommand = argsOnly || command !== null;
  const fillersEnd = isAfterCommand ? skipFillerWords(line, end, command, action) : end;
  // Read flags first. Phones turn the `--` of a flag into a long dash, which is also a separator.
  const flagsEnd = flags.readFrom(fillersEnd);
  const textStart =
    flagsEnd > fillersEnd ? flagsEnd : flags.readFrom(skipAttachedSeparator(line, fillersEnd, false));
  const start = skipSeparator(line, textStart);
  const targets = readTargets(line, start);
  const [first] = targets;
  if (first !== undefined && (isAfterCommand || isUser(first)))
    return withReason(state, readLeadingArguments(state, targets, null));
  const durationBefore =
    readDurationIfMeant(line, start, action, false) ??
    (isAfterCommand ? readDurationAfterIn(line, start, action) : null);
  if (durationBefore === null) return readTextWithMention(state, textStart, null);
  const durationFirst = readLeadingArguments(state, [], durationBefore);
  if (durationFirst.targets.length > 0) return withReason(state, durationFirst);
  return isAfterCommand
    ? readTextWithMention(state, durationFirst.end, durationBefore)
    : readTextWithMention(state, textStart, null);
}

interface LeadingArguments {
  readonly targets: readonly Target[];
  readonly duration: Duration | null;
  /** The start of the reason. */
  readonly end: number;
}

/**
 * Continues after the first targets or the duration. Roles and channels may follow up to the reason, but users are
 * read only once.
 */
function readLeadingArguments(
  state: ParserState,
  first: readonly Target[],
  durationBefore: Duration | null,
): LeadingArguments {
  const { line, flags, action } = state;
  const targets = [...first];
  let duration = durationBefore;
  let end = durationBefore === null ? endOf(first) : durationBefore.next;
  let isAfterDuration = durationBefore !== null;
  for (;;) {
    const flagsEnd = flags.readFrom(end);
    const next = skipSeparator(line, flagsEnd, isAfterDuration && flagsEnd === end);
    const moreFlagsEnd = flags.readFrom(next);
    if (moreFlagsEnd > next) {
      end = moreFlagsEnd;
      continue;
    }
    const found = duration === null ? readDurationIfMeant(line, next, action, true) : null;
    if (found === null) {
      const moreTargets = readTargets(line, next, !targets.some(isUser));
      const more =
        moreTargets.length === 0 && duration === null ? readChannelPhrase(state, next) : moreTargets;
      if (more.length === 0) return { targets, duration, end: next };
      targets.push(...more);
      end = endOf(more);
    } else {
      duration = found;
      end = found.next;
    }
    isAfterDuration = found !== null;
  }
}

function endOf(targets: readonly Target[]): number {
  return targets[targets.length - 1]?.end ?? 0;
}

function withReason({ flags }: ParserState, { targets, duration, end }: LeadingArguments): Arguments {
  return {
    targets,
    duration,
    reasonRanges: [{ start: end, end: flags.readTrailing(end) }],
    flags: flags.flags,
  };
}

/** Reads a channel with its preposition, if a duration follows: "in #general 10m". Otherwise it belongs to the reason. */
function readChannelPhrase(state: ParserState, at: number): Target[] {
  const { line, action } = state;
  const word = line.tokenAt(at);
  if (!PREPOSITIONS.has(word.value) || !isSpaceAt(line.text, word.end)) return [];
  const channel = readTarget(line, line.skipSpaces(word.end), false);
  if (channel?.kind !== 'channel') return [];
  return readDurationIfMeant(line, skipSeparator(line, channel.end), action, true) === null ? [] : [channel];
}

/** Reads a duration between a number and the mention. In "12 5m @user" the number identifies a reminder. */
function findNumberedDuration(state: ParserState, start: number, mention: Range) {
  const { line, action } = state;
  const number = line.tokenAt(line.text.charAt(start) === '#' ? start + 1 : start);
  if (number.kind !== 'digits' || !isSpaceAt(line.text, number.end)) return null;
  const duration = readDurationIfMeant(line, line.skipSpaces(number.end), action, false);
  const isBeforeMention = duration !== null && skipSeparator(line, duration.next, true) === mention.start;
  return isBeforeMention ? { duration, numberEnd: number.end } : null;
}

/** Reads a text that may contain a mention, with a duration after it. */
function readTextWithMention(state: ParserState, start: number, durationBefore: Duration | null): Arguments {
  const { line, flags, action } = state;
  const end = flags.readTrailing(start);
  const mention = findMention(line, start);
  if (mention === null || mention.end > end)
    return { targets: [], duration: durationBefore, reasonRanges: [{ start, end }], flags: flags.flags };
  const afterMention = skipSeparator(line, mention.end);
  const numbered =
    durationBefore === null ? findNumberedDuration(state, line.skipSpaces(start), mention) : null;
  const durationAfter =
    durationBefore === null && numbered === null
      ? readDurationIfMeant(line, afterMention, action, true)
      : null;
  const restStart = durationAfter === null ? afterMention : skipSeparator(line, durationAfter.next, true);
  return {
    targets: [mention],
    duration: durationBefore ?? numbered?.duration ?? durationAfter,
    reasonRanges: [
      { start, end: numbered?.numberEnd ?? mention.start },
      { start: restStart, end },
    ],
    flags: flags.flags,
  };
}
