import {
  isAsciiLetter,
  isAt,
  isBlank,
  isBlankOrEndAt,
  isDigit,
  isLetterOrDigitAt,
  isWordAt,
  skipBlanks,
  unitsAt,
} from './characters.ts';
import { readDuration } from './duration.ts';
import { FlagReader } from './flags.ts';
import type { LineText } from './line-text.ts';
import { isModerationVerb } from './moderation-verbs.ts';
import { skipSeparator } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { readMention, readTarget } from './target.ts';
import { UnitSet } from './unit-set.ts';

export interface CommandHead {
  readonly prefix: Range | null;
  /** Lower case; null when the line begins with something else. */
  readonly command: string | null;
  readonly subcommand: string | null;
  /** After the command, before a separate subcommand: the words from here on are the arguments. */
  readonly argumentsStart: number;
  /** After the subcommand. */
  readonly end: number;
}

/**
 * Reads prefix, command and subcommand from the beginning of a line.
 * @param argsOnly the builder leaves out prefix and command
 */
export function readCommandHead(text: LineText, argsOnly: boolean): CommandHead {
  const start = skipBlanks(text, 0);
  if (argsOnly) return readSubcommandHead(text, start);
  let prefix: Range | null = null;
  if (isPlainPrefix(text.unitAt(start))) prefix = readSymbolPrefix(text, start);
  else {
    if (beginsWithArgument(text, start)) return headless(start);
    const slash = readSlashMention(text, start);
    if (slash !== null) return slash;
    prefix = readMentionPrefix(text, start) ?? readSymbolPrefix(text, start) ?? readWordPrefix(text, start);
  }
  const commandStart = prefix === null ? start : skipBlanks(text, prefix.end);
  const commandEnd = findCommandEnd(text, commandStart);
  if (commandEnd === commandStart) return headless(start);
  const command = text.sliceLowerCase(commandStart, commandEnd);
  const verbStart = skipBlanks(text, commandEnd);
  const verb = verbStart === commandEnd ? null : readVerb(text, verbStart);
  const subcommand = verb === null || isModerationVerb(command) ? null : verb;
  return {
    prefix,
    command,
    subcommand: subcommand?.name ?? null,
    argumentsStart: commandEnd,
    end: subcommand?.end ?? commandEnd,
  };
}

function headless(start: number): CommandHead {
  return { prefix: null, command: null, subcommand: null, argumentsStart: start, end: start };
}

/** Without a command the first word may still be the verb of one such as `!mod ban`: `ban @user`, not `ban evasion`. */
function readSubcommandHead(text: LineText, start: number): CommandHead {
  const verb = readVerb(text, start);
  if (verb === null) return headless(start);
  const next = skipBlanks(text, verb.end);
  const isVerb = next >= text.length || isArgument(text, next) || isFlagAt(text, next);
  return isVerb ? { ...headless(start), subcommand: verb.name, end: verb.end } : headless(start);
}

/** `!`, `$`, `/` and `?`: most prefixes are one of these, and no argument begins with one. */
function isPlainPrefix(unit: number): boolean {
  return unit === 33 || unit === 36 || unit === 47 || unit === 63;
}

/** What cannot be a command: an id, an `@name`, a flag, or a duration before a target. */
function beginsWithArgument(text: LineText, start: number): boolean {
  const first = text.unitAt(start);
  if (isAt(text, start, '-')) return isFlagAt(text, start);
  if (isAt(text, start, '@')) return isWordAt(text, start + 1) && readTarget(text, start, true) !== null;
  // A mention may be the prefix; that is looked at later.
  if (first !== 60 && readTarget(text, start, true) !== null) return true;
  const time = readDuration(text, start);
  return time !== null && readTarget(text, skipSeparator(text, time.next, true), true) !== null;
}

function isFlagAt(text: LineText, at: number): boolean {
  return new FlagReader(text).readFrom(at) > at;
}

function findCommandEnd(text: LineText, start: number): number {
  if (!isCommandStart(text, start)) return start;
  let end = start;
  for (;;) {
    while (isAsciiLetter(text.unitAt(end))) end += 1;
    if (end >= text.length || !(isWordAt(text, end) || isAt(text, end, '.') || isAt(text, end, '-')))
      return end;
    end += unitsAt(text, end);
  }
}

function isCommandStart(text: LineText, at: number): boolean {
  return at < text.length && (isLetterOrDigitAt(text, at) || isAt(text, at, '_'));
}

/** The moderation verb that begins at `start`. */
function readVerb(text: LineText, start: number): { readonly name: string; readonly end: number } | null {
  // Verbs are English. Anything else here is mostly a mention or an id.
  if (!isAsciiLetter(text.unitAt(start))) return null;
  const end = findCommandEnd(text, start);
  if (!(isBlankOrEndAt(text, end) || isAt(text, end, '<'))) return null;
  const name = text.sliceLowerCase(start, end);
  return isModerationVerb(name) ? { name, end } : null;
}

const SLASH_MENTION = /<\/([^\s<>:]{1,32}(?: [^\s<>:]{1,32}){0,2}):\d{1,20}>/y;

/** A command as Discord links it: `</mod ban:123>`. */
function readSlashMention(text: LineText, at: number): CommandHead | null {
  if (!isAt(text, at, '<')) return null;
  SLASH_MENTION.lastIndex = at;
  const match = SLASH_MENTION.exec(text.string);
  if (match === null) return null;
  const end = SLASH_MENTION.lastIndex;
  const name = (match[1] ?? '').toLowerCase();
  const [first = name, second = '', third] = name.split(' ');
  const hasVerb = third === undefined && isModerationVerb(second) && !isModerationVerb(first);
  return {
    prefix: null,
    command: hasVerb ? first : name,
    subcommand: hasVerb ? second : null,
    argumentsStart: end,
    end,
  };
}

/** A mention of the bot, and symbols after it if there are any; not where a target or duration follows. */
function readMentionPrefix(text: LineText, start: number): Range | null {
  const mention = readMention(text, start);
  if (mention === null) return null;
  const next = skipBlanks(text, mention.end);
  const symbols = readSymbolPrefix(text, next);
  if (symbols !== null) return { start, end: symbols.end };
  return isCommandStart(text, next) && !isArgument(text, next) ? { start, end: mention.end } : null;
}

function isArgument(text: LineText, at: number): boolean {
  return readDuration(text, at) !== null || readTarget(text, at, false) !== null;
}

/** `!`, `? `, `>> !`, an emoji: one or two runs of symbols before a command. */
function readSymbolPrefix(text: LineText, start: number): Range | null {
  // Most lines begin like this.
  if (isPlainPrefix(text.unitAt(start)) && isAsciiLetter(text.unitAt(start + 1))) {
    return { start, end: start + 1 };
  }
  let end = findSymbolsEnd(text, start);
  if (end === start) return null;
  const secondStart = skipBlanks(text, end);
  const secondEnd = findSymbolsEnd(text, secondStart);
  if (secondEnd > secondStart) end = secondEnd;
  return isCommandStart(text, skipBlanks(text, end)) ? { start, end } : null;
}

// Emoji that begin like something else: custom ones and keycaps.
const EMOJI = /<a?:\w{1,32}:\d{1,20}>|\d\ufe0f?\u20e3/y;

function findEmojiEnd(text: LineText, at: number): number {
  if (!isAt(text, at, '<') && !isDigit(text.unitAt(at))) return at;
  EMOJI.lastIndex = at;
  return EMOJI.test(text.string) ? EMOJI.lastIndex : at;
}

function findSymbolsEnd(text: LineText, start: number): number {
  let end = start;
  while (end < text.length && !isBlank(text.unitAt(end))) {
    const emojiEnd = findEmojiEnd(text, end);
    if (emojiEnd > end) {
      end = emojiEnd;
      continue;
    }
    // Marks and selectors belong to the symbol before them.
    if (end === start ? isWordAt(text, end) : isLetterOrDigitAt(text, end) || isAt(text, end, '_')) break;
    // Mentions, timestamps and links are not prefixes.
    if (isAt(text, end, '<') && /^<(?:[@#/]|t:|id:)/.test(text.slice(end, end + 4))) break;
    end += unitsAt(text, end);
  }
  return end;
}

const WORD_PREFIX_LETTERS_MAX = 12;
const AFFIX_SYMBOLS_MAX = 3;
const NO_AFFIX = new UnitSet(`-_<([{"'\`“”‘’«»@#`);
// After these a blank means that a sentence goes on.
const SENTENCE_MARKS = new UnitSet(',;:.');

/** `c!`, `dev?`: a short word and up to three symbols that stick to it. */
function readWordPrefix(text: LineText, start: number): Range | null {
  let affixStart = start;
  for (let letters = 0; isLetterOrDigitAt(text, affixStart); letters += 1) {
    if (letters === WORD_PREFIX_LETTERS_MAX) return null;
    affixStart += unitsAt(text, affixStart);
  }
  if (affixStart === start || isModerationVerb(text.sliceLowerCase(start, affixStart))) return null;
  let end = affixStart;
  for (let symbols = 0; symbols < AFFIX_SYMBOLS_MAX && isAffixAt(text, end); symbols += 1) {
    end += unitsAt(text, end);
  }
  if (end === affixStart) return null;
  const next = skipBlanks(text, end);
  if (next > end && SENTENCE_MARKS.has(text.unitAt(end - 1))) return null;
  return isCommandStart(text, next) && !isArgument(text, next) ? { start, end } : null;
}

function isAffixAt(text: LineText, at: number): boolean {
  return (
    at < text.length && !isBlank(text.unitAt(at)) && !isWordAt(text, at) && !NO_AFFIX.has(text.unitAt(at))
  );
}
