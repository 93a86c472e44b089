import { FORM_LENGTHS, type PayloadForm } from '../text-splitter/payloads.ts';
import type { SendRequest } from './request.ts';

/** Chunks that make at most 50 messages: 10 embeds or 40 text displays fit one. */
export const CHUNKS_MAX: Readonly<Record<PayloadForm, number>> = {
  message: 50,
  embed: 500,
  components: 2_000,
};

/** Each option has the value with which it acts, so that requests which differ only in words are the same input. */
export interface EffectiveRequest extends SendRequest {
  readonly max_length: number;
  readonly max_chunks: number;
}

/** @param threadInAddress of the webhook */
export function effectiveRequest(
  { max_length, max_chunks, thread_id, ...request }: SendRequest,
  threadInAddress: string | null,
): EffectiveRequest {
  const lengthMax = FORM_LENGTHS[request.as];
  const chunksMax = CHUNKS_MAX[request.as];
  const isGithub = request.dialect === 'github';
  return {
    ...request,
    thread_id: thread_id ?? threadInAddress ?? undefined,
    // Embeds and components make no cards of links.
    previews: request.previews || request.as !== 'message',
    max_length: Math.min(max_length ?? lengthMax, lengthMax),
    max_chunks: Math.min(max_chunks ?? chunksMax, chunksMax),
    language: request.mode === 'code' ? request.language : '',
    tables: isGithub ? request.tables : 'auto',
    latex: isGithub && request.latex,
  };
}
