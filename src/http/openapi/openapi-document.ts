import type { Operation } from '../../operations/operation.ts';
import { VERSION } from '../../kernel/version.ts';
import { capitalise, countInWords } from '../count-in-words.ts';
import type { Schema } from './json-schema.ts';
import { operationPath, operationSchemas } from './operation-path.ts';
import { OTHER_PATHS, OTHER_SCHEMAS } from './other-paths.ts';
import { PARAMETERS } from './parameters.ts';
import { HEADERS, PROBLEM_EXAMPLE, PROBLEM_SCHEMA } from './responses.ts';

export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  /** URL of the API, without a slash at the end. */
  readonly publicUrl: string;
}

/** The OpenAPI 3.1 document of everything that is reachable over HTTP, derived from the operations. */
export function createOpenApiDocument({ operations, publicUrl }: OpenApiOptions): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quartermaster',
      version: VERSION,
      summary: `${capitalise(countInWords(operations.length))} tools for people who build Discord bots.`,
      description: describe(operations),
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }, { bearer: [] }],
    tags: [
      { name: 'operations', description: 'What the service does.' },
      { name: 'key', description: 'The key that you send.' },
      { name: 'health', description: 'For the operators of the service.' },
    ],
    paths: {
      ...Object.fromEntries(operations.map((operation) => [operation.path, operationPath(operation)])),
      ...OTHER_PATHS,
    },
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description:
            'The key alone: 58 characters that begin with `qm_`. A server admin makes it with `/settings key create`.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key after `Bearer`.' },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: {
        Problem: PROBLEM_SCHEMA,
        ...Object.assign({}, ...operations.map(operationSchemas)),
        ...OTHER_SCHEMAS,
      },
      examples: { Problem: { value: PROBLEM_EXAMPLE } },
    },
  };
}

function describe(operations: readonly Operation[]): string {
  const kept = new Set(operations.flatMap(({ keepsEmpty }) => keepsEmpty));
  const keptEmpty = [...kept].map((field) => `\`${field}\``).join(' and ');
  return [
    'Every success is 200 with a JSON object that begins with `"ok": true`; every documented key is always there, `null` where there is nothing; ids and bit fields are strings.',
    'Every failure has the same eight keys, see the schema `Problem`. Decide by `code`.',
    `Fields come in a JSON body, a form body, the query string, or (where there is a text) as a \`text/plain\` body, verbatim. \`GET\` works as an alias of each \`POST\` that only answers a question. \`null\` counts as absent, and so does \`""\` but for ${keptEmpty}. Booleans are \`true false 1 0 yes no on off\`. HEAD and OPTIONS are answered everywhere.`,
    'Names of fields and options are read in any case, with or without `_` and `-` (`userId` is `user_id`); `[]` or a number such as `[0]` at the end of a name makes or continues a list (`none[]=A&none[]=B`), and a list of one is its one value. The documented spelling wins over others; two others of one value are `invalid_field`. Other unknown fields are ignored, but operations about members refuse a name that is nearly right (`user_ids`) with "did you mean", because a filter that is not read would show more than was asked. Secrets in fields are refused in every spelling.',
  ].join('\n\n');
}
