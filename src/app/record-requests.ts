import type { KeyUsage } from '../guild-keys/key-usage.ts';
import { LOCAL_GUILD_ID } from '../guild-keys/guild-keys.ts';
import type { RequestRecord } from '../http/exchange/http-parts.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { isWarning } from './is-warning.ts';

/** What becomes of a finished request: one log line, the metrics, and the usage of its key. */
export function recordRequests(log: Log, metrics: Metrics, usage: Pick<KeyUsage, 'record'>) {
  const write = (record: RequestRecord): void => {
    const { operation, keyId, guildId, status, code, durationMs, cause } = record;
    metrics.countRequest(operation, status, code, durationMs);
    if (keyId !== null && operation !== null) usage.record(guildId ?? LOCAL_GUILD_ID, keyId, operation);
    const line = {
      request_id: record.requestId,
      key_id: keyId,
      guild_id: guildId,
      operation,
      status,
      ms: Math.round(durationMs * 100) / 100,
      ...(code === null ? {} : { code }),
      ...(cause === undefined || cause === null ? {} : { err: cause }),
    };
    if (isWarning(status, code)) log.warn(line, 'request');
    else log.info(line, 'request');
  };
  // All of a turn of the event loop together, after their answers: what is done in a row costs half.
  let waiting: RequestRecord[] = [];
  return (record: RequestRecord): void => {
    if (waiting.length === 0) {
      setImmediate(() => {
        const records = waiting;
        waiting = [];
        for (const each of records) write(each);
      });
    }
    waiting.push(record);
  };
}
