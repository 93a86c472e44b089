import type { IncomingMessage } from 'node:http';

import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ProblemCode } from '../../problem.ts';
import type { BodyOwner } from '../body/body-room.ts';
import type { Admission } from './admission.ts';

/** What one finished request leaves behind for the log and the metrics. No address, no field, no secret. */
export interface RequestRecord {
  readonly requestId: string;
  /** Name of the endpoint; null when the address is unknown. */
  readonly operation: string | null;
  /** The caller's; null without a valid one. */
  readonly key: Pick<VerifiedKey, 'keyId' | 'guildId' | 'ownerId'> | null;
  readonly status: number;
  readonly code: ProblemCode | null;
  /** What happened inside, for the log only. */
  readonly cause: unknown;
  readonly durationMs: number;
}

/** What every exchange needs of the rest of the house. */
export interface HttpParts {
  readonly log: Log;
  readonly admission: Admission;
  /** The caller's address, with the help of trusted proxies. */
  addressOf(request: IncomingMessage): string;
  onRequest(record: RequestRecord): void;
  /** How long a caller may take to send a body. */
  readonly bodyTimeoutMs: number;
  /** Whose share a body takes. @param key null for a caller without a valid one */
  bodyOwner(request: IncomingMessage, key: VerifiedKey | null): BodyOwner;
  /** How long the rest of a request may go on after its answer. */
  readonly lingerMs: number;
}
