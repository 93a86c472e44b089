import { Problem } from '../problem.ts';
import { holdsSecret } from '../secrets.ts';
import { FieldNames } from './field-names.ts';
import type { RawFields, SecretHeader } from './operation.ts';
import { SECRET_HEADERS } from './secret-headers.ts';

/** More than any secret has. */
const SECRET_UNITS_MAX = 4_096;

/** A field of this name is refused anywhere when it holds a secret. */
const SECRET_NAMES = [
  'key',
  'api_key',
  'authorization',
  'token',
  'bot_token',
  'webhook',
  'webhook_url',
] as const;
const KEY_HINT =
  'A key goes into the header Authorization, a bot token into Token and a webhook into Webhook. It is a secret, and fields end up in logs.';

/** Fields that would be ignored, though whoever sends them expects something else. */
export class RefusedFields {
  readonly #hints: ReadonlyMap<string, string>;
  readonly #names: FieldNames;

  /**
   * @param hints what to do instead, by field
   * @param secretHeader the header for the secret of an operation, which is no field
   */
  constructor(hints: Readonly<Record<string, string>>, secretHeader: SecretHeader | null) {
    const secret =
      secretHeader === null ? {} : { [secretHeader.toLowerCase()]: SECRET_HEADERS[secretHeader].fieldHint };
    this.#hints = new Map(Object.entries({ ...hints, ...secret }));
    this.#names = new FieldNames([...SECRET_NAMES, ...this.#hints.keys()]);
  }

  /** @throws Problem `invalid_field` */
  check(raw: RawFields, fallback: RawFields): void {
    const given = Object.entries(this.#names.pick(raw, fallback));
    for (const [field, value] of given) {
      const hint = this.#hints.get(field) ?? (isSecret(value) ? KEY_HINT : null);
      if (hint === null) continue;
      throw new Problem('invalid_field', { field, error: `The field ${field} does not work here.`, hint });
    }
  }
}

function isSecret(value: unknown): boolean {
  return Array.isArray(value)
    ? value.some(isSecret)
    : typeof value === 'string' && holdsSecret(value.slice(0, SECRET_UNITS_MAX));
}
