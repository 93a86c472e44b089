import { Problem } from '../../problem.ts';
import { texts } from '../messages/texts.ts';

/** Longest wait for a file on Discord's own CDN. */
const TIMEOUT_MS = 15_000;

/**
 * The bytes of a file that Discord itself named in an interaction.
 * @param bytesMax checked against what arrives, whatever was announced
 * @throws Problem `body_too_large` or `discord_unavailable`
 */
export async function readAttachment(
  url: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
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
      if (length > bytesMax) throw new Problem('body_too_large', texts.fileTooLarge(bytesMax));
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('discord_unavailable', { ...texts.fileUnavailable, cause: error });
  }
  return Buffer.concat(pieces, length);
}

/**
 * A file of text.
 * @throws Problem `unsupported_media_type` when it is not UTF-8
 */
export async function readTextAttachment(
  url: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<string> {
  const bytes = await readAttachment(url, bytesMax, signal);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('unsupported_media_type', texts.fileNotText);
  }
}
