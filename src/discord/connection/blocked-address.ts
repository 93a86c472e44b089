import { DiscordAPIError, RateLimitError } from 'discord.js';

/** Discord, or the firewall before it, refuses whatever comes from the address of this machine. */
export class BlockedAddress extends Error {
  /** Milliseconds until it ends; null when nobody has said. */
  readonly retryInMs: number | null;

  constructor(retryInMs: number | null) {
    const until = retryInMs === null ? '' : ` until ${toMinute(Date.now() + retryInMs)} UTC`;
    super(
      `Discord refuses all requests of this address${until}, because too many came from it. On a shared host another customer may be the cause.`,
    );
    this.name = 'BlockedAddress';
    this.retryInMs = retryInMs;
  }
}

/** The block that a failed call of REST shows; null when it failed for another reason. */
export function blockOf(error: unknown): BlockedAddress | null {
  if (error instanceof RateLimitError) {
    return new BlockedAddress(Math.max(error.retryAfter, error.timeToReset));
  }
  // Discord itself says in JSON what is wrong; a page is the firewall's.
  const isPage = error instanceof DiscordAPIError && error.rawError instanceof ArrayBuffer;
  return isPage && error.status === 403 ? new BlockedAddress(null) : null;
}

function toMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
