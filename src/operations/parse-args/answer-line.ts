import { SNOWFLAKE_DIGITS_MIN } from '../../kernel/snowflake.ts';
import { Line } from './line.ts';
import { parseLine, type CommandLine } from './parse-line.ts';
import type { LineAnswer, LineRequest, TextStatus } from './request.ts';
import { matchEnd } from './token.ts';

/** @param now milliseconds since 1970 */
export function answerLine(
  { text, pingtoid, textstatus, args_only, timestamps }: LineRequest,
  now: () => number,
): LineAnswer {
  const line = parseLine(text, args_only);
  const hasTime = line.duration !== null;
  const hasReason = line.reason !== null;
  const replace = pingtoid ? replaceMentions : (value: string) => value;
  const { durationMs, until } = timestamps ? timesFrom(now(), line) : line;
  return {
    prefix: line.prefix,
    command: line.command,
    subcommand: line.subcommand,
    user: pingtoid ? (line.userId ?? line.user) : line.user,
    user_id: line.userId,
    channel_id: line.channelId,
    role_id: line.roleId,
    duration: line.duration,
    duration_ms: durationMs,
    duration_seconds: durationMs === null ? null : durationMs / 1000,
    permanent: line.isPermanent,
    until,
    reason: line.reason === null ? null : replace(line.reason),
    args: line.args.map(replace),
    mentions: [...line.mentions],
    flags: { ...line.flags },
    ...(timestamps ? describeEnd(until) : {}),
    ...(textstatus
      ? { textstatus: describeStatus(hasTime, hasReason), has_time: hasTime, has_reason: hasReason }
      : {}),
  };
}

type Times = Pick<CommandLine, 'durationMs' | 'until'>;

/** Computes the end of a duration, or the time left until a timestamp. `durationMs` is null for a past one. */
function timesFrom(nowMs: number, { durationMs, until }: Times): Times {
  if (durationMs !== null) return { durationMs, until: Math.floor((nowMs + durationMs) / 1000) };
  if (until === null) return { durationMs, until };
  const leftMs = until * 1000 - nowMs;
  return { durationMs: leftMs > 0 ? leftMs : null, until };
}

function describeEnd(until: number | null) {
  return {
    until_iso: until === null ? null : new Date(until * 1000).toISOString(),
    until_markdown: until === null ? null : `<t:${until}:R>`,
  };
}

function describeStatus(hasTime: boolean, hasReason: boolean): TextStatus {
  if (hasTime) return hasReason ? 'time_and_reason' : 'time_only';
  return hasReason ? 'reason_only' : 'none';
}

const UNCLOSED_MENTION = /<@!?(\d{1,20})$/;
/** The longest match of the pattern above. */
const UNCLOSED_MENTION_LENGTH_MAX = 23;
const ENDS_IN_SNOWFLAKE = /\d{17}$/;
const SNOWFLAKE = /\d{17}/y;

/**
 * Replaces each user mention by its bare id, even where that makes a new mention (`<@<@1>>`). Puts a space between two
 * ids that would touch.
 */
export function replaceMentions(text: string): string {
  const line = new Line(text);
  if (!line.text.includes('<@')) return text;
  // The text read so far: one entry per visible code unit, with the invisible characters before it in `pieces`.
  const pieces: string[] = [];
  const visible: string[] = [];
  const endOf = (units: number) => visible.slice(-units).join('');
  let taken = 0;
  // The end of the last id in `visible`.
  let idEnd = -1;
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.text.charAt(at);
    const next = line.offsetAt(at) + 1;
    const mention = unit === '>' ? UNCLOSED_MENTION.exec(endOf(UNCLOSED_MENTION_LENGTH_MAX)) : null;
    if (mention === null) {
      pieces.push(text.slice(taken, next));
      visible.push(unit);
    } else {
      const [opened, id = ''] = mention;
      pieces.length -= opened.length;
      visible.length -= opened.length;
      const touchesBefore = idEnd === visible.length || ENDS_IN_SNOWFLAKE.test(endOf(SNOWFLAKE_DIGITS_MIN));
      const touchesNext = matchEnd(SNOWFLAKE, line.text, at + 1) > at + 1;
      const spaced = `${touchesBefore ? ' ' : ''}${id}${touchesNext ? ' ' : ''}`.split('');
      pieces.push(...spaced);
      visible.push(...spaced);
      idEnd = visible.length;
    }
    taken = next;
  }
  return pieces.join('') + text.slice(taken);
}
