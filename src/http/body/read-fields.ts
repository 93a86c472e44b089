import { isUtf8 } from 'node:buffer';

import { Problem } from '../../problem.ts';
import type { BodyKind } from './body-kind.ts';
import { readForm } from './read-form.ts';
import { endOfSpace, readJson, startsWithMark } from './read-json.ts';
import type { Sliced } from './turns.ts';
import { decodeUtf8, SLICE_BYTES } from './utf8.ts';

type Fields = Readonly<Record<string, unknown>>;

const FORM_FIELDS_MAX = 1000;

/**
 * The fields of a body that is there. Linear in its bytes whatever they are, in slices.
 * @param textField the field that plain text fills
 * @throws Problem `invalid_json`, `bad_request`, `unsupported_media_type`
 */
export function* readFields(bytes: Buffer, kind: BodyKind, textField: string | null): Sliced<Fields> {
  if (!isUtf8(bytes)) {
    throw new Problem(kind === 'json' ? 'invalid_json' : 'bad_request', {
      error: 'The body is not valid UTF-8.',
    });
  }
  if (kind === 'text' && textField !== null) return { [textField]: yield* decodeUtf8(bytes) };
  const start = yield* skipSpace(bytes);
  // Several builders send JSON as a form or without a type.
  if (kind === 'json' || bytes[start] === 0x7b) return yield* readJsonObject(bytes);
  if (start === bytes.length) return {};
  if (kind === 'form') return yield* readForm(bytes, FORM_FIELDS_MAX);
  throw new Problem('unsupported_media_type', {
    error: 'The body has no Content-Type.',
    hint: 'Send JSON with the header Content-Type: application/json.',
  });
}

function* readJsonObject(bytes: Buffer): Sliced<Fields> {
  let value: unknown;
  try {
    value = yield* readJson(bytes);
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    // The parser's message quotes the body, so it stays inside.
    throw new Problem('invalid_json', { cause: cause instanceof SyntaxError ? 'syntax' : cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('invalid_json', { error: 'The body must be a JSON object, such as {"text":"…"}.' });
  }
  return value as Fields;
}

/** @returns where something else begins */
function* skipSpace(bytes: Uint8Array): Sliced<number> {
  let at = startsWithMark(bytes) ? 3 : 0;
  for (;;) {
    const to = at + SLICE_BYTES;
    at = endOfSpace(bytes, at, to);
    if (at < to) return at;
    yield;
  }
}
