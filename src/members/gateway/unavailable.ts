import { Problem } from '../../kernel/problem.ts';
import type { MemberDirectory } from '../member-directory.ts';

/** This process has no connection to Discord at all. */
function noGateway(): Problem {
  return new Problem('member_list_unavailable/off');
}

/** For a process without a gateway. */
export const gatewayMembersOff: MemberDirectory = {
  find: () => Promise.reject(noGateway()),
  countRoles: () => Promise.reject(noGateway()),
  findChanges: () => Promise.reject(noGateway()),
  moveReader: () => {},
};

/** The service has no bot of its own that could ask Discord. */
export function noBot(): Problem {
  return new Problem('member_list_unavailable/no_bot');
}

export function membersIntentOff(): Problem {
  return new Problem('member_list_unavailable/intent_off');
}

export function botNotInGuild(): Problem {
  return new Problem('member_list_unavailable/not_in_guild');
}

export function gatewayConnecting(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable/connecting', { retryAfterSeconds });
}

export function guildInOutage(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable/outage', { retryAfterSeconds });
}

export function connectionLost(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable/lost', { retryAfterSeconds });
}

/** The process was suspended, so it may have missed changes that Discord has sent. */
export function processPaused(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable/paused', { retryAfterSeconds });
}

/** @param reason one sentence for operators; callers learn only that waiting does not help */
export function connectionEnded(reason: string): Problem {
  return new Problem('member_list_unavailable/ended', { cause: reason });
}

export interface Progress {
  /** The list was complete before, and a lost session made it doubtful. */
  readonly stale: boolean;
  readonly rows: number;
  readonly total: number;
  readonly retryAfterSeconds: number;
}

export function listLoading({ stale, rows, total, retryAfterSeconds }: Progress): Problem {
  return new Problem(stale ? 'member_list_unavailable/rereading' : 'member_list_unavailable/loading', {
    values: { rows, total: Math.max(rows, total) },
    retryAfterSeconds,
  });
}
