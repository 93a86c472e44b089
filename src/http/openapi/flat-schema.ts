import { PAYLOADS, UNJOINED } from '../answer/flat.ts';
import { splitNull, type ObjectSchema, type Schema } from './json-schema.ts';

const EMPTY: Schema = { type: 'string', const: '', description: 'Stands for null.' };

interface FlatSchema {
  readonly properties: Record<string, Schema>;
  readonly patternProperties: Record<string, Schema>;
  readonly required: string[];
}

/** The schema of the same answer with `flat=true`, see flatten(). */
export function toFlatSchema(schema: ObjectSchema): Schema {
  const flat: FlatSchema = { properties: {}, patternProperties: {}, required: [] };
  for (const [name, property] of Object.entries(schema.properties)) {
    addProperty(flat, name, property, schema.required.includes(name));
  }
  const { properties, patternProperties, required } = flat;
  return {
    type: 'object',
    properties,
    ...(Object.keys(patternProperties).length === 0 ? {} : { patternProperties }),
    required,
  };
}

function addProperty(flat: FlatSchema, name: string, property: Schema, required: boolean): void {
  const { schema, nullable } = splitNull(property);
  if (schema['type'] === 'array') {
    addList(flat, name, schema, required && !nullable);
    if (nullable) flat.properties[name] = EMPTY;
  } else if (schema['type'] === 'object') {
    addObject(flat, name, schema);
  } else {
    flat.properties[name] = schema['type'] === 'null' ? EMPTY : nullable ? orEmpty(schema) : schema;
    if (required) flat.required.push(name);
  }
}

function orEmpty(schema: Schema): Schema {
  return schema['type'] === 'string' && schema['enum'] === undefined ? schema : { anyOf: [schema, EMPTY] };
}

function addList(flat: FlatSchema, name: string, schema: Schema, required: boolean): void {
  if (name === PAYLOADS) {
    flat.patternProperties[`^${name}_[1-9][0-9]*$`] = {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'A body for Discord, as JSON text.',
    };
    return;
  }
  if (!UNJOINED.has(name)) {
    flat.properties[`${name}_text`] = { type: 'string', description: 'All entries, joined by `separator`.' };
    if (required) flat.required.push(`${name}_text`);
  }
  const items = schema['items'] as Schema;
  const number = `${name}_[1-9][0-9]*`;
  if (items['type'] !== 'object') {
    flat.patternProperties[`^${number}$`] = items;
    return;
  }
  for (const [key, entry] of Object.entries(items['properties'] as Record<string, Schema>)) {
    if (entry['type'] !== 'array') flat.patternProperties[`^${number}_${key}$`] = entry;
    else flat.patternProperties[`^${number}_${key}_([1-9][0-9]*|text)$`] = { type: 'string' };
  }
}

function addObject(flat: FlatSchema, name: string, schema: Schema): void {
  const entry = schema['additionalProperties'] as Schema | undefined;
  if (entry !== undefined) flat.patternProperties[`^${name}_[a-z0-9_]+$`] = entry;
  for (const [key, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    addProperty(flat, `${name}_${key}`, inner, false);
  }
}
