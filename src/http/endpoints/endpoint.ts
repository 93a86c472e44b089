import type * as z from 'zod';

import type { SuccessBody } from '../../operations/operation.ts';
import type { ProblemCode } from '../../problem.ts';

/** A method of a path that belongs to no operation. Routes, OpenAPI and pages read it here. */
export interface EndpointMethod {
  /** Its operationId. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** null: what it answers has a contract of its own, so OpenAPI leaves it out. */
  readonly answer: EndpointAnswer | null;
}

export interface EndpointAnswer {
  /** In OpenAPI. */
  readonly schemaName: string;
  readonly description: string;
  /** With `ok: true` in front. */
  readonly output: z.ZodObject;
  readonly example: SuccessBody;
  readonly problems: readonly ProblemCode[];
  /** It takes a key. */
  readonly needsKey: boolean;
  /** It counts in a bucket, and says how much is left there. */
  readonly isCounted: boolean;
}

export interface Endpoint {
  /** In logs and metrics. */
  readonly name: string;
  readonly path: string;
  readonly tag: 'key' | 'health' | 'mcp';
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', EndpointMethod>>>;
}

/** A request can end in these before anybody looks at its path. */
export const ANYWHERE = [
  'bad_request',
  'secret_in_url',
  'expectation_failed',
  'headers_too_large',
] as const satisfies ProblemCode[];
