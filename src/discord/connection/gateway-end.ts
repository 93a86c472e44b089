import { CloseCodes, DiscordAPIError, GatewayCloseCodes } from 'discord.js';

import { ExplainedFailure } from '../../kernel/explained-failure.ts';

/** A connection has ended for good, because Discord would refuse it again with the same settings. */
export class GatewayEnd extends ExplainedFailure {
  /** The close code, or null when the gateway was not reached. */
  readonly closeCode: number | null;

  constructor(message: string, closeCode: number | null, cause?: unknown) {
    super(message, { cause, isFinal: true, costsIdentify: true });
    this.name = 'GatewayEnd';
    this.closeCode = closeCode;
  }
}

/**
 * Close codes after which the same IDENTIFY would be refused again, explained for operators.
 * @see https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
 */
const FINAL: ReadonlyMap<number, string> = new Map([
  [
    GatewayCloseCodes.AuthenticationFailed,
    'Discord does not accept DISCORD_TOKEN. Copy the token of your bot again and restart.',
  ],
  [
    GatewayCloseCodes.InvalidShard,
    'Discord does not accept the shards: check GATEWAY_SHARDS and GATEWAY_SHARD_COUNT.',
  ],
  [
    GatewayCloseCodes.ShardingRequired,
    'The bot is in too many servers for this GATEWAY_SHARD_COUNT; set it higher or to auto.',
  ],
  [
    GatewayCloseCodes.InvalidAPIVersion,
    'Discord no longer offers the version of its gateway that this program speaks.',
  ],
  [GatewayCloseCodes.InvalidIntents, 'Discord does not know the intents that this program asks for.'],
  [GatewayCloseCodes.DisallowedIntents, 'The Server Members intent is not switched on for this bot.'],
]);

/** Close codes after which a RESUME is refused: https://docs.discord.com/developers/events/gateway#resuming */
const SESSION_OVER: ReadonlySet<number> = new Set([
  CloseCodes.Normal,
  GatewayCloseCodes.InvalidSeq,
  GatewayCloseCodes.SessionTimedOut,
]);

/** Returns the end that a close code means, or null when connecting again may help. */
export function finalEnd(closeCode: number): GatewayEnd | null {
  const message = FINAL.get(closeCode);
  return message === undefined ? null : new GatewayEnd(message, closeCode);
}

export function endsSession(closeCode: number): boolean {
  return SESSION_OVER.has(closeCode);
}

/** Returns the end that a refused REST request means, or null when asking again may help. */
export function refusedEnd(error: unknown): GatewayEnd | null {
  const isRefused = error instanceof DiscordAPIError && error.status === 401;
  return isRefused ? finalEnd(GatewayCloseCodes.AuthenticationFailed) : null;
}
