import { GatewayCloseCodes } from 'discord-api-types/v10';
import type { SimulatedBot } from './bot-model.ts';
import { PRIVILEGED_INTENTS } from './dispatch.ts';
import { isObject } from './read-json.ts';

export interface Identify {
  readonly token: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  readonly largeThreshold: number;
}

/** Null when it is not in the shape of one. */
export function readIdentify(data: unknown): Identify | null {
  if (!isObject(data) || typeof data['token'] !== 'string') return null;
  const shard: unknown = data['shard'] ?? [0, 1];
  if (!Array.isArray(shard) || shard.length !== 2) return null;
  return {
    token: data['token'],
    intents: Number(data['intents']),
    shard: [Number(shard[0]), Number(shard[1])],
    largeThreshold: typeof data['large_threshold'] === 'number' ? data['large_threshold'] : 50,
  };
}

/** The code with which such an IDENTIFY is closed; null when nothing is wrong with it. */
export function refuseIdentify(
  identify: Identify | null,
  bot: SimulatedBot | null,
): GatewayCloseCodes | null {
  if (!identify) return GatewayCloseCodes.DecodeError;
  if (!bot) return GatewayCloseCodes.AuthenticationFailed;
  const [shardId, shardCount] = identify.shard;
  const isShard = Number.isInteger(shardId) && Number.isInteger(shardCount) && shardId >= 0;
  if (!isShard || shardId >= shardCount) return GatewayCloseCodes.InvalidShard;
  if (!Number.isInteger(identify.intents) || identify.intents < 0 || identify.intents >= 1 << 26) {
    return GatewayCloseCodes.InvalidIntents;
  }
  const isDisallowed = (identify.intents & PRIVILEGED_INTENTS & ~bot.enabledIntents) !== 0;
  return isDisallowed ? GatewayCloseCodes.DisallowedIntents : null;
}
