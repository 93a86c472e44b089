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

/** `parse-args` → `ParseArgs`. */
export function schemaName(operation: Operation): string {
  return operation.name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** What operations add to `components.schemas`. */
export function operationSchemas(operation: Operation): Schema {
  const name = schemaName(operation);
  const { input, output, pendingOutput } = operation;
  return {
    ...(operation.method === 'POST' ? { [`${name}Input`]: toObjectSchema(input, 'input') } : {}),
    ...answerSchemas(name, output),
    ...(pendingOutput === null ? {} : answerSchemas(`${name}Pending`, pendingOutput)),
  };
}

function answerSchemas(name: string, output: Operation['output']): Schema {
  const schema = toObjectSchema(output, 'output');
  return { [name]: schema, [`${name}Flat`]: toFlatSchema(schema) };
}

/** The path of an operation with all its methods. */
export function operationPath(operation: Operation): Schema {
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
    parameters: parametersOf(operation, input, true),
    responses: responsesOf(operation, 'GET'),
  };
  if (!isPost) return { get };
  return {
    post: {
      operationId: operation.name,
      ...shared,
      description: `${operation.description}\n\nEach field may also come in the query; the body wins.`,
      parameters: parametersOf(operation, input, false),
      requestBody: bodyOf(operation),
      responses: responsesOf(operation, 'POST'),
    },
    get,
  };
}

function parametersOf(operation: Operation, input: ObjectSchema, withExample: boolean): Schema[] {
  const { example, secretHeader, revalidates } = operation;
  const fields = Object.entries(input.properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(withExample && input.required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(withExample && example.input[name] !== undefined ? { example: example.input[name] } : {}),
  }));
  return [
    ...fields,
    ...(secretHeader === null ? [] : [{ $ref: `#/components/parameters/${secretHeader}` }]),
    ...(revalidates ? [CONDITION] : []),
    ...ANSWER_PARAMETERS,
  ];
}

function bodyOf(operation: Operation): Schema {
  const schema = { $ref: `#/components/schemas/${schemaName(operation)}Input` };
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
  const { answer, pending } = operation.example;
  const { revalidates } = operation;
  return {
    '200': successResponse(
      'Done.',
      plainOrFlat(name),
      {
        answer: { summary: 'As it is', value: answer },
        flat: { summary: 'With flat=true', value: flatten(answer, null) },
      },
      revalidates ? ['ETag'] : [],
    ),
    ...(pending === null
      ? {}
      : {
          '202': successResponse(
            'The work goes on. Send the same request again after `retry_after` seconds.',
            plainOrFlat(`${name}Pending`),
            { pending: { value: pending } },
            ['Retry-After'],
          ),
        }),
    ...(revalidates
      ? { '304': { description: 'The answer is still that of the ETag in `If-None-Match`.' } }
      : {}),
    ...problemResponses(problemCodesOf(operation, method)),
  };
}

function plainOrFlat(name: string): Schema {
  return {
    anyOf: [{ $ref: `#/components/schemas/${name}` }, { $ref: `#/components/schemas/${name}Flat` }],
  };
}
