import { FORM_LENGTHS } from '../text-splitter/payloads.ts';
import type { SendRequest } from './request.ts';

/**
 * Each option holds the value that takes effect, so that requests which differ only in wording count as the same input.
 */
export interface NormalisedRequest extends SendRequest {
  readonly max_length: number;
}

/** @param threadIdInUrl the `thread_id` in the webhook's URL */
export function normaliseRequest(
  { max_length, thread_id, ...request }: SendRequest,
  threadIdInUrl: string | null,
): NormalisedRequest {
  const lengthMax = FORM_LENGTHS[request.as];
  const isGithub = request.dialect === 'github';
  return {
    ...request,
    thread_id: thread_id ?? threadIdInUrl ?? undefined,
    // Embeds and components never show link previews.
    previews: request.previews || request.as !== 'message',
    max_length: Math.min(max_length ?? lengthMax, lengthMax),
    language: request.mode === 'code' ? request.language : '',
    tables: isGithub ? request.tables : 'auto',
    latex: isGithub && request.latex,
  };
}
