import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';

const broken = new WeakMap<IncomingMessage, Problem>();
const BROKEN = 'brokenBody';

export function bodyBroken(): Problem {
  return new Problem('bad_request', { error: 'The body is broken or ended early.' });
}

/** The parser has given up on the body of a request: what is missing will not come. */
export function markBodyBroken(request: IncomingMessage, problem: Problem): void {
  broken.set(request, problem);
  request.emit(BROKEN, problem);
}

/** Calls back once the body is known to be broken, at once when it is already. @returns ends it */
export function onBodyBroken(request: IncomingMessage, callback: (problem: Problem) => void): () => void {
  const problem = broken.get(request);
  if (problem !== undefined) callback(problem);
  else request.once(BROKEN, callback);
  return () => request.off(BROKEN, callback);
}
