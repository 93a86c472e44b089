import { createHmac, randomBytes } from 'node:crypto';

/** Turns a token into the name under which we remember things about it. */
export type TokenDigest = (token: string) => string;

/** The secret lives only as long as the process, so a digest is of no use outside it. */
export function createTokenDigest(secret: Uint8Array = randomBytes(32)): TokenDigest {
  return (token) => createHmac('sha256', secret).update(token).digest('base64url');
}
