import type { OperationExample } from '../../recipes/operation-examples.ts';
import type { Operation } from '../../operations/operation.ts';
import { flatten } from '../answer/flat.ts';
import { toFlatSchema } from './flat-schema.ts';
import { toObjectSchema, type ObjectSchema, type Schema } from './json-schema.ts';
import { problemCodesOf } from './problem-codes.ts';
import { problemResponses, successResponse } from './responses.ts';

const ANSWER_PARAMETERS: readonly Schema[] = ['flat', 'separator', 'always_200'].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}));
const CONDITION: Schema = { $ref: '#/components/parameters/If-None-Match' };
const TOKEN: Schema = { $ref: '#/components/parameters/Token' };

/** `parse-args` → `ParseArgs`. */
export function schemaName(operation: Operation): string {
  return operation.name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What operations add to `components.schemas`. */
export function operationSchemas(operation: Operation): Schema {
  const name = schemaName(operation);
  const output = toObjectSchema(operation.output, 'output');
  return {
    ...(operation.method === 'POST' ? { [`${name}Input`]: toObjectSchema(operation.input, 'input') } : {}),
    [name]: output,
    [`${name}Flat`]: toFlatSchema(output),
  };
}

/** The path of an operation with all its methods. */
export function operationPath(operation: Operation, example: OperationExample): Schema {
  const input = toObjectSchema(operation.input, 'input');
  const shared = {
    tags: ['operations'],
    summary: operation.summary,
  };
  const isPost = operation.method === 'POST';
  const get = {
    operationId: isPost ? `${operation.name}-get` : operation.name,
    ...shared,
    description: isPost
      ? `The same as POST, with the fields in the query, for tools that cannot send a body safely.`
      : operation.description,
    parameters: parametersOf(operation, input, example, true),
    responses: responsesOf(operation, 'GET', example),
  };
  if (!isPost) return { get };
  return {
    post: {
      operationId: operation.name,
      ...shared,
      description: `${operation.description}\n\nEach field may also come in the query; the body wins.`,
      parameters: parametersOf(operation, input, example, false),
      requestBody: bodyOf(operation, example),
      responses: responsesOf(operation, 'POST', example),
    },
    get,
  };
}

function parametersOf(
  operation: Operation,
  input: ObjectSchema,
  example: OperationExample,
  withExample: boolean,
): Schema[] {
  const fields = Object.entries(input.properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(withExample && input.required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(withExample && example.input[name] !== undefined ? { example: example.input[name] } : {}),
  }));
  const ofTokens = operation.name === 'role-members' ? [TOKEN, CONDITION] : [];
  return [...fields, ...ofTokens, ...ANSWER_PARAMETERS];
}

function bodyOf(operation: Operation, example: OperationExample): Schema {
  const schema = { $ref: `#/components/schemas/${schemaName(operation)}Input` };
  const { textField } = operation;
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

function responsesOf(operation: Operation, method: 'GET' | 'POST', example: OperationExample): Schema {
  const name = schemaName(operation);
  const schema = {
    anyOf: [{ $ref: `#/components/schemas/${name}` }, { $ref: `#/components/schemas/${name}Flat` }],
  };
  const examples = {
    answer: { summary: 'As it is', value: example.answer },
    flat: { summary: 'With flat=true', value: flatten(example.answer, null) },
  };
  const isListing = operation.name === 'role-members';
  return {
    '200': successResponse('Done.', schema, examples, isListing ? ['ETag'] : []),
    ...(isListing
      ? {
          '202': successResponse(
            'The listing goes on. Send the same request again after `retry_after` seconds.',
            schema,
            { pending: { value: pendingExample(example.answer) } },
            ['Retry-After'],
          ),
          '304': { description: 'The list is still that of the ETag in `If-None-Match`.' },
        }
      : {}),
    ...problemResponses(problemCodesOf(operation, method)),
  };
}

function pendingExample(answer: OperationExample['answer']): Schema {
  const waiting = { count: null, members: null, returned: null, next_after: null, as_of: null };
  return { ...answer, ...waiting, pending: true, fetched: 41_000, total: 250_001, retry_after: 43 };
}
