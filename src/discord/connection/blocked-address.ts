import { DiscordAPIError, RateLimitError } from 'discord.js';

import { toUtcMinute } from '../../kernel/utc.ts';

/** Discord, or the firewall in front of it, refuses all requests from this machine's IP address. */
export class BlockedAddress extends Error {
  /** Milliseconds until the block ends, or null if unknown. */
  readonly retryInMs: number | null;

  constructor(retryInMs: number | null) {
    const until = retryInMs === null ? '' : ` until ${toUtcMinute(Date.now() + retryInMs)} UTC`;
    super(
      `Discord refuses all requests from this address${until}, because too many came from it. On a shared host another customer may be the cause.`,
    );
    this.name = 'BlockedAddress';
    this.retryInMs = retryInMs;
  }
}

/** The block that a failed REST call reveals, or null when the call failed for another reason. */
export function blockOf(error: unknown): BlockedAddress | null {
  if (error instanceof RateLimitError) {
    return new BlockedAddress(Math.max(error.retryAfter, error.timeToReset));
  }
  // Discord's own errors are JSON. An HTML page comes from the firewall.
  const isPage = error instanceof DiscordAPIError && error.rawError instanceof ArrayBuffer;
  return isPage && error.status === 403 ? new BlockedAddress(null) : null;
}
