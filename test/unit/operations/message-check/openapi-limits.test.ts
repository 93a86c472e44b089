import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { SHAPES, type FieldSpec } from '../../../../src/operations/message-check/message-fields.ts';

// Discord's own description of its API has the numbers too.

const FILE = process.env['DISCORD_OPENAPI'] ?? '';
const isMissing = !existsSync(FILE);
if (isMissing) {
  process.stderr.write(
    "Skipped: the limits of messages; DISCORD_OPENAPI names no file with Discord's description\n",
  );
}

const property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const document = z.object({
  components: z.object({
    schemas: z.record(
      z.string(),
      z.looseObject({
        properties: z.record(z.string(), property).optional(),
        required: z.array(z.string()).optional(),
      }),
    ),
  }),
});

/** Where Discord's documents say more than this file. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'MessageCreateRequest.components': 'the sum of all components has that limit',
  'IncomingWebhookRequestPartial.components': 'the same',
  'IncomingWebhookInteractionRequest.components': 'the same',
  'MessageCreateRequest.content': 'messages of bots have 2,000 characters; 4,000 are for people with Nitro',
  'PollMediaCreateRequest.text': 'the documents give answers 55 characters',
  'MessageReferenceRequest.type': 'the documents know forwards too',
  'MessageAttachmentRequest.id': 'the id of a new attachment is an index',
  'MessageAllowedMentionsRequest.parse': 'no more than the three kinds',
  'PollEmojiCreateRequest.name': 'judged together with the id',
};

/** Fields of these schemas that are not judged. */
const UNJUDGED = new Set(['ComponentEmojiForRequest.name']);

const limitOf = (spec: FieldSpec, name: 'min' | 'max') =>
  (name in spec ? Reflect.get(spec, name) : undefined) as number | undefined;

/** Discord's limits of a field, or null for a type that has none. */
function boundsOf(type: FieldSpec['type'], given: z.infer<typeof property>) {
  switch (type) {
    case 'text':
    case 'url':
      return { min: given.minLength, max: given.maxLength };
    case 'list':
      return { min: given.minItems, max: given.maxItems };
    case 'integer':
      return { min: given.minimum, max: given.maximum };
    default:
      return null;
  }
}

test.skipIf(isMissing)("each limit, required field and name equals that of Discord's own description", () => {
  const { schemas } = document.parse(JSON.parse(readFileSync(FILE, 'utf8'))).components;
  const wrong: string[] = [];
  let compared = 0;
  for (const { schemas: names, fields: specs } of Object.values(SHAPES)) {
    for (const name of names) {
      const schema = schemas[name];
      if (schema === undefined) {
        wrong.push(`${name} is gone`);
        continue;
      }
      const { properties = {}, required = [] } = schema;
      for (const [field, given] of Object.entries(properties)) {
        const spec = Object.hasOwn(specs, field) ? specs[field] : undefined;
        const at = `${name}.${field}`;
        if (at in OTHERWISE || UNJUDGED.has(at)) continue;
        if (spec === undefined) {
          wrong.push(`${at} is not in the table`);
          continue;
        }
        const { min = 0, max } = ('choices' in spec ? null : boundsOf(spec.type, given)) ?? {};
        if (max !== undefined && limitOf(spec, 'max') !== max) wrong.push(`${at}: at most ${max}`);
        if (min > 0 && limitOf(spec, 'min') !== min) wrong.push(`${at}: at least ${min}`);
        if (required.includes(field) !== (spec.required === true) && name !== 'PollMedia')
          wrong.push(`${at}: required`);
        compared += 1;
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(150);
});
