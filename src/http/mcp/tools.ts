import * as z from 'zod';

import type { VerifiedKey } from '../../guild-keys/guild-keys.ts';
import type { Operation, SuccessBody } from '../../operations/operation.ts';
import { SECRET_HEADERS } from '../../operations/secret-headers.ts';
import { Problem } from '../../kernel/problem.ts';
import { withRecipe } from '../../recipes/recipe-operations.ts';
import { isStreamedValue, type StreamedValue } from '../../kernel/streamed-value.ts';
import { toJsonText } from '../answer/write-json.ts';
import { capitalise } from '../count-in-words.ts';
import { toObjectSchema } from '../openapi/json-schema.ts';

/**
 * The largest result of a tool, as text and as an object together. With what the protocol puts around it, a response has
 * at most 1 MiB.
 */
const RESULT_BYTES_MAX = 1024 * 1024 - 1024;
/** Base64 above this is only in the object, because no model can read it. */
const BASE64_IN_TEXT_BYTES_MAX = 64 * 1024;

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
      outputSchema: toOutputSchema(tool.operation),
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
function describe({ summary, description, secretHeader, forTools }: Operation): string {
  const first = firstParagraph(description);
  const sentence = summary.replace(/\.?$/, '.');
  const whole = first.startsWith(summary) ? first : `${sentence} ${first}`;
  const secret = secretHeader === null ? '' : SECRET_HEADERS[secretHeader].forTools;
  return [whole, forTools, secret].filter((part) => part !== '').join(' ');
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

/** The schema by which programs check answers, and in which models read what a key of an answer asks of them. */
function toOutputSchema({ output }: Operation) {
  const { properties, required } = toObjectSchema(output, 'output');
  return { type: 'object' as const, properties, required: [...required] };
}

/** An answer as a model reads it, and as an object for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly structuredContent: Record<string, unknown>;
}

/**
 * The JSON of an answer, as the API sends it.
 * @throws Problem `bad_request` when it is too large
 */
export function writeAnswer(answer: SuccessBody): ToolAnswer {
  const json = toJsonText(answer, RESULT_BYTES_MAX);
  if (json === null) throw new Problem('bad_request/tool_answer');
  const isShort = Object.values(answer).every((value) => !isLongBase64(value));
  const text = isShort ? json : JSON.stringify(withoutLongBase64(answer));
  // In the response, the text is a string of JSON.
  const bytes = Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(text));
  if (bytes > RESULT_BYTES_MAX) throw new Problem('bad_request/tool_answer');
  return { text, structuredContent: readObject(json) };
}

function isLongBase64(value: unknown): value is StreamedValue {
  return isStreamedValue(value) && value.isText === true && value.jsonByteLength > BASE64_IN_TEXT_BYTES_MAX;
}

/** Says in place of base64 where it is. */
function withoutLongBase64(answer: SuccessBody): object {
  const entries = Object.entries(answer).map(([key, value]) => [
    key,
    isLongBase64(value) ? `(${value.jsonByteLength} bytes, in structuredContent)` : value,
  ]);
  return Object.fromEntries(entries);
}

/** The answer as an object. Streamed values have already become plain JSON. */
function readObject(text: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
