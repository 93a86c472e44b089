import { Problem } from '../../problem.ts';
import type { MemberDirectory } from '../member-directory.ts';

const OTHER_WAY = 'Or send a bot token of your own in the Token header.';

/** This process has no connection to Discord at all. */
function gatewayIsOff(): Problem {
  return new Problem('member_list_unavailable', {
    error: 'This service is not connected to Discord, so it has no member lists of its own.',
    hint: 'Send your bot token in the Token header.',
    detail: { kind: 'members_off' },
  });
}

/** Used in a process without a gateway. */
export const gatewayMembersOff: MemberDirectory = {
  find: () => Promise.reject(gatewayIsOff()),
  countRoles: () => Promise.reject(gatewayIsOff()),
  findChanges: () => Promise.reject(gatewayIsOff()),
  moveReader: () => {},
};

/** The service has no bot of its own that could ask Discord. */
export function botIsOff(): Problem {
  return new Problem('member_list_unavailable', {
    error: 'This service is not connected to Discord, so it has no bot of its own.',
    hint: 'Send your bot token in the Token header.',
    detail: { kind: 'members_off' },
  });
}

export function membersIntentIsOff(): Problem {
  return new Problem('member_list_unavailable', {
    error: 'The bot of this service may not read member lists: its Server Members Intent is off.',
    hint: `Its owner switches it on in the Discord developer portal, on the Bot page of the application, and restarts the service. ${OTHER_WAY}`,
    detail: { kind: 'members_intent_off' },
  });
}

export function botIsNotInGuild(): Problem {
  return new Problem('member_list_unavailable', {
    error: 'The bot of this service is not in this server.',
    hint: `Invite it. ${OTHER_WAY}`,
    detail: { kind: 'members_not_in_guild' },
  });
}

export function gatewayIsConnecting(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable', {
    error: 'This service is connecting to Discord and has no member lists yet.',
    hint: `Wait a moment. ${OTHER_WAY}`,
    detail: { kind: 'members_connecting' },
    retryAfterSeconds,
  });
}

export function guildIsOut(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable', {
    error: 'Discord has an outage of this server, so its member list may have changed unseen.',
    hint: 'The list is read again as soon as the server is back.',
    retryAfterSeconds,
  });
}

export function connectionIsLost(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable', {
    error: 'The connection to Discord is lost, so the member list may have changed unseen.',
    hint: `It is restored by itself. ${OTHER_WAY}`,
    detail: { kind: 'members_doubtful' },
    retryAfterSeconds,
  });
}

/** The process stood still, so it may have missed changes that Discord has sent. */
export function processWasPaused(retryAfterSeconds: number): Problem {
  return new Problem('member_list_unavailable', {
    error: 'This service was paused for a moment, so the member list may have changed unseen.',
    hint: `It is checked at once. ${OTHER_WAY}`,
    detail: { kind: 'members_doubtful' },
    retryAfterSeconds,
  });
}

/** @param reason one sentence for operators; callers learn only that waiting does not help */
export function connectionHasEnded(reason: string): Problem {
  return new Problem('member_list_unavailable', {
    error: 'This service has lost its connection to Discord and does not come back by itself.',
    hint: `Its owner finds the reason in the log. ${OTHER_WAY}`,
    detail: { kind: 'members_ended' },
    cause: reason,
  });
}

export interface Progress {
  /** The list was complete before, and a lost session made it doubtful. */
  readonly stale: boolean;
  readonly rows: number;
  readonly total: number;
  readonly retryAfterSeconds: number;
}

export function listIsLoading({ stale, rows, total, retryAfterSeconds }: Progress): Problem {
  const progress = `${rows} of ${Math.max(rows, total)} members have been read`;
  return new Problem('member_list_unavailable', {
    error: stale
      ? `The member list of this server is being read again after a lost connection: ${progress}.`
      : `The member list of this server is still loading: ${progress}.`,
    hint: `It is read before others now. ${OTHER_WAY}`,
    detail: { kind: 'members_loading', values: { rows, total: Math.max(rows, total) } },
    retryAfterSeconds,
  });
}
