import { hash } from 'node:crypto';

/**
 * The ETag of an answer.
 * @param version changes with everything that the answer depends on, except for how it is written
 */
export function entityTag(version: string, flat: boolean, separator: string | null): string {
  const digest = hash('sha256', JSON.stringify([version, flat, flat ? separator : null]), 'base64url');
  return `"${digest.slice(0, 27)}"`;
}

/** True when an If-None-Match header names this tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((given) => {
    const candidate = given.trim().replace(/^W\//, '');
    return candidate === '*' || candidate === tag;
  });
}
