import type { IncomingMessage } from 'node:http';

import type { Operation } from '../../operations/operation.ts';
import type { BodyOwner } from '../body/body-room.ts';
import type { Readiness } from '../endpoints/health-endpoints.ts';

/** What the documents need to know. */
export interface DocumentsOptions {
  readonly operations: readonly Operation[];
  /** Address of the API, without a slash at the end; known once the service listens. */
  readonly publicUrl: () => string;
  /** The link that adds the bot to a server; null without one. */
  readonly inviteUrl: () => string | null;
  readonly readiness: () => Promise<Readiness>;
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  readonly bodyTimeoutMs: number;
  /** Whose share a body without a key takes. */
  readonly bodyOwner: (request: IncomingMessage) => BodyOwner;
}
