import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';

import { splitText } from '../../../src/operations/text-splitter/split-text.ts';
import type { CheckedPiece } from '../../../test/unit/operations/text-splitter/check-split.ts';

export const LIMIT = 2000;

/** Splits a text for messages of 2000 characters, as the splitter's documentation says. */
export interface Peer {
  readonly name: string;
  readonly split: (text: string) => Promise<string[]> | CheckedPiece[] | string[];
}

const recursive = new RecursiveCharacterTextSplitter({ chunkSize: LIMIT, chunkOverlap: 0 });

export const PEERS: readonly Peer[] = [
  { name: 'quartermaster', split: splitHere },
  { name: 'LangChain recursive', split: (text) => recursive.splitText(text) },
];

function splitHere(text: string): CheckedPiece[] {
  const { chunks, pieces } = splitText(text, { maxLength: LIMIT, maxChunks: Number.MAX_SAFE_INTEGER });
  return pieces.map(({ start, end, addedPrefix, cut }, index) => ({
    chunk: chunks[index] ?? '',
    start,
    end,
    prefixLength: addedPrefix.length,
    isForced: cut === 'forced' || pieces[index - 1]?.cut === 'forced',
  }));
}

/** Finds the parts of the text that verbatim chunks are; what is not found starts where the last one ended. */
export function locate(text: string, chunks: readonly (CheckedPiece | string)[]): CheckedPiece[] {
  let last = 0;
  return chunks.map((chunk) => {
    if (typeof chunk !== 'string') return chunk;
    const found = text.indexOf(chunk, last);
    const start = found < 0 ? last : found;
    last = found < 0 ? last : found + chunk.length;
    // White space at the ends of a chunk is not part of what it shows.
    const lead = chunk.length - chunk.trimStart().length;
    const end = found < 0 ? start : start + chunk.trimEnd().length;
    return { chunk, start: start + lead, end: Math.max(end, start + lead), prefixLength: lead };
  });
}
