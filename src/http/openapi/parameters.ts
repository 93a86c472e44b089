import { SECRET_HEADERS, type SecretHeaderFacts } from '../../operations/secret-headers.ts';
import type { Schema } from './json-schema.ts';

/** An option of every call, or a header. */
export interface Parameter extends Schema {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description: string;
  readonly schema: Schema;
}

const booleanParameter = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description: `${description} The default is what the key remembers; also a field of the body.`,
  schema: { type: 'boolean' },
});

function secretParameter(
  name: string,
  { description, isRequired, lengthMin, lengthMax }: SecretHeaderFacts,
): Schema {
  return {
    name,
    in: 'header',
    ...(isRequired ? { required: true } : {}),
    description,
    schema: { type: 'string', minLength: lengthMin, maxLength: lengthMax },
  };
}

export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  flat: booleanParameter(
    'flat',
    'One level of keys, for builders that read lists and nested objects poorly: null and `{}` are `""`, `a: {b}` is `a_b`, a list is `list_1 …` (the first 100 entries; chunks: all) and `list_text`; `payloads_1 …` are JSON texts.',
  ),
  separator: {
    name: 'separator',
    in: 'query',
    description:
      'With `flat`: the text between the entries of `…_text`. Default `, `; a blank line for chunks, a line break for entries with a `text`, such as `problems`.',
    schema: { type: 'string', maxLength: 100 },
  },
  always_200: booleanParameter(
    'always_200',
    'Failures are sent with status 200; the real one stays in `status`.',
  ),
  ...Object.fromEntries(
    Object.entries(SECRET_HEADERS).map(([name, header]) => [name, secretParameter(name, header)]),
  ),
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Your own name for this request. Sent again with the same fields, it gets the first answer for 10 minutes, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an earlier answer.',
    schema: { type: 'string' },
  },
};
