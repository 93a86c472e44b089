import { countSeparated, separateTicks } from './chars/code-ticks.ts';
import { countCodePoints, createRuler } from './chars/length-unit.ts';
import { checkRoom, checkStream } from './check-options.ts';
import type { Piece } from './chunks/emit-chunks.ts';
import { conversionFor } from './github/conversion-for.ts';
import { convertGithub } from './github/convert-github.ts';
import type { Change } from './github/read/change-counts.ts';
import { splitPart } from './github/split-part.ts';
import { FORM_LENGTHS, groupChunks, lengthForBytes, toPayload } from './payloads.ts';
import { LongTexts } from './long-texts.ts';
import type { SplitAnswer, SplitRequest } from './request.ts';
import { runInTurns } from './run-in-turns.ts';
import { LENGTH_PRESETS, MAX_LENGTH_LIMIT, type SplitOptions } from './split-options.ts';
import { splitTextInSteps } from './split-text.ts';

/** UTF-16 units. A shorter text takes a few milliseconds, and does not wait for longer ones. */
const SHORT_LENGTH_MAX = 16_384;
const longTexts = new LongTexts();

/**
 * Converts the text if asked to, splits it, and puts the chunks into messages.
 * @param ownerId see OperationContext
 * @throws Problem `too_many_chunks`, `limit_too_small`; the signal's reason
 */
export async function answerRequest(
  request: SplitRequest,
  ownerId: string,
  signal: AbortSignal,
): Promise<SplitAnswer> {
  const work = () => splitRequest(request, signal);
  return request.text.length <= SHORT_LENGTH_MAX ? work() : longTexts.run(ownerId, work, signal);
}

async function splitRequest(request: SplitRequest, signal: AbortSignal): Promise<SplitAnswer> {
  const lengthMax = request.as === undefined ? MAX_LENGTH_LIMIT : FORM_LENGTHS[request.as];
  const options: SplitOptions = {
    maxLength: Math.min(
      request.max_length ?? (request.as === undefined ? LENGTH_PRESETS.message : lengthMax),
      lengthMax,
    ),
    lengthUnit: request.length_unit,
    mode: request.mode,
    language: request.language,
    prefer: request.prefer,
    reopen: request.reopen,
    maxLines: request.max_lines ?? null,
    prepend: request.prepend,
    append: request.append,
    counter: request.counter,
    maxChunks: request.max_chunks ?? null,
    overflow: request.overflow,
    solids: [],
    isFinal: request.final,
  };
  const split = async (wanted: SplitOptions) => {
    checkRoom(wanted);
    const { maxLength } = wanted;
    const asItIs = wanted.mode === 'code' ? separated(request.text) : { text: request.text, changes: [] };
    const conversion = request.dialect === 'github' ? conversionFor(wanted, request) : null;
    if (conversion !== null && !request.final) {
      const steps = splitPart(request.text, wanted, conversion);
      return { ...asItIs, ...(await runInTurns(steps, signal)), maxLength };
    }
    const converted =
      conversion === null ? null : await runInTurns(convertGithub(request.text, conversion), signal);
    const { text, solids } = converted ?? { text: request.text, solids: [] };
    const steps = splitTextInSteps(text, { ...wanted, solids });
    return { ...(converted ?? asItIs), ...(await runInTurns(steps, signal)), maxLength };
  };
  if (!request.final) checkStream(request);
  let whole = await split(options);
  const shorter = lengthForBytes(whole.chunks, request.as, request.length_unit);
  if (shorter !== null) whole = await split({ ...options, maxLength: Math.min(options.maxLength, shorter) });
  const { chunks, pieces, truncated, maxLength, rest } = whole;
  const groups = groupChunks(chunks, request.as ?? 'message', request.length_unit);
  const shown = request.index === undefined ? groups : groups.slice(request.index - 1, request.index);
  const select = <Part>(parts: Part[]) =>
    shown.flatMap(({ first, count }) => parts.slice(first, first + count));
  const { as: form } = request;
  return {
    count: groups.length,
    chunks: select(chunks),
    ...(form === undefined
      ? {}
      : {
          payloads: shown.map(({ first, count }) => toPayload(chunks.slice(first, first + count), form)),
        }),
    max_length: maxLength,
    total_length: createRuler(request.text, options.lengthUnit).at(request.text.length),
    truncated,
    ...(rest === null ? {} : { rest }),
    ...(request.details
      ? { pieces: select(pieces.map((one, at) => describePiece(one, chunks[at] ?? ''))) }
      : {}),
    ...(request.details && (request.dialect === 'github' || request.mode === 'code')
      ? { changes: [...whole.changes], converted: whole.text }
      : {}),
  };
}

/** Code as it has to be written in a block, and what was changed in it. */
function separated(text: string): { readonly text: string; readonly changes: readonly Change[] } {
  const count = countSeparated(text);
  return { text: separateTicks(text), changes: count === 0 ? [] : [{ kind: 'code_ticks', count }] };
}

function describePiece(
  { start, end, addedPrefix, addedSuffix, cut }: Piece,
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
