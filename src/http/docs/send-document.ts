import type { Response } from 'express';

export const HTML_TYPE = 'text/html; charset=utf-8';

/** Something to read: a page, a style sheet, a script. */
export interface Document {
  readonly type: string;
  readonly body: string | Buffer;
}

/** Nothing from elsewhere, nothing inline: what a page loads are the files beside it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param cacheControl pages are asked for again each time, files with their version in the address never */
export function sendDocument(
  response: Response,
  { type, body }: Document,
  cacheControl: string,
  status = 200,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': bytes.length,
    'Cache-Control': cacheControl,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  });
  response.end(bytes);
}
