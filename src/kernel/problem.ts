import ENGLISH from './problems.en.json' with { type: 'json' };

/** All failures that callers may read, with their stable codes and HTTP statuses. */
export const STATUSES = {
  bad_request: 400,
  invalid_json: 400,
  missing_field: 400,
  invalid_field: 400,
  unresolved_placeholder: 400,
  unknown_permission: 400,
  secret_in_url: 400,
  token_malformed: 400,
  key_missing: 401,
  key_malformed: 401,
  key_unknown: 401,
  key_expired: 401,
  key_revoked: 401,
  key_suspended: 401,
  guild_mismatch: 403,
  operation_not_allowed: 403,
  caller_tokens_disabled: 403,
  discord_token_rejected: 403,
  discord_missing_access: 403,
  not_found: 404,
  unknown_guild: 404,
  unknown_role: 404,
  unknown_channel: 404,
  unknown_member: 404,
  unknown_webhook: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  body_too_large: 413,
  text_too_long: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  image_url_invalid: 422,
  image_address_not_allowed: 422,
  image_not_an_image: 422,
  image_svg_refused: 422,
  image_too_large: 422,
  image_too_many_pixels: 422,
  image_cannot_fit: 422,
  too_many_chunks: 422,
  limit_too_small: 422,
  rate_limited: 429,
  token_attempts: 429,
  discord_rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  image_fetch_failed: 502,
  discord_unavailable: 502,
  busy: 503,
  storage_unavailable: 503,
  member_list_unavailable: 503,
  discord_paused: 503,
  shutting_down: 503,
  image_timeout: 504,
  discord_timeout: 504,
} as const satisfies Partial<Record<ProblemTextKey, number>>;

export type ProblemCode = keyof typeof STATUSES;

/** The key of an English sentence: a code, or a code and what exactly is wrong (`invalid_field/id`). No API key. */
export type ProblemTextKey = keyof typeof ENGLISH;

/** Sentences that only the HTTP API uses: about headers, bodies, builders and the secrets of callers. */
type HttpOnlyTextKey = {
  [Key in ProblemTextKey]: (typeof ENGLISH)[Key] extends { readonly only: string } ? Key : never;
}[ProblemTextKey];

/** Sentences that users of Discord can get too. */
export type TranslatedProblemTextKey = Exclude<ProblemTextKey, HttpOnlyTextKey>;

/**
 * `{name}` is a placeholder. A sentence with `_one` and `_other` follows the number `n`. It has no hint when nothing
 * can be done. Language models know tools and no paths, and cannot set headers, so they get `tool_hint` instead.
 */
type Sentence = Readonly<
  Partial<Record<'only' | 'tool_hint' | `${'error' | 'hint'}${'' | '_one' | '_other'}`, string>>
>;

const SENTENCES: Readonly<Record<ProblemTextKey, Sentence>> = ENGLISH;

/** Values for the placeholders of a sentence, by name. Never a secret, nor text from another server. */
export type Values = Readonly<Record<string, string | number>>;

/** In English, with numbers written as plain digits. */
export function sentenceOf(key: ProblemTextKey, values: Values = {}) {
  const sentence = SENTENCES[key];
  const form = values['n'] === 1 ? '_one' : '_other';
  const say = (text?: string) => (text === undefined ? null : fillPlaceholders(text, values, String));
  const hint = say(sentence.hint ?? sentence[`hint${form}`]);
  return {
    error: say(sentence.error ?? sentence[`error${form}`]) ?? key,
    hint,
    toolHint: say(sentence.tool_hint) ?? hint,
  };
}

/** In one pass: a value is shown as it is, even if it contains a placeholder. */
export function fillPlaceholders(text: string, values: Values, write: (value: number) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[String(name)];
    return typeof value === 'number' ? write(value) : (value ?? placeholder);
  });
}

export function isProblemTextKey(text: string): text is ProblemTextKey {
  return Object.hasOwn(ENGLISH, text);
}

/** A key begins with its code. */
export function codeOf(key: ProblemTextKey): ProblemCode {
  return key.split('/', 1)[0] as ProblemCode;
}

/** With these the work goes on, and the caller gets its result later. */
const PENDING: ReadonlySet<ProblemTextKey> = new Set([
  'member_list_unavailable/reading',
  'member_list_unavailable/reading_begun',
]);

/** Every 503 says when to ask again. This is the value when no better one is known. */
const RETRY_AFTER_SECONDS = 60;

export interface ProblemOptions {
  /** For the placeholders of its sentences. */
  readonly values?: Values;
  /** The field of the input that is wrong, as the caller named it. It fills the placeholder `{field}`. */
  readonly field?: string;
  /** Whole seconds; fractions are rounded up. null for the default of the status. */
  readonly retryAfterSeconds?: number | null;
  /** The internal reason. It goes to the log, never to the caller. */
  readonly cause?: unknown;
}

/**
 * A failure that the caller may read. Anything else that is thrown is our own fault and becomes `internal`.
 * @example
 * // The sentence is under `unknown_role` in problems.en.json. `values` fill its {placeholders}, and `field` is shown.
 * if (role === undefined) throw new Problem('unknown_role', { field: 'role_id' });
 *
 * // A second sentence of the same code. The cause goes to the log and never to the caller.
 * try {
 *   return await readPage();
 * } catch (cause) {
 *   throw new Problem('member_list_unavailable/lost', { retryAfterSeconds: 5, cause });
 * }
 */
export class Problem extends Error {
  readonly key: ProblemTextKey;
  readonly values: Values;
  readonly code: ProblemCode;
  readonly status: number;
  readonly field: string | null;
  readonly hint: string | null;
  readonly toolHint: string | null;
  readonly retryAfterSeconds: number | null;

  /** Its `message` and its `hint` are English: for callers of the API and for the log. */
  constructor(key: ProblemTextKey, options: ProblemOptions = {}) {
    const { field, retryAfterSeconds } = options;
    const values = { ...(field === undefined ? {} : { field }), ...options.values };
    const { error, hint, toolHint } = sentenceOf(key, values);
    super(error, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'Problem';
    this.key = key;
    this.values = values;
    this.code = codeOf(key);
    this.status = STATUSES[this.code];
    this.field = field ?? null;
    this.hint = hint;
    this.toolHint = toolHint;
    const seconds = retryAfterSeconds ?? (this.status === 503 ? RETRY_AFTER_SECONDS : null);
    this.retryAfterSeconds = seconds === null ? null : Math.max(1, Math.ceil(seconds));
  }

  /** True when nothing has failed: the caller only has to ask again. */
  get isPending(): boolean {
    return PENDING.has(this.key);
  }

  /** Turns anything that was thrown into a Problem. Everything that is not one becomes `internal`. */
  static from(error: unknown): Problem {
    return error instanceof Problem ? error : new Problem('internal', { cause: error });
  }
}
