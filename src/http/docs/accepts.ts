import type { Request } from 'express';

/** Browsers send some 200 characters. The rest of a longer header is ignored. */
const HEADER_MAX = 1_000;

/**
 * What a caller wants to read: `html`, `json`, or false for neither. If both are equal, the one that the caller names
 * first; a page for callers who name neither.
 */
export function wantedType(request: Request): 'html' | 'json' | false {
  const { accept } = request.headers;
  if (accept !== undefined && accept.length > HEADER_MAX)
    request.headers.accept = accept.slice(0, HEADER_MAX);
  return request.accepts(['html', 'json']) as 'html' | 'json' | false;
}

/** True when a caller names pages and does not prefer JSON. Browsers do that, programs do not. */
export function wantsPage(request: Request): boolean {
  return (
    /text\/html/i.test(request.headers.accept?.slice(0, HEADER_MAX) ?? '') && wantedType(request) === 'html'
  );
}
