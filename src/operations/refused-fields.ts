import { Problem, type ProblemKey } from '../kernel/problem.ts';
import { holdsSecret } from '../kernel/secrets.ts';
import { FieldNames } from './field-names.ts';
import type { RawFields, SecretHeader } from './operation.ts';
import { SECRET_HEADERS } from './secret-headers.ts';

/** Longer than any secret. */
const SECRET_UNITS_MAX = 4_096;

/** A field with one of these names is refused everywhere if it holds a secret. */
const SECRET_NAMES = [
  'key',
  'api_key',
  'authorization',
  'token',
  'bot_token',
  'webhook',
  'webhook_url',
] as const;

/** Fields that would be ignored although their sender expects an effect. */
export class RefusedFields {
  readonly #keys: ReadonlyMap<string, ProblemKey>;
  readonly #names: FieldNames;

  /**
   * @param keys the sentence for each field
   * @param secretHeader the header for an operation's secret, which must not be sent as a field
   */
  constructor(keys: Readonly<Record<string, ProblemKey>>, secretHeader: SecretHeader | null) {
    const secret =
      secretHeader === null ? {} : { [secretHeader.toLowerCase()]: SECRET_HEADERS[secretHeader].asField };
    this.#keys = new Map(Object.entries({ ...keys, ...secret }));
    this.#names = new FieldNames([...SECRET_NAMES, ...this.#keys.keys()]);
  }

  /** @throws Problem `invalid_field` */
  check(raw: RawFields, fallback: RawFields): void {
    const given = Object.entries(this.#names.pick(raw, fallback));
    for (const [field, value] of given) {
      const key = this.#keys.get(field) ?? (isSecret(value) ? 'invalid_field/secret' : null);
      if (key !== null) throw new Problem(key, { field });
    }
  }
}

function isSecret(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some(isSecret)
    : typeof value === 'string' && holdsSecret(value.slice(0, SECRET_UNITS_MAX));
}
