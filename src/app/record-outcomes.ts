import type { DeliveryRecord } from '../deliveries/webhook-deliveries.ts';
import type { InteractionRecord } from '../discord/interactions/interactions.ts';
import type { KeyUsage } from '../guild-keys/key-usage.ts';
import type { UsageOutcome } from '../guild-keys/usage-counts.ts';
import type { RequestRecord } from '../http/locals.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { STATUSES, type Problem, type ProblemCode } from '../kernel/problem.ts';

/**
 * Counted in metrics and usage in place of the 503 of a caller whose list of members is still being read. No caller
 * gets a 202. Nothing has failed, so alerts on 5xx must not see it, while the log has the status that was sent.
 */
const ACCEPTED = 202;

/** Logs one line for each finished request, and counts it in the metrics and in the usage of its key. */
export function recordRequests(log: Log, metrics: Metrics, usage: Pick<KeyUsage, 'record'>) {
  const countAnswer = metrics.counter(
    'requests_total',
    'Answers by operation, status and problem code',
    'operation',
    'status',
    'code',
  );
  const recordDuration = metrics.durations(
    'request_duration_seconds',
    'Time from the request to the end of its answer',
    'operation',
  );
  return (record: RequestRecord): void => {
    const { requestId, method, key, endpoint, status, durationMs, problem } = record;
    const code = problem?.code ?? null;
    const operation = endpoint?.name ?? null;
    const counted = problem?.isPending === true ? { status: ACCEPTED, code: null } : { status, code };
    countAnswer(operation ?? 'none', String(counted.status), counted.code ?? '');
    recordDuration(operation ?? 'none', durationMs);
    if (key !== null && endpoint !== null) {
      const { name, bucket } = endpoint;
      // The tenant is the guild, or `0` for a key of no server, which has usage, too.
      usage.record(key.tenantId, key.keyId, name, {
        outcome: outcomeOf(counted.status, counted.code),
        bucket,
      });
    }
    const line = {
      request_id: requestId,
      method,
      key_id: key?.keyId ?? null,
      guild_id: key?.guildId ?? null,
      operation,
      status,
      ms: toHundredths(durationMs),
      ...(code === null ? {} : { code }),
      ...reasonOf(problem),
    };
    if (isWarning(counted.status, counted.code)) log.warn(line, 'request');
    // Probes come every few seconds, and one page of the documentation is a dozen requests.
    else if (endpoint?.isRoutine === true && status < 400) log.debug(line, 'request');
    else log.info(line, 'request');
  };
}

/** The log shows a stack only for unforeseen failures. */
function reasonOf(problem: Problem | null) {
  if (problem === null) return {};
  const cause = problem.cause ?? null;
  if (problem.code === 'internal') return { err: cause ?? problem };
  return cause === null ? {} : { cause };
}

/** The true outcome, also when `always_200` changes the status that is sent. */
function outcomeOf(status: number, code: ProblemCode | null): UsageOutcome {
  // Without a code, the caller left before the answer.
  if (code === null) return status < 400 ? 'ok' : 'failed';
  if (code === 'rate_limited') return 'limited';
  return STATUSES[code] >= 500 ? 'failed' : 'refused';
}

function toHundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** Logs one line for each text that was sent or refused, and counts it in the metrics. */
export function recordDeliveries(log: Log, metrics: Metrics) {
  const countDelivery = metrics.counter('deliveries_total', 'Texts that were sent, by outcome', 'outcome');
  return ({ guildId, outcome, total, sent, problem, durationMs }: DeliveryRecord): void => {
    countDelivery(outcome);
    const line = {
      guild_id: guildId,
      outcome,
      total,
      sent,
      ms: toHundredths(durationMs),
      ...(problem === null ? {} : { code: problem.code }),
      ...reasonOf(problem),
    };
    if (outcome === 'uncertain' || (problem !== null && isWarning(problem.status, problem.code))) {
      log.warn(line, 'delivery');
    } else log.info(line, 'delivery');
  };
}

/** Logs one line for each finished interaction and counts it in the metrics. It has no key, so no usage is counted. */
export function recordInteractions(log: Log, metrics: Metrics) {
  const countInteraction = metrics.counter(
    'interactions_total',
    'Commands, clicks and forms in Discord by outcome',
    'command',
    'outcome',
  );
  return ({ interactionId, command, guildId, outcome, problem, durationMs }: InteractionRecord): void => {
    countInteraction(command, outcome);
    const line = {
      interaction: interactionId,
      command,
      guild_id: guildId,
      outcome,
      ms: toHundredths(durationMs),
      ...reasonOf(problem),
    };
    if (problem !== null && isWarning(problem.status, problem.code)) log.warn(line, 'interaction');
    else log.info(line, 'interaction');
  };
}

/** Codes for a failure of the server of a caller's image URL. Users' dead links do not deserve a warning. */
const CALLERS_OWN: ReadonlySet<ProblemCode> = new Set(['image_fetch_failed', 'image_timeout']);

/**
 * True when an operator should look at an outcome. A 5xx is mostly our fault or Discord's; callers' own mistakes need
 * no attention.
 */
function isWarning(status: number, code: ProblemCode | null): boolean {
  return status >= 500 && (code === null || !CALLERS_OWN.has(code));
}
