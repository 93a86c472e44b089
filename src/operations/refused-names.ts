import type { ProblemTextKey } from '../kernel/problem.ts';
import { holdsSecret } from '../kernel/secrets.ts';
import type { RefusedName } from './field-names.ts';
import type { SecretHeader } from './operation.ts';
import { SECRET_HEADERS } from './secret-headers.ts';

/** No secret is longer. */
const SECRET_LENGTH_MAX = 4_096;

/** A field with one of these names is refused in every operation if it holds a secret. */
const SECRET_NAMES = [
  'key',
  'api_key',
  'authorization',
  'token',
  'bot_token',
  'webhook',
  'webhook_url',
] as const;

/**
 * Refuses fields that would be ignored although the caller expects an effect.
 * @param keys the sentence for each field
 * @param secretHeader the header for an operation's secret, which must not be sent as a field
 */
export function refuseNames(
  keys: Readonly<Record<string, ProblemTextKey>>,
  secretHeader: SecretHeader | null,
): Map<string, RefusedName> {
  const refused = new Map<string, RefusedName>(SECRET_NAMES.map((name) => [name, refuseSecret]));
  for (const [name, key] of Object.entries(keys)) refused.set(name, () => ({ key }));
  if (secretHeader !== null) {
    const refusal = { key: SECRET_HEADERS[secretHeader].asField };
    refused.set(secretHeader.toLowerCase(), () => refusal);
  }
  return refused;
}

const refuseSecret: RefusedName = (value) => (isSecret(value) ? { key: 'invalid_field/secret' } : null);

function isSecret(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some(isSecret)
    : typeof value === 'string' && holdsSecret(value.slice(0, SECRET_LENGTH_MAX));
}
