import { setTimeout as delay } from 'node:timers/promises';

import { isSnowflake } from '../snowflake.ts';
import { Problem } from '../problem.ts';
import { rateLimited, refusalProblem, shuttingDown } from './call-problem.ts';
import type { DeliveryMessage, DeliveryOrder } from './deliveries.ts';
import type { Delivery, Stop } from './delivery.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { CallOutcome, WebhookCalls } from './webhook-calls.ts';
import type { WebhookPace } from './webhook-pace.ts';

/** What a process does to the calls that it makes. */
export interface CallRules {
  readonly calls: WebhookCalls;
  readonly pace: WebhookPace;
  readonly settings: DeliverySettings;
  /** Aborts when no further call may begin. */
  readonly closing: AbortSignal;
  /** Aborts the calls that are under way. */
  readonly cut: AbortSignal;
  /** Told of each 401, 403 and 429 that counts towards a ban of our address. */
  readonly onInvalidAnswer: (status: 401 | 403 | 429) => void;
  /** @throws Problem `discord_paused` */
  readonly checkBreaker: () => void;
}

type Final = Exclude<CallOutcome, { kind: 'limited' | 'unreached' }>;

/** Pauses between attempts to connect grow up to that. */
const CONNECT_PAUSE_MS_MAX = 15_000;

/**
 * Makes one call when Discord takes it: waits for known limits, and for those that Discord names then; tries again
 * while no connection can be made.
 * @param limitId of the limit that the call counts in
 * @param endsAt on the clock of `performance.now()`: no wait goes beyond it
 * @throws Problem when nothing was done, and that is certain
 */
export async function callInTime(
  limitId: string,
  endsAt: number,
  rules: CallRules,
  call: () => Promise<CallOutcome>,
): Promise<Final> {
  const { pace, settings, closing, onInvalidAnswer } = rules;
  let connectPauseMs = settings.connectPauseMs;
  let unnamedMs = settings.unnamedLimitMs;
  let reason: Problem | null = null;
  const wait = async (ms: number, problem: Problem) => {
    reason = problem;
    if (performance.now() + ms > endsAt) throw problem;
    await delay(ms, undefined, { signal: closing }).catch(() => {});
  };
  for (;;) {
    if (closing.aborted) throw shuttingDown();
    const waitMs = pace.waitMs(limitId);
    if (waitMs > 0) {
      await wait(waitMs, rateLimited(waitMs));
      continue;
    }
    if (performance.now() >= endsAt) throw reason ?? timeIsUp();
    rules.checkBreaker();
    const outcome = await call();
    if (outcome.kind === 'limited') {
      if (!outcome.isShared) onInvalidAnswer(429);
      const ms = outcome.waitMs ?? unnamedMs;
      if (outcome.waitMs === null) unnamedMs *= 2;
      if (outcome.isGlobal) pace.holdAll(ms);
      else pace.hold(limitId, ms);
    } else if (outcome.kind === 'unreached') {
      await wait(connectPauseMs, new Problem('discord_unavailable', { cause: outcome.cause }));
      connectPauseMs = Math.min(connectPauseMs * 2, CONNECT_PAUSE_MS_MAX);
    } else {
      if (outcome.kind === 'done' && outcome.resetMs !== null) pace.hold(limitId, outcome.resetMs);
      if (outcome.kind === 'refused' && (outcome.status === 401 || outcome.status === 403)) {
        onInvalidAnswer(outcome.status);
      }
      return outcome;
    }
  }
}

/**
 * Posts the messages of an order, each one when the one before has arrived.
 * @returns why it stopped; null when all have arrived
 */
export async function postMessages(
  order: DeliveryOrder,
  delivery: Delivery,
  rules: CallRules,
): Promise<Stop | null> {
  const endsAt = performance.now() + rules.settings.postingMsMax;
  for (const message of order.messages) {
    try {
      const stop = await postMessage(message, order, delivery, endsAt, rules);
      if (stop !== null) return stop;
    } catch (error) {
      return { problem: Problem.from(error), uncertain: false };
    }
  }
  return null;
}

/** @throws Problem when the message was not posted, and that is certain */
async function postMessage(
  { json }: DeliveryMessage,
  order: DeliveryOrder,
  delivery: Delivery,
  endsAt: number,
  rules: CallRules,
): Promise<Stop | null> {
  const { webhook, withComponents, makesThread } = order;
  const threadId = makesThread && delivery.sent > 0 ? delivery.channelId : order.threadId;
  const query = new URLSearchParams({ wait: 'true' });
  if (withComponents) query.set('with_components', 'true');
  if (threadId !== null) query.set('thread_id', threadId);
  const outcome = await callInTime(webhook.id, endsAt, rules, () => {
    const signal = AbortSignal.any([AbortSignal.timeout(rules.settings.postTimeoutMs), rules.cut]);
    return rules.calls.post(webhook, query.toString(), json, signal);
  });
  if (outcome.kind === 'refused') return { problem: refusalProblem(outcome), uncertain: false };
  if (outcome.kind === 'unknown') {
    const problem = new Problem(outcome.isSlow ? 'discord_timeout' : 'discord_unavailable', {
      cause: outcome.cause,
    });
    return { problem, uncertain: true };
  }
  const { id, channel_id: channelId } = outcome.body;
  if (!isId(id) || !isId(channelId)) {
    const cause = new Error('Discord answered with something that is no message');
    return { problem: new Problem('discord_unavailable', { cause }), uncertain: true };
  }
  delivery.noteArrived(id, channelId);
  return null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isSnowflake(value);
}

function timeIsUp(): Problem {
  return new Problem('discord_timeout', { error: 'There was not enough time to post all of it.' });
}
