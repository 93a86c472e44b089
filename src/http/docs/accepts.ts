import type { Request } from 'express';

/** Browsers send some 200 characters. The rest of a longer header is ignored. */
const HEADER_MAX = 1_000;

/**
 * Returns the type that a caller prefers: `html`, `json`, or false for neither. If both are equal, it is the one that
 * the caller names first. Callers who name neither get a page.
 */
export function wantedType(request: Request): 'html' | 'json' | false {
  const { accept } = request.headers;
  if (accept !== undefined && accept.length > HEADER_MAX)
    request.headers.accept = accept.slice(0, HEADER_MAX);
  return request.accepts(['html', 'json']) as 'html' | 'json' | false;
}

/** True when a caller names `text/html` and does not prefer JSON, as browsers do. */
export function wantsPage(request: Request): boolean {
  return (
    /text\/html/i.test(request.headers.accept?.slice(0, HEADER_MAX) ?? '') && wantedType(request) === 'html'
  );
}
