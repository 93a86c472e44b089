import { FORM_LENGTHS, type PayloadForm } from '../text-splitter/payloads.ts';
import type { SendRequest } from './request.ts';

/** The most chunks that fit 50 messages: a message takes 10 embeds or 40 text displays. */
export const CHUNKS_MAX: Readonly<Record<PayloadForm, number>> = {
  message: 50,
  embed: 500,
  components: 2_000,
};

/**
 * Each option holds the value that takes effect, so that requests which differ only in wording count as the same input.
 */
export interface EffectiveRequest extends SendRequest {
  readonly max_length: number;
  readonly max_chunks: number;
}

/** @param threadInAddress the `thread_id` in the webhook's address */
export function toEffectiveRequest(
  { max_length, max_chunks, thread_id, ...request }: SendRequest,
  threadInAddress: string | null,
): EffectiveRequest {
  const lengthMax = FORM_LENGTHS[request.as];
  const chunksMax = CHUNKS_MAX[request.as];
  const isGithub = request.dialect === 'github';
  return {
    ...request,
    thread_id: thread_id ?? threadInAddress ?? undefined,
    // Embeds and components never show link previews.
    previews: request.previews || request.as !== 'message',
    max_length: Math.min(max_length ?? lengthMax, lengthMax),
    max_chunks: Math.min(max_chunks ?? chunksMax, chunksMax),
    language: request.mode === 'code' ? request.language : '',
    tables: isGithub ? request.tables : 'auto',
    latex: isGithub && request.latex,
  };
}
