import type * as z from 'zod';

import type { SuccessBody } from '../../operations/operation.ts';
import type { ProblemCode } from '../../kernel/problem.ts';

/** A method of a path that belongs to no operation. Routes, OpenAPI and pages all read it here. */
export interface EndpointMethod {
  /** Its operationId. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** null when its answer has a contract of its own, so that OpenAPI leaves it out. */
  readonly answer: EndpointAnswer | null;
}

export interface EndpointAnswer {
  /** Its name in OpenAPI. */
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
  /** Its name in logs and metrics. */
  readonly name: string;
  readonly path: string;
  readonly tag: 'key' | 'health' | 'mcp';
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', EndpointMethod>>>;
}

/** Any request can fail with these before its path is looked at. */
export const ANYWHERE = [
  'bad_request',
  'secret_in_url',
  'expectation_failed',
  'headers_too_large',
] as const satisfies ProblemCode[];
