import { gzipSync } from 'node:zlib';

import type { Response } from 'express';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** A page, a style sheet, a script or another file. */
export interface Document {
  readonly type: string;
  readonly body: string | Buffer;
}

/** A page loads only files of this service, and nothing inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const zipped = new WeakMap<Document, Buffer>();
/** A browser's Accept-Encoding has some 30 characters. A longer one is ignored. */
const ENCODINGS_MAX = 1_000;

/** Compresses a cached document once. All readers get the same content, so its compressed size reveals no secrets. */
function zip(document: Document): Buffer {
  const known = zipped.get(document) ?? gzipSync(document.body);
  zipped.set(document, known);
  return known;
}

/** Fonts and pictures are compressed already. */
function takesZipped({ req }: Response, { type }: Document): boolean {
  const { length } = req.headers['accept-encoding'] ?? '';
  return (
    /^(?:text|application)\//.test(type) && length < ENCODINGS_MAX && req.acceptsEncodings('gzip') === 'gzip'
  );
}

/** @param cacheControl pages are requested again each time, files with a version in their URL never */
export function sendDocument(
  response: Response,
  document: Document,
  cacheControl: string,
  status = 200,
): void {
  const isZipped = takesZipped(response, document);
  const bytes = isZipped ? zip(document) : Buffer.from(document.body);
  response.vary('Accept-Encoding');
  response.writeHead(status, {
    'Content-Type': document.type,
    'Content-Length': bytes.length,
    ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    'Cache-Control': cacheControl,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  });
  response.end(bytes);
}
