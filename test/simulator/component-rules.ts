import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { objectsOf, isObject } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { invalidForm } from './rest-route.ts';

const SELECTS: ReadonlySet<unknown> = new Set([
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
]);

/** The top level of a message without the components-v2 flag: rows only. */
const LEGACY_TOP: ReadonlySet<unknown> = new Set([ComponentType.ActionRow]);
const V2_TOP: ReadonlySet<unknown> = new Set([
  ComponentType.ActionRow,
  ComponentType.Section,
  ComponentType.TextDisplay,
  ComponentType.MediaGallery,
  ComponentType.File,
  ComponentType.Separator,
  ComponentType.Container,
]);
const IN_CONTAINER: ReadonlySet<unknown> = new Set(
  [...V2_TOP].filter((type) => type !== ComponentType.Container),
);

/** A component and its path, as in `components.0.components.1`. */
interface Placed {
  readonly component: JsonObject;
  readonly path: string;
}

/** All components of a message or modal with what is nested in them, outer ones first. */
export function* walkComponents(list: unknown, path = 'components'): Generator<Placed> {
  for (const [index, component] of objectsOf(list).entries()) {
    const here = `${path}.${index}`;
    yield { component, path: here };
    yield* walkComponents(component['components'], `${here}.components`);
    for (const key of ['accessory', 'component']) {
      const inner = component[key];
      if (isObject(inner)) yield { component: inner, path: `${here}.${key}` };
    }
  }
}

/** Refuses components that Discord refuses: https://docs.discord.com/developers/components/reference */
export function checkComponents(components: unknown, isV2: boolean): void {
  const top = objectsOf(components);
  if (!isV2 && top.length > 5)
    throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be 5 or fewer in length.');
  checkKinds(top, isV2 ? V2_TOP : LEGACY_TOP, 'components');
  const seen = new Set<unknown>();
  let count = 0;
  let characters = 0;
  for (const { component, path } of walkComponents(components)) {
    count += 1;
    checkOne(component, path);
    if (component['type'] === ComponentType.TextDisplay) characters += String(component['content']).length;
    const customId = component['custom_id'];
    if (customId === undefined) continue;
    if (seen.has(customId)) {
      const text = 'Component custom id cannot be duplicated';
      throw invalidForm(`${path}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', text);
    }
    seen.add(customId);
  }
  if (count > 40) {
    throw invalidForm(
      'components',
      'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      'The total number of components must not exceed 40.',
    );
  }
  if (characters > 4000) {
    const text = 'The total displayable text size must not exceed 4000 characters.';
    throw invalidForm('components', 'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED', text);
  }
}

/** A text of `min` to `max` characters. */
export function checkText(value: unknown, path: string, min: number, max: number): void {
  if (value === undefined && min === 0) return;
  if (value === undefined || value === null)
    throw invalidForm(path, 'BASE_TYPE_REQUIRED', 'This field is required');
  if (typeof value !== 'string')
    throw invalidForm(path, 'STRING_TYPE_CONVERT', 'Could not interpret as a string.');
  // Discord counts characters, not UTF-16 units.
  const { length } = Array.from(value);
  if (length < min || length > max) {
    throw invalidForm(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
  }
}

function checkKinds(list: readonly JsonObject[], allowed: ReadonlySet<unknown>, path: string): void {
  for (const [index, { type }] of list.entries()) {
    if (allowed.has(type)) continue;
    const text = `Value of field "type" must be one of (${[...allowed].join(', ')}).`;
    throw invalidForm(`${path}.${index}`, 'UNION_TYPE_CHOICES', text);
  }
}

function checkOne(component: JsonObject, path: string): void {
  const children = objectsOf(component['components']);
  switch (component['type']) {
    case ComponentType.ActionRow:
      checkRow(children, path);
      break;
    case ComponentType.Container:
      checkLength(children, `${path}.components`, 1, 40);
      checkKinds(children, IN_CONTAINER, `${path}.components`);
      break;
    case ComponentType.Section:
      checkLength(children, `${path}.components`, 1, 3);
      checkKinds(children, new Set([ComponentType.TextDisplay]), `${path}.components`);
      if (!isObject(component['accessory'])) {
        throw invalidForm(`${path}.accessory`, 'BASE_TYPE_REQUIRED', 'This field is required');
      }
      break;
    case ComponentType.TextDisplay:
      checkText(component['content'], `${path}.content`, 1, 4000);
      break;
    case ComponentType.MediaGallery:
      checkLength(objectsOf(component['items']), `${path}.items`, 1, 10);
      break;
    case ComponentType.Button:
      checkButton(component, path);
      break;
    default:
      if (SELECTS.has(component['type'])) checkSelect(component, path);
  }
}

function checkRow(children: readonly JsonObject[], path: string): void {
  checkLength(children, `${path}.components`, 1, 5);
  const allowed = new Set<unknown>([ComponentType.Button, ComponentType.TextInput, ...SELECTS]);
  checkKinds(children, allowed, `${path}.components`);
  if (children.length > 1 && children.some(({ type }) => type !== ComponentType.Button)) {
    const text = 'A row holds up to five buttons or one other component.';
    throw invalidForm(`${path}.components`, 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', text);
  }
}

function checkButton(button: JsonObject, path: string): void {
  if (button['style'] === ButtonStyle.Premium) return;
  checkText(button['label'], `${path}.label`, 0, 80);
  if (!button['label'] && !isObject(button['emoji'])) {
    throw invalidForm(path, 'BUTTON_COMPONENT_INVALID_LABEL', 'A button must have a label or an emoji.');
  }
  if (button['style'] === ButtonStyle.Link) {
    checkText(button['url'], `${path}.url`, 1, 512);
    if (!/^(https?|discord):\/\//.test(String(button['url']))) {
      throw invalidForm(
        `${path}.url`,
        'URL_TYPE_INVALID_SCHEME',
        'Scheme must be one of (http, https, discord).',
      );
    }
  } else checkText(button['custom_id'], `${path}.custom_id`, 1, 100);
}

function checkSelect(select: JsonObject, path: string): void {
  checkText(select['custom_id'], `${path}.custom_id`, 1, 100);
  checkText(select['placeholder'], `${path}.placeholder`, 0, 150);
  if (select['type'] !== ComponentType.StringSelect) return;
  const options = objectsOf(select['options']);
  checkLength(options, `${path}.options`, 1, 25);
  const values = new Set<unknown>();
  for (const [index, option] of options.entries()) {
    checkText(option['label'], `${path}.options.${index}.label`, 1, 100);
    checkText(option['value'], `${path}.options.${index}.value`, 1, 100);
    checkText(option['description'] ?? undefined, `${path}.options.${index}.description`, 0, 100);
    if (values.has(option['value'])) {
      const text = 'The specified option value is already used';
      throw invalidForm(`${path}.options.${index}.value`, 'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', text);
    }
    values.add(option['value']);
  }
}

function checkLength(list: readonly unknown[], path: string, min: number, max: number): void {
  if (list.length >= min && list.length <= max) return;
  throw invalidForm(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
}
