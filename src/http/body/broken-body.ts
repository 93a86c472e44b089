import type { IncomingMessage } from 'node:http';

const broken = new WeakSet<IncomingMessage>();
const BROKEN = 'brokenBody';

/** The parser has given up on the body of a request: what is missing will not come. */
export function markBodyBroken(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/** Calls back once the body is known to be broken, at once when it is already. @returns ends it */
export function onBodyBroken(request: IncomingMessage, callback: () => void): () => void {
  if (broken.has(request)) callback();
  else request.once(BROKEN, callback);
  return () => request.off(BROKEN, callback);
}
