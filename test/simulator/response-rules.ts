import { ComponentType, InteractionResponseType, InteractionType } from 'discord-api-types/v10';
import { checkText } from './component-rules.ts';
import { isObject, objectsOf } from './read-json.ts';
import { invalidForm } from './rest-route.ts';

const MESSAGES = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
];
const UPDATES = [InteractionResponseType.DeferredMessageUpdate, InteractionResponseType.UpdateMessage];

/** Which answers an interaction may have. `hasMessage`: it came from a component, or a modal opened by one. */
export function checkResponseType(
  type: unknown,
  interaction: InteractionType,
  hasMessage: boolean,
): InteractionResponseType {
  const allowed: InteractionResponseType[] = [];
  if (interaction === InteractionType.ApplicationCommandAutocomplete) {
    allowed.push(InteractionResponseType.ApplicationCommandAutocompleteResult);
  } else {
    allowed.push(...MESSAGES, InteractionResponseType.LaunchActivity);
    if (hasMessage) allowed.push(...UPDATES);
    if (interaction !== InteractionType.ModalSubmit) allowed.push(InteractionResponseType.Modal);
  }
  const found = allowed.find((each) => each === type);
  if (found !== undefined) return found;
  throw invalidForm('type', 'BASE_TYPE_CHOICES', `Value must be one of {${allowed.join(', ')}}.`);
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-autocomplete */
export function checkChoices(data: unknown): void {
  const choices = objectsOf(isObject(data) ? data['choices'] : null);
  if (choices.length > 25)
    throw invalidForm('data.choices', 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  for (const [index, { name, value }] of choices.entries()) {
    checkText(name, `data.choices.${index}.name`, 1, 100);
    if (typeof value !== 'number') checkText(value, `data.choices.${index}.value`, 1, 100);
  }
}

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
export function checkModal(data: unknown): void {
  const modal = isObject(data) ? data : {};
  checkText(modal['custom_id'], 'data.custom_id', 1, 100);
  checkText(modal['title'], 'data.title', 1, 45);
  const components = objectsOf(modal['components']);
  if (components.length < 1 || components.length > 5) {
    throw invalidForm('data.components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  }
  const seen = new Set<unknown>();
  for (const [index, component] of components.entries()) {
    const path = `data.components.${index}`;
    if (component['type'] === ComponentType.TextDisplay) continue;
    const isLabel = component['type'] === ComponentType.Label;
    if (isLabel) checkText(component['label'], `${path}.label`, 1, 45);
    if (isLabel) checkText(component['description'] ?? undefined, `${path}.description`, 0, 100);
    const field = isLabel ? component['component'] : objectsOf(component['components'])[0];
    if (!isObject(field)) throw invalidForm(path, 'BASE_TYPE_REQUIRED', 'This field is required');
    checkText(field['custom_id'], `${path}.custom_id`, 1, 100);
    if (seen.has(field['custom_id'])) {
      const text = 'Component custom id cannot be duplicated';
      throw invalidForm(`${path}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', text);
    }
    seen.add(field['custom_id']);
    checkText(
      field['placeholder'],
      `${path}.placeholder`,
      0,
      field['type'] === ComponentType.TextInput ? 100 : 150,
    );
    if (field['type'] !== ComponentType.TextInput) continue;
    checkText(field['value'], `${path}.value`, 0, 4000);
    if (!isLabel) checkText(field['label'], `${path}.label`, 1, 45);
  }
}
