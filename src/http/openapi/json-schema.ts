import * as z from 'zod';

import { dropDefaults } from '../../operations/fields.ts';

/** A JSON schema (2020-12), or another part of an OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** The fields of an operation as a JSON schema: `input` as callers may send them, `output` as they are answered. */
export function toObjectSchema(object: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(object, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema);
      // zod drops those of a field that is transformed.
      const examples = z.globalRegistry.get(zodSchema)?.['examples'];
      if (Array.isArray(examples)) jsonSchema.examples = examples;
    },
  });
  const fields = properties as Record<string, Schema>;
  return {
    type: 'object',
    properties: io === 'output' ? fields : nameDefaults(fields, object),
    // Later versions may add keys to an answer, so `additionalProperties` stays open.
    required: [...required],
  };
}

/**
 * The fields with their defaults in their descriptions. Client generators treat a field with a `default` as always
 * present, and then require it.
 */
function nameDefaults(fields: Readonly<Record<string, Schema>>, object: z.ZodObject): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { default: _, ...schema } = field;
      const value = defaultOf(object, name);
      const { description } = schema;
      if (value === null || typeof description !== 'string') return [name, schema];
      return [name, { ...schema, description: `${description.replace(/\.?$/, '.')} Default \`${value}\`.` }];
    }),
  );
}

/** The default of a field, as callers write it. Null for none, and for an empty text or a switch that is off. */
export function defaultOf(object: z.ZodObject, name: string): string | null {
  const { data } = z.safeParse(object.shape[name] ?? z.never(), undefined);
  if (data === true) return 'true';
  return typeof data === 'string' && data !== '' ? data : null;
}

function tidy(schema: Record<string, unknown>): void {
  delete schema['$schema'];
  dropDefaults(schema);
  // If `meta` says what a field takes, the description uses only that, without its inner type.
  if (schema['anyOf'] !== undefined) {
    delete schema['type'];
    delete schema['minimum'];
    delete schema['maximum'];
  }
  delete schema['propertyNames'];
}

/** The same schema without null, and whether it allowed null. */
export function splitNull(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  const { type, anyOf } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const types = type.filter((name) => name !== 'null');
    return { schema: { ...schema, type: types.length === 1 ? types[0] : types }, nullable: true };
  }
  if (Array.isArray(anyOf)) {
    const others = (anyOf as Schema[]).filter((each) => each['type'] !== 'null');
    if (others.length < anyOf.length) {
      const { anyOf: _, ...rest } = schema;
      return {
        schema: others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others },
        nullable: true,
      };
    }
  }
  return { schema, nullable: false };
}
