import type { Operation } from '../../operations/operation.ts';
import type { BodyBudget } from '../body/body-budget.ts';

export interface DocumentsOptions {
  readonly operations: readonly Operation[];
  /** Address of the API, without a slash at the end; known once the service listens. */
  readonly publicUrl: () => string;
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  readonly bodyTimeoutMs: number;
  readonly bodyBudget: BodyBudget;
}
