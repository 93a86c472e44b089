import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';

/** `unknown`: without a type. */
export type BodyKind = 'json' | 'form' | 'text' | 'unknown';

/**
 * How a body is to be read.
 * @param takesText whether plain text fills a field
 * @throws Problem `unsupported_media_type`
 */
export function bodyKind(request: IncomingMessage, takesText: boolean): BodyKind {
  const { type, charset } = parseContentType(request.headers['content-type']);
  if (isCompressed(request)) {
    throw new Problem('unsupported_media_type', { error: 'Compressed bodies are not understood.' });
  }
  if (charset !== null && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Problem('unsupported_media_type', { error: 'The body must be UTF-8.' });
  }
  const kind = kindOfType(type);
  if (kind === 'text' && !takesText) {
    throw new Problem('unsupported_media_type', {
      error: 'This operation does not take plain text.',
      hint: 'Send JSON with the type application/json, or the fields in the query string.',
    });
  }
  return kind;
}

function parseContentType(header: string | undefined): { type: string | null; charset: string | null } {
  if (header === undefined || header.trim() === '') return { type: null, charset: null };
  if (header === 'application/json') return { type: header, charset: null };
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  return { type: type.trim(), charset: charset ?? null };
}

/** Both headers can say so. */
function isCompressed(request: IncomingMessage): boolean {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } =
    request.headers;
  return content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked';
}

function kindOfType(type: string | null): BodyKind {
  if (type === null) return 'unknown';
  if (type === 'application/json' || type === 'text/json' || /^application\/[\w.-]+\+json$/.test(type))
    return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'text/plain') return 'text';
  throw new Problem('unsupported_media_type');
}
