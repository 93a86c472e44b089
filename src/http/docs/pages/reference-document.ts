import * as z from 'zod';

import type { Schema } from '../../openapi/json-schema.ts';

const types = z.union([z.string(), z.array(z.string())]).optional();
const property = z.looseObject({
  type: types,
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  items: z.looseObject({ type: types }).optional(),
});
const object = z.looseObject({
  properties: z.record(z.string(), property).default({}),
  required: z.array(z.string()).default([]),
});
const reference = z.object({ $ref: z.string() });
const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['query', 'header']),
  description: z.string().optional(),
  required: z.boolean().default(false),
  schema: property,
});
const content = z.looseObject({
  schema: z.union([reference, z.looseObject({ anyOf: z.array(reference) }), property]),
  examples: z
    .record(z.string(), z.looseObject({ summary: z.string().optional(), value: z.unknown() }))
    .optional(),
});
const response = z.looseObject({
  description: z.string(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.unknown()).default({}),
});
const method = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z
    .looseObject({
      description: z.string(),
      content: z.record(z.string(), z.looseObject({ schema: z.unknown() })),
    })
    .optional(),
  responses: z.record(z.string(), response),
});
const document = z.looseObject({
  info: z.looseObject({ description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), method)),
  components: z.looseObject({
    parameters: z.record(z.string(), parameter),
    schemas: z.record(z.string(), object),
  }),
});

export type ReferenceDocument = z.infer<typeof document>;
export type ReferenceMethod = z.infer<typeof method>;
export type ReferenceParameter = z.infer<typeof parameter>;
export type ReferenceProperty = z.infer<typeof property>;

/** The parts of an OpenAPI document that the reference shows. */
export function readReference(openApi: Schema): ReferenceDocument {
  return document.parse(openApi);
}

/** The JSON of a response, with its examples. */
export function readContent(given: unknown): z.infer<typeof content> | null {
  return content.safeParse(given).data ?? null;
}

/** The last part of a `$ref`. */
export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** The name of the schema in plain form: of a plain and a flat one it is the first. */
export function schemaNameOf(schema: unknown): string | null {
  const alone = reference.safeParse(schema).data;
  const [first] = z.object({ anyOf: z.array(reference) }).safeParse(schema).data?.anyOf ?? [];
  const ref = alone?.$ref ?? first?.$ref;
  return ref === undefined ? null : refName(ref);
}
