import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Operation, SuccessBody } from '../../operations/operation.ts';
import { Problem } from '../../problem.ts';
import { byteLengthOf, toJsonParts, toText } from '../answer/write-json.ts';
import { capitalise } from '../count-in-words.ts';
import { toObjectSchema, type ObjectSchema } from '../openapi/json-schema.ts';

/** Models read what they get: larger answers are for programs. It is written twice, as a text and as an object. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/** A description up to that length is repeated. */
const SHORT_LENGTH_MAX = 40;

/** The operations that a key may call, as tools. */
export function listTools(operations: readonly Operation[], { operations: allowed }: VerifiedKey) {
  const said = new Map<string, string>();
  return operations
    .filter(({ name }) => allowed === null || allowed.includes(name))
    .map((operation) => ({
      name: operation.name,
      title: capitalise(operation.name.replaceAll('-', ' ')),
      description: describe(operation.summary, operation.description),
      inputSchema: toInputSchema(operation, said),
      outputSchema: toOutputSchema(operation),
      annotations: annotate(operation),
    }));
}

/** Whether it changes anything, and whether it asks somebody else: Discord, or the host of an image. */
function annotate({ readOnly, secretHeader, bucket }: Operation) {
  return {
    readOnlyHint: readOnly,
    openWorldHint: secretHeader !== null || bucket === 'image',
    // What changes something adds to it.
    ...(readOnly ? {} : { destructiveHint: false, idempotentHint: false }),
  };
}

/** The sentence for lists, and the first paragraph of the reference: an agent reads all tools before each task. */
function describe(summary: string, description: string): string {
  const [first = ''] = description.split(/\n\s*\n/);
  const sentence = summary.replace(/\.?$/, '.');
  return first.startsWith(summary) ? first : `${sentence} ${first}`;
}

/** @param said descriptions of fields by the tool that has them: an agent reads each of them once */
function toInputSchema({ name: tool, input, recipe, example }: Operation, said: Map<string, string>) {
  const { properties, required } = toObjectSchema(input, 'input');
  const shown = Object.entries(properties).map(([field, schema]) => {
    const text = `${field}: ${String(schema['description'])}`;
    const other = said.get(text);
    if (other === undefined || text.length < SHORT_LENGTH_MAX) {
      said.set(text, tool);
      return [field, schema] as const;
    }
    return [field, { ...schema, description: `As in ${other}.` }] as const;
  });
  // Where several fields can ask the question, none of them is required: an example says what to send.
  const needsExample = required.length === 0 && recipe !== null && recipe.field in example.input;
  return {
    type: 'object' as const,
    properties: Object.fromEntries(shown),
    required: [...required],
    ...(needsExample ? { examples: [example.input] } : {}),
  };
}

function toOutputSchema({ output, pendingOutput }: Operation) {
  const whole = withoutDescriptions(toObjectSchema(output, 'output'));
  if (pendingOutput === null) return whole;
  const pending = withoutDescriptions(toObjectSchema(pendingOutput, 'output'));
  return { type: 'object' as const, anyOf: [whole, pending] };
}

/** Programs check by it. What the keys mean is in the documents: here it would be as long as all the rest. */
function withoutDescriptions({ properties, required }: ObjectSchema) {
  const types = Object.entries(properties).map(([key, schema]) => {
    const { description: _, ...type } = schema;
    return [key, type] as const;
  });
  return { type: 'object' as const, properties: Object.fromEntries(types), required: [...required] };
}

/**
 * The JSON of an answer, as the API sends it.
 * @throws Problem `bad_request` when it is too large
 */
export function toJsonText(answer: SuccessBody): string {
  const parts = toJsonParts(answer);
  if (parts.reduce((sum, part) => sum + byteLengthOf(part), 0) > ANSWER_BYTES_MAX) throw tooLarge();
  return parts.map(toText).join('');
}

function tooLarge(): Problem {
  return new Problem('bad_request', {
    error: 'This answer is too large for a tool.',
    hint: 'Ask for less of it, or call the API over HTTP.',
  });
}
