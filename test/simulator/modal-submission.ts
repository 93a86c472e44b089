import { ComponentType } from 'discord-api-types/v10';
import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { isObject, objectsOf, textOf } from './read-json.ts';
import type { JsonObject } from './read-json.ts';

/** By custom id: the text of an input, or the values of a select. */
export type ModalValues = Readonly<Record<string, string | readonly string[]>>;

/** Fills in a modal as Discord's client does; refuses what it would not let a user submit. */
export function fillModal(modal: APIModalInteractionResponseCallbackData, values: ModalValues): JsonObject {
  const unused = new Set(Object.keys(values));
  const fill = (field: JsonObject): JsonObject => {
    const customId = textOf(field['custom_id']);
    unused.delete(customId);
    return fillField(field, values[customId]);
  };
  const components = objectsOf(modal.components).map((component) => {
    const { type } = component;
    if (type === ComponentType.TextDisplay) return { type };
    if (type === ComponentType.Label && isObject(component['component'])) {
      return { type, component: fill(component['component']) };
    }
    return { type, components: objectsOf(component['components']).map(fill) };
  });
  if (unused.size > 0) throw new Error(`The modal has no field ${[...unused].join(', ')}.`);
  return { custom_id: modal.custom_id, components };
}

function fillField(field: JsonObject, given: string | readonly string[] | undefined): JsonObject {
  const { type, custom_id } = field;
  const isRequired = field['required'] !== false;
  if (type === ComponentType.TextInput) {
    const value = typeof given === 'string' ? given : textOf(field['value']);
    if (isRequired && value === '') throw new Error(`The field ${textOf(custom_id)} must be filled in.`);
    if (value.length > Number(field['max_length'] ?? 4000))
      throw new Error(`The text of ${textOf(custom_id)} is too long.`);
    if (value !== '' && value.length < Number(field['min_length'] ?? 0)) {
      throw new Error(`The text of ${textOf(custom_id)} is too short.`);
    }
    return { type, custom_id, value };
  }
  const chosen = (typeof given === 'string' ? [given] : given) ?? defaultsOf(field);
  if (isRequired && chosen.length < Number(field['min_values'] ?? 1)) {
    throw new Error(`Too little is chosen in ${textOf(custom_id)}.`);
  }
  const offered = objectsOf(field['options']).map((option) => option['value']);
  const wrong = type === ComponentType.StringSelect ? chosen.filter((value) => !offered.includes(value)) : [];
  if (wrong.length > 0) throw new Error(`${textOf(custom_id)} does not offer ${wrong.join(', ')}.`);
  return { type, custom_id, values: chosen };
}

function defaultsOf(field: JsonObject): string[] {
  return objectsOf(field['options'])
    .filter((option) => option['default'] === true)
    .map((option) => textOf(option['value']));
}
