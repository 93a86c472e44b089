import { RecursiveChunker } from '@chonkiejs/core';
import { MarkdownTextSplitter, RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { splitText as takeText } from '@sapphire/utilities';
import { split as splitByTokens } from 'llm-splitter';

import { splitText } from '../../../src/operations/text-splitter/split-text.ts';
import type { CheckedPiece } from '../../../test/unit/text-splitter/check-split.ts';

export const LIMIT = 2000;

/** Splits a text for messages of 2000 characters, as the splitter's documentation says. */
export interface Peer {
  readonly name: string;
  readonly split: (text: string) => Promise<string[]> | CheckedPiece[] | string[];
}

const langchain = { chunkSize: LIMIT, chunkOverlap: 0 };
const recursive = new RecursiveCharacterTextSplitter(langchain);
const markdown = new MarkdownTextSplitter(langchain);

export const PEERS: readonly Peer[] = [
  { name: 'quartermaster', split: splitHere },
  { name: 'LangChain Markdown', split: (text) => markdown.splitText(text) },
  { name: 'LangChain recursive', split: (text) => recursive.splitText(text) },
  { name: 'discord.js 13 splitMessage', split: splitAtLines },
  { name: '@sapphire/utilities', split: splitWithSapphire },
  { name: '@chonkiejs/core', split: splitWithChonkie },
  { name: 'llm-splitter', split: splitWithTokens },
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

/** `Util.splitMessage` of discord.js 13.17.1, which version 14 took out, with what it does by default. */
function splitAtLines(text: string): string[] {
  if (text.length <= LIMIT) return [text];
  const lines = text.split('\n');
  if (lines.some((line) => line.length > LIMIT)) throw new RangeError('SPLIT_MAX_LEN');
  const messages: string[] = [];
  let message = '';
  for (const line of lines) {
    if (message && `${message}\n${line}`.length > LIMIT) {
      messages.push(message);
      message = '';
    }
    message += (message && '\n') + line;
  }
  return messages.concat(message).filter(Boolean);
}

/** It takes the first part; bots call it in a loop. */
function splitWithSapphire(text: string): string[] {
  const chunks: string[] = [];
  for (let rest = text; rest !== '';) {
    const part = rest.length <= LIMIT ? rest : takeText(rest, LIMIT);
    const chunk = part === '' ? rest.slice(0, LIMIT) : part;
    chunks.push(chunk);
    rest = rest.slice(chunk.length);
  }
  return chunks;
}

async function splitWithChonkie(text: string): Promise<string[]> {
  const chunker = await RecursiveChunker.create({ chunkSize: LIMIT, minCharactersPerChunk: 24 });
  return (await chunker.chunk(text)).map((chunk) => chunk.text);
}

function splitWithTokens(text: string): CheckedPiece[] {
  const chunks = splitByTokens(text, {
    chunkSize: LIMIT,
    chunkStrategy: 'paragraph',
    splitter: (whole: string) => whole.split(''),
  });
  return chunks.map(({ start, end }) => ({ chunk: text.slice(start, end), start, end, prefixLength: 0 }));
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
