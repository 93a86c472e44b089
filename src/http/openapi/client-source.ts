import { splitNull, toObjectSchema, type Schema } from './json-schema.ts';
import { schemaName } from './operation-path.ts';
import { PROBLEM_SCHEMA } from './responses.ts';
import type { Operation } from '../../operations/operation.ts';

/**
 * A client in one file without dependencies, for Node 18 and newer, Deno, Bun and browsers. Its types come from the
 * definitions with which the service checks its input and output.
 * @param publicUrl of the service that offers the file; null without one
 */
export function clientSource(operations: readonly Operation[], publicUrl: string | null): string {
  return [
    '// Client of Quartermaster, generated from the definitions of its operations. Do not edit.',
    ...(publicUrl === null ? [] : [`// The newest one: ${publicUrl}/docs/client.ts`]),
    ...operations.flatMap(typesOf),
    declare('Problem', PROBLEM_SCHEMA, 'A failure, as every operation answers it.'),
    writeErrorClass(),
    `export class Quartermaster {\n${writeClassHead()}\n${operations.map(methodOf).join('\n')}}`,
    '',
  ].join('\n');
}

function typesOf(operation: Operation): string[] {
  const name = schemaName(operation);
  const { input, output, pendingOutput, look } = operation;
  const outputs = pendingOutput === null ? [output] : [output, pendingOutput];
  const answers = outputs.map((each) => toObjectSchema(each, 'output'));
  return [
    declare(`${name}Input`, toObjectSchema(input, 'input'), `What ${operation.name} takes.`),
    ...(look === null
      ? []
      : [
          declare(
            `${name}LookInput`,
            toObjectSchema(look.input, 'input'),
            `What a status query for ${operation.name} takes.`,
          ),
        ]),
    declare(name, { anyOf: answers }, `What ${operation.name} answers.`),
  ];
}

function declare(name: string, schema: Schema, comment: string): string {
  return `\n/** ${comment} */\nexport type ${name} = ${typeOf(schema, '')};`;
}

/** A JSON schema as a TypeScript type. */
function typeOf(property: Schema, indent: string): string {
  const { schema, nullable } = splitNull(property);
  const type = plainTypeOf(schema, indent);
  return nullable ? `${type} | null` : type;
}

function plainTypeOf(schema: Schema, indent: string): string {
  const { type, anyOf, items } = schema;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).map((each) => typeOf(each, indent)).join(' | ');
  if (Array.isArray(type))
    return type.map((each) => plainTypeOf({ type: each as string }, indent)).join(' | ');
  if (type === 'array') {
    const item = typeOf(items as Schema, indent);
    return `readonly ${item.includes(' | ') ? `(${item})` : item}[]`;
  }
  if (type === 'object') return objectTypeOf(schema, indent);
  return type === 'integer' ? 'number' : String(type);
}

function objectTypeOf(schema: Schema, indent: string): string {
  const entries = schema['additionalProperties'];
  if (typeof entries === 'object') return `Readonly<Record<string, ${typeOf(entries as Schema, indent)}>>`;
  const required = (schema['required'] ?? []) as readonly string[];
  const inner = `${indent}  `;
  const lines = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(
    ([key, property]) => {
      const { description } = property;
      const comment =
        typeof description === 'string' && !description.includes('\n')
          ? `${inner}/** ${description} */\n`
          : '';
      return `${comment}${inner}readonly ${key}${required.includes(key) ? '' : '?'}: ${typeOf(property, inner)};\n`;
    },
  );
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('')}${indent}}`;
}

/** `parse-args` → `parseArgs`. */
function methodOf(operation: Operation): string {
  const name = schemaName(operation);
  const { method, path, input, secretHeader, takesIdempotencyKey, pendingOutput, look } = operation;
  const secret = secretHeader?.toLowerCase();
  const isNeeded = secretHeader === 'Webhook';
  const isEmpty = Object.keys(input.shape).length === 0;
  const parameters = [
    isEmpty ? `input: ${name}Input = {}` : `input: ${name}Input`,
    ...(secret === undefined ? [] : [`${secret}${isNeeded ? '' : '?'}: string`]),
    ...(takesIdempotencyKey ? ['idempotencyKey?: string'] : []),
  ].join(', ');
  const headers = [
    ...(secret === undefined
      ? []
      : [isNeeded ? `${secretHeader}: ${secret}` : optional(secretHeader, secret)]),
    ...(takesIdempotencyKey ? [optional("'Idempotency-Key'", 'idempotencyKey')] : []),
  ].join(', ');
  const extra = [
    secret === 'token' ? ' `token` is that of your own bot.' : '',
    pendingOutput === null || look !== null ? '' : ' While `pending` is true, ask again.',
  ].join('');
  return `
  /** ${operation.summary.replace(/\.?$/, '.')}${extra} @throws QuartermasterError */
  ${name[0]?.toLowerCase()}${name.slice(1)}(${parameters}): Promise<${name}> {
    return this.#call('${method}', '${path}', input${headers === '' ? '' : `, { ${headers} }`});
  }
${look === null ? '' : lookOf(operation)}`;
}

function optional(header: string | null, value: string): string {
  return `...(${value} === undefined ? {} : { ${header}: ${value} })`;
}

/** `send` → `lookSend`. */
function lookOf(operation: Operation): string {
  const name = schemaName(operation);
  return `
  /** How ${operation.name} is getting on, while \`pending\` is true. @throws QuartermasterError */
  look${name}(input: ${name}LookInput): Promise<${name}> {
    return this.#call('GET', '${operation.path}', input);
  }
`;
}

function writeErrorClass(): string {
  return `
/**
 * A call that failed. \`problem\` is what the service says about it; null when no answer of the service came back: then
 * \`cause\` is what fetch threw, or the answer is something else's, such as a proxy's page.
 */
export class QuartermasterError extends Error {
  readonly problem: Problem | null;

  constructor(message: string, problem: Problem | null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'QuartermasterError';
    this.problem = problem;
  }
}
`;
}

function writeClassHead(): string {
  return `  readonly #url: string;
  readonly #key: string;

  /** @param url address of the service @param key as /settings key create shows it */
  constructor(url: string, key: string) {
    this.#url = url.replace(/\\/+$/, '');
    this.#key = key;
  }

  async #call<Answer>(method: string, path: string, input: object, headers: Record<string, string> = {}): Promise<Answer> {
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    const query = method === 'GET' ? new URLSearchParams(given.map(([name, value]) => [name, String(value)])) : null;
    const body = query === null ? { body: JSON.stringify(Object.fromEntries(given)) } : {};
    let answer: { readonly ok: boolean } & (Answer | Problem);
    try {
      const response = await fetch(query === null ? this.#url + path : \`\${this.#url}\${path}?\${query}\`, {
        method,
        headers: { Authorization: this.#key, 'Content-Type': 'application/json', ...headers },
        ...body,
      });
      answer = await response.json();
      if (typeof answer?.ok !== 'boolean') throw new TypeError('This is not an answer from the service.');
    } catch (cause) {
      throw new QuartermasterError('The service cannot be reached.', null, { cause });
    }
    if (answer.ok) return answer as Answer;
    const problem = answer as Problem;
    throw new QuartermasterError(\`\${problem.code}: \${problem.error}\`, problem);
  }
`;
}
