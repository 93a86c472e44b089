import * as z from 'zod';

import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Operation, SuccessBody } from '../../operations/operation.ts';
import { SECRET_HEADERS } from '../../operations/secret-headers.ts';
import { Problem } from '../../kernel/problem.ts';
import { withRecipe } from '../../recipes/recipe-operations.ts';
import { toJsonText } from '../answer/write-json.ts';
import { capitalise } from '../count-in-words.ts';
import { toObjectSchema, type ObjectSchema } from '../openapi/json-schema.ts';

/** The largest answer of a tool. Models have to read it, and it is written twice, as text and as an object. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/** An operation as language models see it. */
export interface Tool {
  readonly operation: Operation;
  readonly description: string;
  readonly input: Operation['input'];
}

export function toolOf(operation: Operation): Tool {
  const { refusedByMcp } = operation;
  const fields = Object.entries(operation.input.shape).filter(([field]) => !(field in refusedByMcp));
  return {
    operation,
    description: describe(operation),
    input: z.object(Object.fromEntries(fields)),
  };
}

/** The operations that a key may call, described as tools. */
export function listTools(tools: readonly Tool[], { operations: allowed }: VerifiedKey) {
  return tools
    .filter(({ operation }) => allowed === null || allowed.includes(operation.name))
    .map((tool) => ({
      name: tool.operation.name,
      title: capitalise(tool.operation.name.replaceAll('-', ' ')),
      description: tool.description,
      inputSchema: toInputSchema(tool),
      outputSchema: withoutDescriptions(toObjectSchema(tool.operation.output, 'output')),
      annotations: annotate(tool),
    }));
}

/** A tool is "open world" when it calls another service: Discord, or the host of an image. */
function annotate({ operation }: Tool) {
  const { readOnly, secretHeader, bucket } = operation;
  return {
    readOnlyHint: readOnly,
    openWorldHint: secretHeader !== null || bucket === 'image',
    // Tools that change something only add to it.
    ...(readOnly ? {} : { destructiveHint: false, idempotentHint: false }),
  };
}

/**
 * The sentence for lists, then the first paragraph of the reference, and where a secret comes from. It stays short
 * because an agent reads all tools before each task.
 */
function describe({ summary, description, secretHeader }: Operation): string {
  const first = firstParagraph(description);
  const sentence = summary.replace(/\.?$/, '.');
  const whole = first.startsWith(summary) ? first : `${sentence} ${first}`;
  return secretHeader === null ? whole : `${whole} ${SECRET_HEADERS[secretHeader].forTools}`;
}

function firstParagraph(description: string): string {
  return description.split(/\n\s*\n/)[0] ?? '';
}

/** Each field has its description in every tool, because some clients load one tool at a time. */
function toInputSchema({ input, operation }: Tool) {
  const { example } = operation;
  const mainField = withRecipe(operation)?.recipe.field;
  const { properties, required } = toObjectSchema(input, 'input');
  // Some operations take any of several fields and require none, so an example shows what to send.
  const needsExample = required.length === 0 && mainField !== undefined && mainField in example.input;
  return {
    type: 'object' as const,
    properties,
    required: [...required],
    additionalProperties: false,
    ...(needsExample ? { examples: [example.input] } : {}),
  };
}

/** The schema by which programs check answers. The documents explain the keys. Here, that would double the length. */
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
export function writeAnswer(answer: SuccessBody): string {
  const text = toJsonText(answer, ANSWER_BYTES_MAX);
  if (text !== null) return text;
  throw new Problem('bad_request/tool_answer');
}
