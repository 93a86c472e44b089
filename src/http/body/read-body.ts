import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import querystring from 'node:querystring';

import { Problem } from '../../problem.ts';
import { onBodyBroken } from './broken-body.ts';
import type { BodyBudget } from './body-budget.ts';
import { isExcessiveJson } from './json-size.ts';

export interface BodyOptions {
  readonly bytesMax: number;
  /** How long a caller may take to send the body. */
  readonly bodyTimeoutMs: number;
  readonly bodyBudget: BodyBudget;
  /** The field that a text/plain body fills; null where such a body is refused. */
  readonly textField: string | null;
}

const FORM_FIELDS_MAX = 1000;

/**
 * The fields of a body by name: JSON, a form, or plain text.
 * @throws Problem `invalid_json`, `bad_request`, `body_too_large`, `unsupported_media_type`, `request_timeout`, `busy`
 */
export async function readBody(
  request: IncomingMessage,
  options: BodyOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const contentLength = request.headers['content-length'];
  if (
    contentLength === undefined ? request.headers['transfer-encoding'] === undefined : contentLength === '0'
  )
    return {};

  const { type, charset } = parseContentType(request.headers['content-type']);
  if (isCompressed(request)) {
    throw new Problem('unsupported_media_type', { error: 'Compressed bodies are not understood.' });
  }
  if (charset !== null && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Problem('unsupported_media_type', { error: 'The body must be UTF-8.' });
  }
  const kind = bodyKind(type);
  if (kind === 'text' && options.textField === null) {
    throw new Problem('unsupported_media_type', {
      error: 'This operation does not take plain text.',
      hint: 'Send JSON with the type application/json, or the fields in the query string.',
    });
  }
  if (contentLength !== undefined && Number(contentLength) > options.bytesMax)
    throw tooLarge(options.bytesMax);

  const bytes = readArrived(request, contentLength) ?? (await readBytes(request, options));
  if (!isUtf8(bytes)) {
    throw new Problem(kind === 'json' ? 'invalid_json' : 'bad_request', {
      error: 'The body is not valid UTF-8.',
    });
  }
  const text = bytes.toString('utf8');
  if (kind === 'text' && options.textField !== null) return { [options.textField]: text };
  // Several builders send JSON as a form or without a type.
  if (kind === 'json' || /^[\s\uFEFF]*\{/.test(text)) {
    if (isExcessiveJson(bytes)) {
      throw new Problem('invalid_json', { error: 'The body has too many values or levels.' });
    }
    return parseJson(text);
  }
  if (text.trim() === '') return {};
  if (kind === 'form') return parseForm(text);
  throw new Problem('unsupported_media_type', {
    error: 'The body has no Content-Type.',
    hint: 'Send JSON with the header Content-Type: application/json.',
  });
}

function parseContentType(header: string | undefined): { type: string | null; charset: string | null } {
  if (header === undefined || header.trim() === '') return { type: null, charset: null };
  if (header === 'application/json') return { type: header, charset: null };
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  return { type: type.trim(), charset: charset ?? null };
}

/** Both headers can say so. */
function isCompressed(request: IncomingMessage): boolean {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } =
    request.headers;
  return content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked';
}

/** Too many fields are refused, not dropped. */
function parseForm(text: string): Readonly<Record<string, unknown>> {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > FORM_FIELDS_MAX)
      throw new Problem('bad_request', { error: 'The form has too many fields.' });
  }
  return querystring.parse(text, '&', '=', { maxKeys: 0 });
}

function bodyKind(type: string | null): 'json' | 'form' | 'text' | 'unknown' {
  if (type === null) return 'unknown';
  if (type === 'application/json' || type === 'text/json' || /^application\/[\w.-]+\+json$/.test(type))
    return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'text/plain') return 'text';
  throw new Problem('unsupported_media_type');
}

function parseJson(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (cause) {
    // The parser's message quotes the body, so it stays inside.
    throw new Problem('invalid_json', { cause: cause instanceof SyntaxError ? 'syntax' : cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('invalid_json', { error: 'The body must be a JSON object, such as {"text":"…"}.' });
  }
  return value as Record<string, unknown>;
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', {
    error: `The body is larger than ${Math.floor(bytesMax / 1024)} KiB.`,
  });
}

/** A small body mostly comes with its head: then it is there already, and nothing has to be waited for. */
function readArrived(request: IncomingMessage, contentLength: string | undefined): Buffer | null {
  if (contentLength === undefined || request.readableLength !== Number(contentLength)) return null;
  return request.read() as Buffer | null;
}

function readBytes(
  request: IncomingMessage,
  { bytesMax, bodyTimeoutMs, bodyBudget }: BodyOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => finish(new Problem('request_timeout')), bodyTimeoutMs);
    const finish = (problem?: Problem) => {
      clearTimeout(timer);
      bodyBudget.giveBack(bytes);
      request.off('data', onData).off('end', onEnd).off('close', onEarlyEnd).off('error', onEarlyEnd);
      stopWaiting();
      if (problem !== undefined) reject(problem);
      else resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes));
    };
    const onData = (chunk: Buffer) => {
      if (bytes + chunk.length > bytesMax) return finish(tooLarge(bytesMax));
      if (!bodyBudget.take(chunk.length)) return finish(new Problem('busy', { retryAfterSeconds: 1 }));
      bytes += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () => finish();
    const onEarlyEnd = () =>
      finish(new Problem('bad_request', { error: 'The body is broken or ended early.' }));
    request.on('data', onData).on('end', onEnd).on('close', onEarlyEnd).on('error', onEarlyEnd);
    const stopWaiting = onBodyBroken(request, () => setImmediate(onEarlyEnd));
  });
}
