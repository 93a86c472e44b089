/**
 * Every failure that a caller may read: its stable code, its HTTP status, the sentence to show when the place that
 * failed has nothing more precise to say, and what the caller can do about it.
 */
export const PROBLEMS = {
  bad_request: { status: 400, error: 'The request could not be understood.', hint: null },
  invalid_json: {
    status: 400,
    error: 'The body is not valid JSON.',
    hint: 'A quote or a line break in a value breaks a JSON body. Send the fields in the query string, or the text alone with the type text/plain.',
  },
  missing_field: { status: 400, error: 'A required field is missing.', hint: null },
  invalid_field: { status: 400, error: 'A field has a value that cannot be used.', hint: null },
  unresolved_placeholder: {
    status: 400,
    error: 'A field still holds a placeholder of your bot builder.',
    hint: 'The builder sent the name of the variable instead of its value. Check how the variable is written and that it exists where you use it.',
  },
  unknown_permission: {
    status: 400,
    error: 'A permission name is not known.',
    hint: 'GET /api/chat/permissions lists all names.',
  },
  secret_in_url: {
    status: 400,
    error: 'The address of this request holds a secret: a key, a token or a webhook.',
    hint: 'Send a key in the header Authorization, a bot token in Token and the address of a webhook in Webhook. Addresses end up in logs: replace this secret, as it may have been read there.',
  },
  token_malformed: {
    status: 400,
    error: 'The Token header is not a bot token.',
    hint: 'Copy the token from the Bot page of your application in the Discord developer portal. User and Bearer tokens are not accepted.',
  },

  key_missing: {
    status: 401,
    error: 'There is no API key in the Authorization header.',
    hint: 'A server admin gets a key with /settings key create.',
  },
  key_malformed: {
    status: 401,
    error: 'The API key is not complete.',
    hint: 'A key has 58 characters and begins with qm_. Copy all of it.',
  },
  key_unknown: {
    status: 401,
    error: 'The API key is not known.',
    hint: 'It may have been deleted. A server admin gets a new one with /settings key create.',
  },
  key_expired: {
    status: 401,
    error: 'The API key has expired.',
    hint: 'A server admin gets a new one with /settings key create.',
  },
  key_revoked: {
    status: 401,
    error: 'The API key has been revoked.',
    hint: 'A server admin gets a new one with /settings key create.',
  },
  key_suspended: {
    status: 401,
    error: 'The bot has left the server of this API key.',
    hint: 'Invite the bot again within 30 days and the key works as before.',
  },

  guild_mismatch: {
    status: 403,
    error: 'This API key belongs to another server.',
    hint: 'Leave guild_id out, or send your bot token in the Token header to read another server.',
  },
  operation_not_allowed: {
    status: 403,
    error: 'This API key may not call this operation.',
    hint: 'GET /api/key lists the operations that it may call.',
  },
  caller_tokens_disabled: {
    status: 403,
    error: 'This service does not take bot tokens.',
    hint: 'Leave the Token header out: the member list of the server of your key is used.',
  },
  discord_token_rejected: {
    status: 403,
    error: 'Discord rejected the bot token.',
    hint: 'The token was reset or is not complete. Copy a new one from the Discord developer portal.',
  },
  discord_missing_access: {
    status: 403,
    error: 'The bot of this token cannot list the members of this server.',
    hint: 'Check that the bot is in the server, and that its Server Members Intent is switched on in the Discord developer portal.',
  },

  not_found: {
    status: 404,
    error: 'There is nothing at this address.',
    hint: 'The operations are listed at /docs.',
  },
  unknown_guild: { status: 404, error: 'This server is not known to Discord or to the bot.', hint: null },
  unknown_role: { status: 404, error: 'The server has no role with this id.', hint: null },
  unknown_channel: { status: 404, error: 'The server has no channel with this id.', hint: null },
  unknown_member: { status: 404, error: 'The server has no member with this id.', hint: null },
  unknown_webhook: {
    status: 404,
    error: 'Discord does not know this webhook.',
    hint: 'It may have been deleted. Copy its address again in Discord: settings of the channel, Integrations, Webhooks.',
  },
  unknown_delivery: {
    status: 404,
    error: 'There is no delivery with this id.',
    hint: 'Only keys of the server that sent a text can look at it, for 10 minutes after its end. A restart forgets it.',
  },
  method_not_allowed: { status: 405, error: 'This method does not work here.', hint: null },
  request_timeout: { status: 408, error: 'The request was not sent completely in time.', hint: null },
  idempotency_conflict: {
    status: 409,
    error: 'This Idempotency-Key was sent with another request a short time ago.',
    hint: 'Use a new key for each text, and another one for the rest of a text.',
  },

  body_too_large: { status: 413, error: 'The body is too large.', hint: null },
  text_too_long: { status: 413, error: 'The text is too long.', hint: null },
  unsupported_media_type: {
    status: 415,
    error: 'This type of body cannot be read.',
    hint: 'Send JSON as UTF-8 with the type application/json, without compression.',
  },
  expectation_failed: { status: 417, error: 'The Expect header is not supported.', hint: null },

  image_url_invalid: {
    status: 422,
    error: 'The address of the image cannot be used.',
    hint: 'It must be an http or https address of at most 2,048 characters, on port 80 or 443, without a user name.',
  },
  image_address_not_allowed: {
    status: 422,
    error: 'The image is at an address that is not on the public internet.',
    hint: null,
  },
  image_not_an_image: {
    status: 422,
    error: 'There is no image that Discord can show at this address.',
    hint: 'PNG, JPEG, WebP, GIF and AVIF are understood. The address must lead to the file itself, not to a page that shows it.',
  },
  image_svg_refused: {
    status: 422,
    error: 'SVG images are not accepted.',
    hint: 'Discord does not show them either. Convert it to PNG.',
  },
  image_too_large: { status: 422, error: 'The image is larger than 8 MiB.', hint: null },
  image_too_many_pixels: {
    status: 422,
    error: 'The image has too many pixels.',
    hint: 'At most 50 megapixels and 16,384 pixels on a side.',
  },
  image_cannot_fit: {
    status: 422,
    error: 'The image could not be made to fit.',
    hint: 'It may be damaged, or too large to be read. Make it smaller yourself and try again.',
  },
  too_many_chunks: { status: 422, error: 'The text gives more chunks than allowed.', hint: null },
  limit_too_small: {
    status: 422,
    error: 'What is added to each chunk leaves too little room for the text.',
    hint: null,
  },

  rate_limited: { status: 429, error: 'Too many requests for this server.', hint: null },
  token_attempts: {
    status: 429,
    error: 'Too many rejected bot tokens from this server.',
    hint: 'Check the token before you try again.',
  },
  discord_rate_limited: { status: 429, error: 'Discord asks this bot to wait.', hint: null },
  headers_too_large: {
    status: 431,
    error: 'The address and headers are too large.',
    hint: 'Send long texts in the body.',
  },

  internal: {
    status: 500,
    error: 'Something went wrong on our side.',
    hint: 'Try again. If it keeps happening, report the request_id.',
  },
  image_fetch_failed: { status: 502, error: 'The image could not be fetched.', hint: null },
  discord_unavailable: { status: 502, error: 'Discord does not answer properly at the moment.', hint: null },
  busy: { status: 503, error: 'The service is busy.', hint: null },
  storage_unavailable: { status: 503, error: 'The key cannot be checked at the moment.', hint: null },
  member_list_unavailable: {
    status: 503,
    error: 'The member list of this server is not available.',
    hint: null,
  },
  discord_paused: { status: 503, error: 'Lookups with bot tokens are paused.', hint: null },
  shutting_down: { status: 503, error: 'The service is restarting.', hint: null },
  image_timeout: { status: 504, error: 'The image did not arrive in time.', hint: null },
  discord_timeout: { status: 504, error: 'Discord did not answer in time.', hint: null },
} as const satisfies Record<string, { status: number; error: string; hint: string | null }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Every 503 says when to come back. This is the value when nothing better is known. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Says in other languages what `error` says in English. Each `kind` is a sentence there, and `values` fill its places.
 */
export interface ProblemDetail {
  readonly kind:
    | `permissions_${'unknown' | 'misspelt' | 'are_bits'}`
    | `image_${'is_page' | 'is_heic' | 'is_video' | 'is_emoji' | 'is_typed_emoji' | 'is_data_uri'}`
    | `image_${'bad_certificate' | 'host_down' | 'no_https' | 'host_refuses' | 'no_gif'}`
    | `image_animation_${'unread' | 'refused' | 'long'}`
    | `image_${'no_fitting' | 'link_ended'}`
    | `members_${'off' | 'intent_off' | 'not_in_guild' | 'connecting' | 'doubtful' | 'loading' | 'ended'}`
    | `key_${'name_taken' | 'name_invalid' | 'replaced' | 'ended' | 'ends_older'}`
    | 'keys_full'
    | 'operation_unknown'
    | 'change_unknown';
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface ProblemOptions {
  /** One printable sentence for this case, instead of the table's. Never contains a secret or upstream text. */
  readonly error?: string;
  /** The field of the input that is wrong, as the caller named it. */
  readonly field?: string;
  /** Tells the caller what to do, instead of the table's hint. */
  readonly hint?: string;
  /** Whole seconds; fractions are rounded up. */
  readonly retryAfterSeconds?: number;
  /** The exact case, for code that says it in another language. */
  readonly detail?: ProblemDetail;
  /** The internal reason. It goes to the log, never to the caller. */
  readonly cause?: unknown;
}

/** A failure that the caller may read. Anything else that is thrown is our own fault and becomes `internal`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly field: string | null;
  readonly hint: string | null;
  readonly retryAfterSeconds: number | null;
  readonly detail: ProblemDetail | null;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const definition = PROBLEMS[code];
    super(options.error ?? definition.error, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'Problem';
    this.code = code;
    this.status = definition.status;
    this.field = options.field ?? null;
    this.hint = options.hint ?? definition.hint;
    this.detail = options.detail ?? null;
    const retryAfterSeconds =
      options.retryAfterSeconds ?? (definition.status === 503 ? RETRY_AFTER_SECONDS : null);
    this.retryAfterSeconds = retryAfterSeconds === null ? null : Math.max(1, Math.ceil(retryAfterSeconds));
  }

  /** Turns anything that was thrown into a Problem. Anything else is our own fault. */
  static from(error: unknown): Problem {
    return error instanceof Problem ? error : new Problem('internal', { cause: error });
  }
}
