import type { InteractionRecord } from '../discord/interactions/interaction-record.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { isWarning } from './is-warning.ts';

/** What becomes of a finished interaction: one log line and the metrics. Usage counts what keys do, so not this. */
export function recordInteractions(log: Log, metrics: Metrics) {
  return ({ interactionId, command, guildId, outcome, problem, durationMs }: InteractionRecord): void => {
    metrics.countInteraction(command, outcome);
    const cause = problem?.code === 'internal' ? (problem.cause ?? problem) : problem?.cause;
    const line = {
      interaction: interactionId,
      command,
      guild_id: guildId,
      outcome,
      ms: Math.round(durationMs * 100) / 100,
      ...(cause === undefined || cause === null ? {} : { err: cause }),
    };
    if (problem !== null && isWarning(problem.status, problem.code)) log.warn(line, 'interaction');
    else log.info(line, 'interaction');
  };
}
