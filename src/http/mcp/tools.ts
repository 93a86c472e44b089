import * as z from 'zod';

import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Operation, SuccessBody } from '../../operations/operation.ts';
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
  const { summary, description, refusedByTools } = operation;
  const fields = Object.entries(operation.input.shape).filter(([field]) => !(field in refusedByTools));
  return {
    operation,
    description: describe(summary, description),
    input: z.object(Object.fromEntries(fields)),
  };
}

/** The operations that a key may call, described as tools. */
export function listTools(tools: readonly Tool[], { operations: allowed }: VerifiedKey) {
  const said = new Map<string, string>();
  return tools
    .filter(({ operation }) => allowed === null || allowed.includes(operation.name))
    .map((tool) => {
      const { inputSchema, others } = toInputSchema(tool, said);
      const elsewhere =
        others.length === 0 ? '' : ` Fields without a description are as in ${others.join(' and ')}.`;
      const { name } = tool.operation;
      return {
        name,
        title: capitalise(name.replaceAll('-', ' ')),
        description: tool.description + elsewhere,
        inputSchema,
        outputSchema: withoutDescriptions(toObjectSchema(tool.operation.output, 'output')),
        annotations: annotate(tool),
      };
    });
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
 * The sentence for lists, then the first paragraph of the reference. It stays short because an agent reads all tools
 * before each task.
 */
function describe(summary: string, description: string): string {
  const first = firstParagraph(description);
  const sentence = summary.replace(/\.?$/, '.');
  return first.startsWith(summary) ? first : `${sentence} ${first}`;
}

function firstParagraph(description: string): string {
  return description.split(/\n\s*\n/)[0] ?? '';
}

/**
 * @param said the descriptions of fields so far, each with the first tool that has it, because an agent needs each only
 * once
 * @returns also the tools that describe the other fields
 */
function toInputSchema({ input, operation }: Tool, said: Map<string, string>) {
  const { name: tool, example } = operation;
  const mainField = withRecipe(operation)?.recipe.field;
  const { properties, required } = toObjectSchema(input, 'input');
  const others = new Set<string>();
  const shown = Object.entries(properties).map(([field, whole]) => {
    // Every word costs an agent's attention, and the service explains a value that it refuses.
    const { pattern: _, ...schema } = whole;
    const text = `${field}: ${String(schema['description'])}`;
    const other = said.get(text);
    if (other === undefined) {
      said.set(text, tool);
      return [field, schema] as const;
    }
    others.add(other);
    const { description: _description, ...undescribed } = schema;
    return [field, undescribed] as const;
  });
  // Some operations take any of several fields and require none, so an example shows what to send.
  const needsExample = required.length === 0 && mainField !== undefined && mainField in example.input;
  const inputSchema = {
    type: 'object' as const,
    properties: Object.fromEntries(shown),
    required: [...required],
    additionalProperties: false,
    ...(needsExample ? { examples: [example.input] } : {}),
  };
  return { inputSchema, others: [...others] };
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
