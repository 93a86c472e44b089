import { countCodePoints } from './chars/char-class.ts';
import { countSeparated, separateTicks } from './chars/code-ticks.ts';
import type { ChunkPosition } from './chunks/emit-chunks.ts';
import { conversionFor, type Converted, convertGithub } from './github/convert-github.ts';
import {
  FORM_LENGTHS,
  groupChunks,
  isWholeMessage,
  lengthForBytes,
  toPayload,
  type MessageGroup,
} from './payloads.ts';
import { checkAdditions, checkStream, type SplitAnswer, type SplitRequest } from './request.ts';
import { LENGTH_PRESETS, type SplitOptions, TEXT_LENGTH_MAX } from './split-options.ts';
import { chooseChunks, keepWhole, readText, type SplitResult, writeChunks } from './split-text.ts';
import { type QueuedText, TextQueue } from './text-queue.ts';

const textQueue = new TextQueue();

/** The fields that say how to split, without those that say how to show the result. */
type SplitFields = Omit<SplitRequest, 'details' | 'index'>;

export interface SplitMessages extends Split {
  readonly maxLength: number;
  /** The chunks of each message. */
  readonly groups: readonly MessageGroup[];
}

/**
 * Converts the text if asked to, splits it, and puts the chunks into messages.
 * @param tenantId see OperationContext
 * @throws Problem `too_many_chunks`, `limit_too_small`, `text_too_long`; the signal's reason
 */
export async function splitMessages(
  request: SplitFields,
  tenantId: string,
  signal: AbortSignal,
): Promise<SplitMessages> {
  const { as: form } = request;
  const text = { tenantId, length: request.text.length, signal, isUnderWay: false };
  try {
    const lengthMax = form === undefined ? TEXT_LENGTH_MAX : FORM_LENGTHS[form];
    const lengthWanted = request.max_length ?? (form === undefined ? LENGTH_PRESETS.message : lengthMax);
    let maxLength = Math.min(lengthWanted, lengthMax);
    let split = await splitInSteps(request, maxLength, text);
    const shorter = lengthForBytes(split.chunks, form);
    if (shorter !== null && shorter < maxLength) {
      maxLength = shorter;
      split = await splitInSteps(request, maxLength, text);
    }
    return { ...split, maxLength, groups: groupChunks(split.chunks, form ?? 'message') };
  } finally {
    textQueue.end(text);
  }
}

/** As `splitMessages`, in the form of the answer. */
export async function answerRequest(
  request: SplitRequest,
  tenantId: string,
  signal: AbortSignal,
): Promise<SplitAnswer> {
  const { as: form, index, details, final } = request;
  if (!final) checkStream(request);
  const split = await splitMessages(request, tenantId, signal);
  const { chunks, pieces, truncated, rest, converted, groups, maxLength } = split;
  const shown = index === undefined ? groups : groups.slice(index - 1, index);
  const select = <Part>(parts: readonly Part[]) =>
    shown.flatMap(({ first, count }) => parts.slice(first, first + count));
  const payloads =
    form === undefined
      ? undefined
      : shown.map(({ first, count }) => toPayload(chunks.slice(first, first + count), form));
  return {
    count: groups.length,
    chunks: select(chunks),
    ...(payloads === undefined ? {} : { payloads }),
    max_length: maxLength,
    total_length: request.text.length,
    truncated,
    ...(rest === null ? {} : { rest }),
    ...(details ? { pieces: select(pieces.map((one, at) => describePosition(one, chunks[at] ?? ''))) } : {}),
    ...(details && converted !== null ? { changes: [...converted.changes], converted: converted.text } : {}),
  };
}

interface Split extends SplitResult {
  /** The text to which the pieces refer, or null if it is the caller's. */
  readonly converted: Pick<Converted, 'text' | 'changes'> | null;
}

/** Each step is a plain function. Before each one, steps of other texts may run. */
async function splitInSteps(request: SplitFields, maxLength: number, queued: QueuedText): Promise<Split> {
  const { text, mode, dialect, as: form, max_lines, max_chunks, final: isFinal } = request;
  checkAdditions(request, maxLength);
  const wanted: SplitOptions = {
    ...request,
    maxLength,
    maxLines: max_lines ?? null,
    maxChunks: max_chunks ?? null,
    isFinal,
    unbreakable: [],
  };
  const conversion = dialect === 'github' ? conversionFor(wanted, request) : null;
  if (conversion !== null || mode === 'code') await textQueue.waitForStep(queued, text.length);
  const github = conversion === null ? null : convertGithub(text, conversion);
  const converted = mode === 'code' ? convertCode(text) : github;

  const [whole, options] =
    github === null ? [text, wanted] : [github.text, { ...wanted, unbreakable: github.unbreakable }];
  const uncut = keepWhole(whole, options);
  if (uncut !== null) return { ...uncut, converted };
  const { length } = converted?.text ?? text;
  await textQueue.waitForStep(queued, length);
  const read = readText(whole, options);
  await textQueue.waitForStep(queued, length);
  const chosen = chooseChunks(read);
  await textQueue.waitForStep(queued, length);
  const written = writeChunks(chosen);
  if (isFinal || form === undefined) return { ...written, converted };
  const last = groupChunks(written.chunks, form).at(-1);
  if (last === undefined || isWholeMessage(last, form)) return { ...written, converted };
  await textQueue.waitForStep(queued, length);
  return { ...writeChunks(chosen, last.first), converted };
}

/** Code as it must be written in a block, and the changes in it. */
function convertCode(text: string): Split['converted'] {
  const count = countSeparated(text);
  return { text: separateTicks(text), changes: count === 0 ? [] : [{ kind: 'code_ticks', count }] };
}

function describePosition(
  { start, end, addedPrefix, addedSuffix, cut }: ChunkPosition,
  chunk: string,
): NonNullable<SplitAnswer['pieces']>[number] {
  return {
    start,
    end,
    length: chunk.length,
    length_codepoints: countCodePoints(chunk),
    added_prefix: addedPrefix,
    added_suffix: addedSuffix,
    cut,
  };
}
