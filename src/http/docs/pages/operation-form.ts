import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../../../operations/examples.ts';
import type { Operation, SecretHeader } from '../../../operations/operation.ts';
import { SECRET_HEADERS } from '../../../operations/secret-headers.ts';
import { presentationOf } from '../operations/presentations.ts';
import { defaultOf, toObjectSchema, type Schema } from '../../openapi/json-schema.ts';
import { html, type Markup } from './layout.ts';
import { inlineMarkdown } from './guides.ts';
import { describe } from './tables.ts';

export interface FormOptions {
  readonly publicUrl: string;
  /** The field that recipes fill in; null for none. */
  readonly mainField: string | null;
  /** A member of every server that has a key; null without a bot. */
  readonly botId: string | null;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isMain: boolean;
}

/** A form that calls the operation with its values. */
export function operationForm(operation: Operation, options: FormOptions): Markup {
  const { name, method, path, secretHeader, aboutMembers } = operation;
  const fields = fieldsOf(operation, options.mainField);
  const others = fields.filter(({ isMain }) => !isMain);
  const secret = secretHeader === null ? null : secretControl(secretHeader);
  const or = secret === null ? '' : ', or guild_id and the Token of your bot';
  const needs = `It belongs to no server, and ${name} needs a key of your server${or}.`;
  const isSecretMain = secretHeader !== null && SECRET_HEADERS[secretHeader].isRequired;
  return html`<form
    class="panel"
    data-operation="${name}"
    data-method="${method}"
    data-path="..${path}"
    data-url="${options.publicUrl}${path}"
    ${aboutMembers && html`data-needs=" ${needs}"`}
    novalidate
    autocomplete="off"
  >
    <h2>Try it</h2>
    ${isSecretMain && secret}
    ${fields
      .filter(({ isMain }) => isMain)
      .map((field) => control(field, operation, startOf(operation.example.input[field.name], options.botId)))}
    <p class="actions">
      <button type="submit">Send</button>
      <span class="soft small wide-only">or <kbd>Ctrl</kbd> <kbd>Enter</kbd></span>
    </p>
    <noscript><p class="hint">The form needs JavaScript. The request beside it does not.</p></noscript>
    <p class="keyline"><span data-key-state></span> <a href="../docs#key">Your key</a></p>
    ${
      others.length + (secret !== null && !isSecretMain ? 1 : 0) > 0 &&
      html`<details>
        <summary>More fields</summary>
        ${others.map((field) => control(field, operation, EMPTY))} ${!isSecretMain && secret}
      </details>`
    }
  </form>`;
}

function fieldsOf(operation: Operation, mainField: string | null): Field[] {
  const { properties, required } = toObjectSchema(operation.input, 'input');
  const { sharedBox } = presentationOf(operation);
  return Object.entries(properties)
    .filter(([name]) => name !== sharedBox?.fields[1])
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      // A role is not required, because several may be named instead, but nearly all readers ask about one.
      const isMain = name === mainField || name === operation.textField;
      // Where a request begins with a value, the reader sees it. Not so the server, which is the key's.
      const example = operation.example.input[name];
      const isExample = example !== undefined && example !== EXAMPLE_GUILD_ID;
      return { name, schema, isRequired, isMain: isRequired || isMain || isExample };
    });
}

/** The type in which the browser sends the value: a number, a list, a text. */
function kindOf({ type, anyOf }: Schema): string {
  const others = Array.isArray(anyOf) ? (anyOf as Schema[]).map((each) => each['type']) : [];
  const types = [type, ...others].flat();
  if (types.includes('array')) return 'list';
  const isNumber = types.includes('integer') || types.includes('number');
  return isNumber && !types.includes('string') ? 'number' : 'text';
}

/** The explanation of other fields is in their table, and the page copies it here. */
function control({ name, schema, isRequired, isMain }: Field, operation: Operation, start: Start): Markup {
  const choices = Array.isArray(schema['enum']) ? (schema['enum'] as string[]) : null;
  const preset = defaultOf(operation.input, name);
  const { sharedBox } = presentationOf(operation);
  const box = sharedBox?.fields[0] === name ? sharedBox : undefined;
  const hint = box === undefined ? describe(schema) : inlineMarkdown(box.hint);
  if (schema['type'] === 'boolean') {
    return html`<label class="tick">
      <input type="checkbox" name="${name}" data-kind="boolean" ${preset === 'true' && html`checked`} />
      <span><code>${name}</code>${hint.html === '' ? null : [': ', hint]}</span>
    </label>`;
  }
  const id = `field-${name}`;
  const attributes = html`id="${id}" name="${name}" data-kind="${kindOf(schema)}"
  ${isRequired && html`required`} ${hint.html !== '' && html`aria-describedby="${id}-hint"`}`;
  const size = box === undefined ? html`rows="3"` : html`rows="8" data-shared-box="${box.fields.join(' ')}"`;
  let input = html`<input type="text" ${attributes} ${start.attributes} />`;
  if (choices !== null) {
    input = html`<select ${attributes}>
      <option value="">${preset === null ? 'default' : `default (${preset})`}</option>
      ${choices.map((choice) => html`<option ${choice === start.value && html`selected`}>${choice}</option>`)}
    </select>`;
  } else if (name === operation.textField) {
    input = html`<textarea ${attributes} ${size}>${start.value}</textarea>`;
  }
  return html`<div class="field">
    <label for="${id}">${box?.label ?? name}</label>
    ${input} ${hint.html !== '' && html`<p class="hint" id="${id}-hint">${isMain && hint}</p>`}
  </div>`;
}

interface Start {
  readonly value: string;
  /** Attributes of the input. */
  readonly attributes: Markup;
}

const EMPTY: Start = { value: '', attributes: html`` };

/** The ids of the example do not exist, so a form begins with others that work. */
function startOf(example: unknown, botId: string | null): Start {
  // The id of the reader's server is filled in as soon as it is known.
  if (example === EXAMPLE_ROLE_ID || example === EXAMPLE_GUILD_ID)
    return { value: '', attributes: html`placeholder="${example}" data-own-server` };
  const isMember = typeof example === 'string' && EXAMPLE_MEMBER_IDS.includes(example);
  const text = [example ?? ''].flat().map(String).join(', ');
  const value = isMember ? (botId ?? '') : text;
  return { value, attributes: html`value="${value}" ${isMember && html`placeholder="${text}"`}` };
}

function secretControl(header: SecretHeader): Markup {
  const { description, isRequired, variable } = SECRET_HEADERS[header];
  return html`<div class="field">
    <label for="secret">${header} (a header)</label>
    <input
      type="password"
      id="secret"
      autocomplete="off"
      name="${header}"
      data-secret="${variable}"
      aria-describedby="secret-hint"
      ${isRequired && html`required`}
    />
    <p class="hint" id="secret-hint">${inlineMarkdown(description)}</p>
  </div>`;
}
