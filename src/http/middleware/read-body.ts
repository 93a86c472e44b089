import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import type { Operation } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { ANSWER_OPTIONS_ALONE } from '../answer/answer-options.ts';
import type { BodyMemory } from '../body/body-memory.ts';
import { bodyKind, readFields, type BodyFormat } from '../body/read-fields.ts';
import { receiveBytes, tooLarge } from '../body/receive-bytes.ts';
import type { FieldNames } from '../../operations/field-names.ts';
import { NO_FIELDS, type Fields } from '../locals.ts';
import { callerAddress } from '../server/caller-address.ts';

/** A text/plain body fills the field `textField`, and is refused where that is null. */
interface Body extends Pick<Operation, 'bodyBytesMax' | 'textField'> {
  /** Reads a body that has no fields of the operation. Default null: the names in the body are its fields. */
  readonly readWholeBody?: Operation['readWholeBody'];
  /** The fields that callers may send. Default: the answer options. */
  readonly names?: FieldNames;
  /** True if a JSON object that came as text/plain is read as a call. Default false: all of it is text. */
  readonly textMayBeJson?: boolean;
  /** The body must arrive within this time. Default: the time for the whole request. */
  readonly timeoutMs?: number;
}

/** The largest body of a refused call, which is read only for its answer options. */
const REFUSED_BYTES_MAX = 16 * 1024;

/**
 * Receives a body within its tenant's share of the memory, and reads its fields.
 * @throws Problem `invalid_json`, `bad_request`, `body_too_large`, `unsupported_media_type`, `request_timeout`, `busy`
 */
export function readBody(bodies: BodyMemory, body: Body): RequestHandler {
  return async (request, response, next) => {
    response.locals.body = NO_FIELDS;
    response.locals.body = await receiveFields(bodies, body, request, response);
    next();
  };
}

/**
 * Reads a small body of a request that was refused earlier, because it may ask for `always_200` or `flat`.
 * @param timeoutMs how long to wait for it
 */
export function readRefusedBody(bodies: BodyMemory, timeoutMs: number): ErrorRequestHandler {
  const body: Body = { bodyBytesMax: REFUSED_BYTES_MAX, textField: null, timeoutMs };
  return async (failure: unknown, request, response, next) => {
    const { locals } = response;
    // A client that waits for `100 Continue` has not sent its body.
    const isHeldBack = failure instanceof Problem && failure.code === 'expectation_failed';
    if (locals.body === null && !isHeldBack && request.method === 'POST') {
      locals.body = await receiveFields(bodies, body, request, response).catch(() => NO_FIELDS);
    }
    next(failure);
  };
}

async function receiveFields(
  bodies: BodyMemory,
  {
    bodyBytesMax,
    textField,
    timeoutMs,
    names = ANSWER_OPTIONS_ALONE,
    textMayBeJson = false,
    readWholeBody = null,
  }: Body,
  request: Request,
  response: Response,
): Promise<Fields> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined ? encoding === undefined : length === '0') {
    return fieldsOfEmptyBody(request, response, textField, names);
  }
  const kind = bodyKind(request, textField !== null);
  if (length !== undefined && Number(length) > bodyBytesMax) throw tooLarge(bodyBytesMax);
  const { key } = response.locals;
  const tenant = key === null ? bodies.ofAddress(callerAddress(request)) : bodies.ofGuild(key.tenantId);
  const bytes = await receiveBytes(request, bodyBytesMax, tenant, timeoutMs);
  if (bytes.length === 0) return fieldsOfEmptyBody(request, response, textField, names);
  const release = bodies.reserveUntilAnswered(tenant, bytes.length);
  if (response.closed) release?.();
  else if (release !== null) response.once('close', release);
  const format: BodyFormat = { kind, textField, jsonNames: textMayBeJson ? names : null };
  if (readWholeBody === null) return readFields(bytes, format);
  try {
    const fields = readFields(bytes, { ...format, needsText: false });
    return readWholeBody(fields, (name) => names.knows(name));
  } catch (error) {
    // The whole body is the message then, and its own limits are lower.
    if (!(error instanceof Problem) || error.key !== 'invalid_json/size' || textField === null) throw error;
    throw new Problem('invalid_field/message_size', { field: textField, cause: error });
  }
}

/** An empty plain-text body is an empty text, unless the caller has put the text into the query. */
function fieldsOfEmptyBody(
  request: Request,
  { locals }: Response,
  textField: string | null,
  names: FieldNames,
): Fields {
  // With any other type, a missing body is fine.
  const isPlain = /^text\/plain *(?:[;,]|$)/i.test(request.headers['content-type'] ?? '');
  if (textField === null || !isPlain || bodyKind(request, true) !== 'text') return NO_FIELDS;
  return textField in names.read(locals.query, NO_FIELDS) ? NO_FIELDS : { [textField]: '' };
}
