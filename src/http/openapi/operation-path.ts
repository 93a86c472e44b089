import type { Operation } from '../../operations/operation.ts';
import { toObjectSchema, type ObjectSchema, type Schema } from './json-schema.ts';
import { problemCodesOf } from './problem-codes.ts';
import { problemResponses, successResponse } from './responses.ts';

const ANSWER_PARAMETERS: readonly Schema[] = ['flat', 'separator', 'always_200'].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));

/** `parse-args` → `ParseArgs`. */
function schemaName(operation: Operation): string {
  return operation.name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Schemas for `components.schemas`: the input where there can be a body, and the answer. */
export function operationSchemas(operation: Operation): Schema {
  const name = schemaName(operation);
  const { input, output } = operation;
  return {
    ...(operation.method === 'POST' ? { [`${name}Input`]: toObjectSchema(input, 'input') } : {}),
    [`${name}Answer`]: toObjectSchema(output, 'output'),
  };
}

/** The path of an operation with all its methods. */
export function operationPath(operation: Operation): Schema {
  const { name, method, description, summary, readOnly } = operation;
  const input = toObjectSchema(operation.input, 'input');
  const shared = { tags: ['operations'], summary };
  const isPost = method === 'POST';
  const get = {
    operationId: isPost ? `${name}-get` : name,
    ...shared,
    description: isPost
      ? `The same as POST, with the fields in the query, for builders that cannot send a body safely.`
      : description,
    parameters: [
      ...fieldParameters(input, operation.example.input),
      ...headerParameters(operation),
      ...ANSWER_PARAMETERS,
    ],
    responses: responsesOf(operation, 'GET'),
  };
  if (!isPost) return { get };
  const post = {
    operationId: name,
    ...shared,
    description: `${description}\n\nEach field may also come in the query; the body wins.`,
    parameters: [...fieldParameters(input, null), ...headerParameters(operation), ...ANSWER_PARAMETERS],
    requestBody: bodyOf(operation),
    responses: responsesOf(operation, 'POST'),
  };
  return readOnly ? { post, get } : { post };
}

/** @param example of the fields; null where they may come in a body instead, and none of them is required */
function fieldParameters(input: ObjectSchema, example: Readonly<Record<string, unknown>> | null): Schema[] {
  return Object.entries(input.properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(example !== null && input.required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example?.[name] === undefined ? {} : { example: example[name] }),
  }));
}

/** The headers that it takes besides the key. */
export function headerNamesOf({ secretHeader, takesIdempotencyKey, revalidates }: Operation): string[] {
  return [
    ...(secretHeader === null ? [] : [secretHeader]),
    ...(takesIdempotencyKey ? ['Idempotency-Key'] : []),
    ...(revalidates ? ['If-None-Match'] : []),
  ];
}

function headerParameters(operation: Operation): Schema[] {
  return headerNamesOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function bodyOf(operation: Operation): Schema {
  const schema = refTo(`${schemaName(operation)}Input`);
  const { textField, example } = operation;
  return {
    description: `At most ${operation.bodyBytesMax / 1024} KiB of UTF-8, not compressed.`,
    content: {
      'application/json': { schema, examples: { example: { value: example.input } } },
      'application/x-www-form-urlencoded': { schema },
      ...(textField === null
        ? {}
        : {
            'text/plain': {
              schema: { type: 'string', description: `Taken verbatim as \`${textField}\`.` },
              example: example.input[textField],
            },
          }),
    },
  };
}

function responsesOf(operation: Operation, method: 'GET' | 'POST'): Schema {
  const name = schemaName(operation);
  const { example, revalidates } = operation;
  return {
    '200': successResponse('Done.', refTo(`${name}Answer`), example.answer, revalidates ? ['ETag'] : []),
    ...(revalidates
      ? { '304': { description: 'The answer still matches the ETag in `If-None-Match`.' } }
      : {}),
    ...problemResponses(problemCodesOf(operation, method)),
  };
}

function refTo(schema: string): Schema {
  return { $ref: `#/components/schemas/${schema}` };
}
