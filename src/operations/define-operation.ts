import * as z from 'zod';

import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import { FieldNames } from './field-names.ts';
import { listIdFields } from './fields.ts';
import { problemFromIssues } from './input-problem.ts';
import type { Operation, OperationDefinition, Shape, SuccessBody } from './operation.ts';
import { refuseNames } from './refused-names.ts';

const OK = z.literal(true);

const DEFAULTS = {
  secretHeader: null,
  takesIdempotencyKey: false,
  refusedFields: {},
  mistakenFields: {},
  readOnly: true,
  noCommandReason: null,
  forTools: '',
  refusedByMcp: {},
  mcpDefaults: () => ({}),
  aboutMembers: false,
  refuseFilters: null,
  revalidates: false,
  bucket: 'guild',
  bodyBytesMax: 256 * 1024,
  textField: null,
  readWholeBody: null,
} as const;

/**
 * Defines an operation. HTTP, Discord, the documents and the recipes read everything from this definition, and know no
 * operation by name.
 * @example
 * export const shout = defineOperation({
 *   name: 'shout', path: '/api/shout', method: 'POST',
 *   summary: 'Writes a text in capitals', description: 'Letters without capitals stay.',
 *   input: z.object({ text: z.string().max(4_000).describe('The text') }),
 *   output: z.object({ text: z.string() }),
 *   example: { input: { text: 'hello' }, answer: { text: 'HELLO' } },
 *   problems: [], textField: 'text',
 *   run: ({ text }) => ({ value: { text: text.toUpperCase() } }),
 * });
 */
export function defineOperation<Input extends Shape, Out extends z.ZodObject>(
  definition: OperationDefinition<Input, Out>,
): Operation<z.output<Out>, keyof Input & string> {
  const all = { ...DEFAULTS, ...definition };
  const { example, input, textField, revalidates, refuseFilters } = all;
  const keepsEmpty = definition.keepsEmpty ?? (textField === null ? [] : [textField]);
  const refused = refuseNames(all.refusedFields, all.secretHeader);
  const names = new FieldNames({
    fields: Object.keys(input.shape),
    keepsEmpty,
    refused: new Map([...(refuseFilters?.(input.shape) ?? []), ...refused]),
    refusedByMcp: all.refusedByMcp,
    idFields: refuseFilters === null ? null : listIdFields(input.shape),
    mistaken: Object.keys(all.mistakenFields),
  });
  const mistakenKeys = new Map(Object.entries<ProblemTextKey>(all.mistakenFields));
  // The check itself puts `ok` in front, which saves copying the answer.
  const checked = withOk(definition.output, OK.default(true));

  const answerFields: Operation<z.output<Out>>['answerFields'] = async (given, context) => {
    const parsed = input.safeParse(given);
    if (!parsed.success) {
      const mistaken = Object.keys(given).find((name) => mistakenKeys.has(name)) ?? '';
      throw problemFromIssues(parsed.error.issues, given, mistakenKeys.get(mistaken));
    }

    const { value, notes, version, release, onSent } = await definition.run(parsed.data, context);
    const result = checked.safeParse(value);
    if (!result.success) {
      release?.();
      throw new Problem('internal', { cause: result.error });
    }
    return {
      value: result.data as SuccessBody & z.output<Out>,
      notes,
      // Only declared operations send an ETag, because documents describe only those.
      version: revalidates ? version : undefined,
      release,
      onSent,
    };
  };

  return {
    ...all,
    description: joinLines(definition.description),
    keepsEmpty,
    output: withOk(definition.output, OK),
    example: { volatileKeys: [], ...example, answer: { ok: true, ...example.answer } },
    names,
    async answer(raw, context, isMcpCall = false) {
      const given = names.read(raw, {}, isMcpCall);
      return answerFields(isMcpCall ? { ...all.mcpDefaults(given), ...given } : given, context);
    },
    answerFields,
  };
}

/** Definitions wrap their lines. Readers would see these line breaks in the middle of sentences. */
function joinLines(description: string): string {
  return description.replaceAll(/(?<!\n)\n(?!\n|- ) */g, ' ');
}

function withOk({ shape }: z.ZodObject, ok: z.ZodType): z.ZodObject {
  return z.object({ ok, ...shape });
}
