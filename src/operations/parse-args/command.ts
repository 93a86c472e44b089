import { readDuration, readDurationAfterIn, readDurationIfMeant } from './duration.ts';
import { FlagReader } from './flags.ts';
import type { Line, Range } from './line.ts';
import { hasLastingEffect, isModerationVerb, isRoleCommand, isRoleWord } from './moderation-verbs.ts';
import { skipSeparator } from './separator.ts';
import { readTarget, readTargets } from './target.ts';
import { isSpaceOrEndAt, isWordAt, matchEnd, skipSentencePunctuation } from './token.ts';

export interface Command {
  readonly prefix: Range | null;
  /** Lower case. null when the line does not begin with a command. */
  readonly command: string | null;
  readonly subcommand: string | null;
  /** Where the arguments begin: after the command, before a separate subcommand. */
  readonly argumentsStart: number;
  /** After the subcommand. */
  readonly end: number;
}

const COMMAND = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*/uy;

/**
 * Reads prefix, command and subcommand from the beginning of a line.
 * @param argsOnly the builder omits prefix and command
 */
export function readCommand(line: Line, argsOnly: boolean): Command {
  const start = line.skipSpaces(0);
  if (argsOnly) return readSubcommandAlone(line, start);
  if (beginsWithArgument(line, start)) return withoutCommand(start);
  const slash = line.text.startsWith('</', start) ? readSlashMention(line, start) : null;
  if (slash !== null) return slash;
  const prefixEnd =
    readMentionPrefix(line, start) ?? readSymbolPrefix(line, start) ?? readWordPrefix(line, start) ?? start;
  const commandStart = line.skipSpaces(prefixEnd);
  const commandEnd = matchEnd(COMMAND, line.text, commandStart);
  if (commandEnd === commandStart) return withoutCommand(start);
  const command = line.text.slice(commandStart, commandEnd).toLowerCase();
  const verb = isModerationVerb(command) ? null : readVerb(line, commandEnd);
  return {
    prefix: prefixEnd === start ? null : { start, end: prefixEnd },
    command,
    subcommand: verb?.name ?? null,
    argumentsStart: commandEnd,
    end: verb?.end ?? commandEnd,
  };
}

function withoutCommand(start: number): Command {
  return { prefix: null, command: null, subcommand: null, argumentsStart: start, end: start };
}

/**
 * Without a command, the first word may still be the verb of a command such as `!mod ban`: `ban @user`, not
 * `ban evasion`.
 */
function readSubcommandAlone(line: Line, start: number): Command {
  const verb = readVerb(line, start);
  const next = line.skipSpaces(verb === null ? start : skipFillerWords(line, verb.end, null, verb.name));
  const isVerb = next >= line.length || isArgument(line, next) || isFlagAt(line, next);
  return {
    ...withoutCommand(start),
    ...(verb !== null && isVerb ? { subcommand: verb.name, end: verb.end } : {}),
  };
}

/** The moderation verb after `at` and spaces. */
function readVerb(line: Line, at: number): { readonly name: string; readonly end: number } | null {
  const start = line.skipSpaces(at);
  if (line.tokenAt(start).kind !== 'word') return null;
  const end = matchEnd(COMMAND, line.text, start);
  const name = line.text.slice(start, end).toLowerCase();
  const isWhole = isSpaceOrEndAt(line.text, end) || line.text.charAt(end) === '<';
  return isWhole && isModerationVerb(name) ? { name, end } : null;
}

const FLAG_STARTS = new Set('-—–');

/** True for an id, an `@name`, a flag, or a duration before a target: none of them can be a command. */
function beginsWithArgument(line: Line, start: number): boolean {
  const first = line.text.charAt(start);
  if (FLAG_STARTS.has(first)) return isFlagAt(line, start);
  if (first === '@') return isWordAt(line.text, start + 1) && readTarget(line, start, true) !== null;
  // A mention may be the prefix, which is checked later.
  if (first !== '<' && readTarget(line, start, true) !== null) return true;
  const duration = readDuration(line, start);
  return duration !== null && readTarget(line, skipSeparator(line, duration.next, true), true) !== null;
}

function isFlagAt(line: Line, at: number): boolean {
  return new FlagReader(line).readFrom(at) > at;
}

function isArgument(line: Line, at: number): boolean {
  return readDuration(line, at) !== null || readTarget(line, at, false) !== null;
}

const SLASH_MENTION = /<\/([^\s<>:]{1,32}(?: [^\s<>:]{1,32}){0,2}):\d{1,20}>/y;

/** A command as Discord links it: `</mod ban:123>`. */
function readSlashMention({ text }: Line, at: number): Command | null {
  SLASH_MENTION.lastIndex = at;
  const name = SLASH_MENTION.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const [first = name, second = '', third] = name.split(' ');
  const hasVerb = third === undefined && isModerationVerb(second) && !isModerationVerb(first);
  const end = SLASH_MENTION.lastIndex;
  return {
    prefix: null,
    command: hasVerb ? first : name,
    subcommand: hasVerb ? second : null,
    argumentsStart: end,
    end,
  };
}

/** The end of a mention of the bot with the symbols after it, or null where arguments follow. */
function readMentionPrefix(line: Line, start: number): number | null {
  const mention = line.tokenAt(start);
  if (mention.kind !== 'user') return null;
  const mentionEnd = skipSentencePunctuation(line.text, mention.end);
  const next = line.skipSpaces(mentionEnd);
  if (isFlagAt(line, next)) return null;
  const end = readSymbolPrefix(line, next) ?? mentionEnd;
  const commandStart = line.skipSpaces(end);
  return isCommandAt(line, commandStart) && !isArgument(line, commandStart) ? end : null;
}

function isCommandAt({ text }: Line, at: number): boolean {
  return matchEnd(COMMAND, text, at) > at;
}

// Includes custom emoji and keycaps, which begin like other text. Excludes mentions, timestamps and links. Marks and
// selectors belong to the symbol before them.
const SYMBOLS =
  /(?:<a?:\w{1,32}:\d{1,20}>|\d\ufe0f?\u20e3|(?!<(?:[@#/]|t:|id:))[^\p{L}\p{M}\p{N}_ \n])(?:<a?:\w{1,32}:\d{1,20}>|\d\ufe0f?\u20e3|(?!<(?:[@#/]|t:|id:))[^\p{L}\p{N}_ \n])*/uy;

/** The end of `!`, `? `, `>> !`, an emoji: one or two runs of symbols before a command. */
function readSymbolPrefix(line: Line, start: number): number | null {
  const firstEnd = matchEnd(SYMBOLS, line.text, start);
  if (firstEnd === start) return null;
  const secondStart = line.skipSpaces(firstEnd);
  const secondEnd = secondStart > firstEnd ? matchEnd(SYMBOLS, line.text, secondStart) : secondStart;
  const end = secondEnd > secondStart ? secondEnd : firstEnd;
  return isCommandAt(line, line.skipSpaces(end)) ? end : null;
}

const WORD_PREFIX = /([\p{L}\p{N}]{1,12})[^\p{L}\p{M}\p{N}_ \n\-<([{"'`“”‘’«»@#]{1,3}/uy;
// Before a space these are punctuation of a sentence, not the end of a prefix.
const SENTENCE_MARKS = new Set(',;:.');

/** The end of `c!`, `dev?`: a short word and up to three symbols attached to it. */
function readWordPrefix(line: Line, start: number): number | null {
  WORD_PREFIX.lastIndex = start;
  const word = WORD_PREFIX.exec(line.text)?.[1];
  if (word === undefined || isModerationVerb(word.toLowerCase())) return null;
  const end = WORD_PREFIX.lastIndex;
  const next = line.skipSpaces(end);
  if (next > end && SENTENCE_MARKS.has(line.text.charAt(end - 1))) return null;
  return isCommandAt(line, next) && !isArgument(line, next) ? end : null;
}

/** Words after the command that add nothing: `!remind me`, `!raffle start`. */
const FILLER_WORDS = new Set(
  `me mich moi bana мне set start extend all create new add on off open close instant channel member user guild
    server`.split(/\s+/),
);

/**
 * Skips words before the first argument: `!role add @user @role`, `!remind me in 1 hour`.
 * @param command null when the line is only the text after a command
 * @param action the verb of the line, or empty
 */
export function skipFillerWords(line: Line, at: number, command: string | null, action: string): number {
  const end = skipRoleWord(line, at, command);
  const word = readWord(line, end);
  if (word === null || !FILLER_WORDS.has(word.value)) return end;
  return isBeforeArgument(line, word.end, action) ? word.end : end;
}

function skipRoleWord(line: Line, at: number, command: string | null): number {
  const word = readWord(line, at);
  if (word === null || !isRoleWord(word.value)) return at;
  if (command !== null) return isRoleCommand(command) ? word.end : at;
  // Without the command, only a role among the targets shows that it is about roles.
  const targets = readTargets(line, line.skipSpaces(word.end));
  return targets.some(({ kind }) => kind === 'role') ? word.end : at;
}

/** The whole word after `at` and spaces. */
function readWord(line: Line, at: number) {
  const word = line.tokenAt(line.skipSpaces(at));
  const isWhole = isSpaceOrEndAt(line.text, word.end) || line.text.charAt(word.end) === '<';
  return word.kind === 'word' && isWhole ? word : null;
}

/** True before a target or a duration. A length counts only in digits, because "set a week of rules" is a text. */
function isBeforeArgument(line: Line, at: number, action: string): boolean {
  const start = line.skipSpaces(new FlagReader(line).readFrom(at));
  if (readTarget(line, start, true) !== null) return true;
  const duration =
    readDurationIfMeant(line, start, action, false) ?? readDurationAfterIn(line, start, action);
  if (duration === null) return false;
  if (duration.kind === 'permanent') return hasLastingEffect(action);
  return (
    duration.kind === 'timestamp' ||
    BEGINS_WITH_NUMBER.test(line.text.slice(duration.start, duration.start + 1))
  );
}

const BEGINS_WITH_NUMBER = /^[\d.½¼¾]/;
