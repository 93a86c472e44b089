import type { Message } from 'discord.js';

import { Problem } from '../../kernel/problem.ts';

/** The parts of a message that commands use. A forwarded message has them in a snapshot. */
export function contentOf(message: Message) {
  const { content, attachments, embeds } = message.messageSnapshots.first() ?? message;
  return { content: content ?? '', attachments: [...attachments.values()], embeds };
}

/** Longest wait for a file on Discord's own CDN. */
const TIMEOUT_MS = 15_000;

/**
 * Downloads a file that Discord named in an interaction.
 * @param bytesMax checked against the received bytes
 * @throws Problem `body_too_large` or `discord_unavailable`
 */
export async function readAttachment(url: string, bytesMax: number, signal: AbortSignal): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok || response.body === null)
      throw new Error(`The file was answered with ${response.status}.`);
    for await (const piece of response.body) {
      length += piece.length;
      if (length > bytesMax) throw new Problem('body_too_large/file', { values: { bytes: bytesMax } });
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('discord_unavailable/file', { cause: error });
  }
  return Buffer.concat(pieces, length);
}

/**
 * Reads a text file with any name. Its bytes decide whether it is text.
 * @throws Problem `unsupported_media_type` when it is not UTF-8, or holds a NUL, which text never does
 */
export async function readTextAttachment(
  url: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<string> {
  const text = decodeText(await readAttachment(url, bytesMax, signal));
  if (text === null) throw new Problem('unsupported_media_type/file');
  return text;
}

function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
