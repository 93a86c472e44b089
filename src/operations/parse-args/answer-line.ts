import { parseLine, type CommandLine } from './parse-line.ts';
import { replaceMentions } from './ping-to-id.ts';
import type { LineAnswer, LineRequest, TextStatus } from './request.ts';

/** @param now milliseconds since 1970 */
export function answerLine(
  { text, pingtoid, textstatus, args_only, timestamps }: LineRequest,
  now: () => number,
): LineAnswer {
  const line = parseLine(text, args_only);
  const hasTime = line.duration !== null;
  const hasReason = line.reason !== null;
  const replace = pingtoid ? replaceMentions : (value: string) => value;
  const { durationMs, until } = timestamps ? countFrom(now(), line) : line;
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
    permanent: line.permanent,
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

/** When a duration ends, or how long it is until a timestamp; null for one that is past. */
function countFrom(nowMs: number, { durationMs, until }: Times): Times {
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
