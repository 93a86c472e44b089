import { createHmac, randomBytes } from 'node:crypto';

/** What stands for a token wherever something is remembered about it. */
export type TokenDigest = (token: string) => string;

/** The secret lives only as long as the process, so that a digest says nothing outside of it. */
export function createTokenDigest(secret: Uint8Array = randomBytes(32)): TokenDigest {
  return (token) => createHmac('sha256', secret).update(token).digest('base64url');
}
