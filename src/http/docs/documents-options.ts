import type { OperationServices, Operation } from '../../operations/operation.ts';
import type { Status } from '../endpoints/status-history.ts';
import type { Limits } from '../../rate-limit/limiter.ts';

export interface DocumentsOptions {
  readonly operations: readonly Operation[];
  /** URL of the API, without a slash at the end; known once the service listens. */
  readonly publicUrl: () => string;
  /** Why bot builders on the internet cannot call it, as the end of a sentence; null if they probably can. */
  readonly whyUnreachable: () => string | null;
  /** With the commit, where it is known. */
  readonly version: string;
  /** URL of the source code of this service; null when SOURCE_URL is not set. */
  readonly sourceUrl: string | null;
  /** The link that adds the bot to a server; null without one. */
  readonly inviteUrl: () => string | null;
  readonly operationServices: OperationServices;
  readonly limits: Limits;
  readonly status: () => Promise<Status>;
}

export interface Site {
  /** URL of the API, without a slash at the end. */
  readonly publicUrl: string;
  /** With the commit, where it is known. */
  readonly version: string;
  /** URL of the source code of this service; null when SOURCE_URL is not set. */
  readonly sourceUrl: string | null;
}

export type SiteOptions = Pick<DocumentsOptions, 'publicUrl' | 'sourceUrl' | 'version'>;

export function siteOf({ publicUrl, sourceUrl, version }: SiteOptions): Site {
  return { publicUrl: publicUrl(), sourceUrl, version };
}
