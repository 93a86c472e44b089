import { parse } from 'discord-command-parser';
import ms from 'ms';

import { parseLine } from '../../../src/operations/parse-args/parse-line.ts';

/** Only the parts of a line that all contestants can read. */
export interface Reading {
  readonly command: string | null;
  readonly userId: string | null;
  /** Infinity when it has no end. */
  readonly durationMs: number | null;
  readonly reason: string | null;
}

export interface Contestant {
  readonly name: string;
  /** @param prefix of the line: the libraries have to know it, our parser finds it */
  read(line: string, prefix: string): Reading;
}

const ourParser: Contestant = {
  name: 'Quartermaster',
  read(line) {
    const { command, userId, durationMs, isPermanent, reason } = parseLine(line);
    return { command, userId, durationMs: isPermanent ? Infinity : durationMs, reason };
  },
};

/** As its README shows: the user, a duration if the next word is one, and the remaining text. */
const commandParserWithMs: Contestant = {
  name: 'discord-command-parser + ms',
  read(line, prefix) {
    const message = { content: line, author: { bot: false } };
    const parsed = parse(message, prefix, { allowSpaceBeforeCommand: true });
    if (!parsed.success) return NOTHING;
    const { reader } = parsed;
    const userId = reader.getUserID(true);
    if (userId !== null) reader.seek(1);
    const word = reader.getString(true);
    const durationMs = word === null || word === '' || word.length > 100 ? undefined : ms(word);
    // A bare number would be milliseconds.
    const isDuration = durationMs !== undefined && durationMs > 0 && !/^[\d.]+$/.test(word ?? '');
    if (isDuration) reader.seek(1);
    return {
      command: parsed.command.toLowerCase(),
      userId,
      durationMs: isDuration ? durationMs : null,
      reason: reader.getRemaining()?.trim() || null,
    };
  },
};

const NOTHING: Reading = { command: null, userId: null, durationMs: null, reason: null };

export const CONTESTANTS = [ourParser, commandParserWithMs] as const;
