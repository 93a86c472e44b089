import { EXAMPLE_GUILD_ID, EXAMPLE_MEMBER_IDS, EXAMPLE_ROLE_ID } from '../../../operations/examples.ts';
import type { Operation, SecretHeader } from '../../../operations/operation.ts';
import type { ToolId } from '../../../builders.ts';
import { withRecipe } from '../../../recipes/recipe-operations.ts';
import { splitNull, toObjectSchema, type Schema } from '../../openapi/json-schema.ts';
import { html, inlineMarkdown, markdown, type Markup } from './html.ts';
import { recipePanel } from './recipe-panel.ts';

interface SectionOptions {
  readonly publicUrl: string;
  readonly tool: ToolId;
  /** A member of every server that has a key; null where there is no bot. */
  readonly botId: string | null;
}

/** One operation: what it does, a form that runs it, the recipe, and the keys of its answer. */
export function operationSection(operation: Operation, options: SectionOptions): Markup {
  const { name, path, method, summary, description } = operation;
  const recipe = withRecipe(operation);
  return html`<section class="operation" id="${name}" aria-labelledby="${name}-title">
    <header>
      <p class="plate"><span class="method">${method}</span> <code>${path}</code></p>
      <h2 id="${name}-title">${name}</h2>
      <p class="lead">${inlineMarkdown(summary.replace(/\.?$/, '.'))}</p>
    </header>
    <div class="bench">
      ${tryForm(operation, options)}
      ${recipe === null ? null : recipePanel(recipe, options.publicUrl, options.tool)}
    </div>
    <details class="keys">
      <summary>More about ${name}</summary>
      <div class="prose">${markdown(description)}</div>
    </details>
    ${answerTable(operation)}
  </section>`;
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isMain: boolean;
}

function tryForm(operation: Operation, { botId }: SectionOptions): Markup {
  const { name, method, path, secretHeader } = operation;
  const { properties, required } = toObjectSchema(operation.input, 'input');
  const fields = Object.entries(properties).map(([field, schema]): Field => {
    const isRequired = required.includes(field);
    // A role is not required where several may be named instead, and yet it is what nearly everybody asks for.
    return {
      name: field,
      schema,
      isRequired,
      isMain: isRequired || field === withRecipe(operation)?.recipe.field,
    };
  });
  const others = fields.filter(({ isMain }) => !isMain);
  const secret = secretHeader === null ? null : SECRETS[secretHeader];
  const secretField = secret === null ? null : secretControl(name, secret);
  return html`<form class="try" data-operation="${name}" data-method="${method}" data-path="${path.slice(1)}">
    <div>
      <h3>Try it</h3>
      ${secret?.isMain === true ? secretField : null}
      ${fields.filter(({ isMain }) => isMain).map((field) => control(operation, field, botId))}
      ${
        others.length === 0
          ? null
          : html`<details>
              <summary>More fields</summary>
              <div class="more">
                ${others.map((field) => control(operation, field, null))}
                ${secret?.isMain === false ? secretField : null}
              </div>
            </details>`
      }
      <p class="actions"><button type="submit">Send</button> <output></output></p>
    </div>
    <div class="outcome">
      <p class="empty" data-empty>The answer appears here.</p>
      <pre class="answer" tabindex="0" role="region" aria-label="Answer of ${name}" hidden></pre>
      <div data-after hidden>
        <button type="button" class="quiet" data-copy-answer>Copy the answer</button>
        <ol class="chat" aria-label="The chunks as messages of ${name}" hidden></ol>
      </div>
    </div>
  </form>`;
}

function control({ name, textField, example }: Operation, field: Field, botId: string | null): Markup {
  const { schema, isRequired, isMain } = field;
  const id = `${name}-${field.name}`;
  const { value, placeholder, isOwnServer } = isMain ? startOf(example.input[field.name], botId) : EMPTY;
  const description = schema['description'];
  const hint = typeof description === 'string' ? description : '';
  const choices = choicesOf(schema);
  const isLong = field.name === textField;
  const attributes = html`id="${id}"
  name="${field.name}"${isRequired ? html` required` : null}${
    hint === '' ? null : html` aria-describedby="${id}-hint"`
  }`;
  return html`<div class="field${isLong ? ' long' : ''}">
    <label for="${id}">${field.name}</label>
    ${
      choices !== null
        ? html`<select ${attributes}>
            <option value="">default</option>
            ${choices.map((choice) => html`<option>${choice}</option>`)}
          </select>`
        : isLong
          ? html`<textarea ${attributes} rows="3" spellcheck="false">${value}</textarea>`
          : html`<input
              ${attributes}
              value="${value}"
              placeholder="${placeholder}"
              ${isOwnServer ? html`data-own-server` : null}
              spellcheck="false"
              autocomplete="off"
            />`
    }
    ${hint === '' ? null : html`<p class="hint" id="${id}-hint">${inlineMarkdown(hint)}</p>`}
  </div>`;
}

interface Start {
  readonly value: string;
  readonly placeholder: string;
  /** The id of the reader's server is put in as soon as it is known. */
  readonly isOwnServer: boolean;
}

const EMPTY: Start = { value: '', placeholder: '', isOwnServer: false };

/** The ids of the example do not exist, so a form begins with others that work. */
function startOf(example: unknown, botId: string | null): Start {
  if (example === EXAMPLE_ROLE_ID || example === EXAMPLE_GUILD_ID) {
    return { value: '', placeholder: example, isOwnServer: true };
  }
  if (typeof example === 'string' && EXAMPLE_MEMBER_IDS.includes(example)) {
    return { value: botId ?? '', placeholder: example, isOwnServer: false };
  }
  const value = Array.isArray(example) ? example.join(', ') : typeof example === 'string' ? example : '';
  return { ...EMPTY, value };
}

function choicesOf(schema: Schema): readonly string[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'] as string[];
  return schema['type'] === 'boolean' ? ['true', 'false'] : null;
}

interface Secret {
  readonly header: SecretHeader;
  readonly hint: string;
  /** Nothing works without it. */
  readonly isMain: boolean;
}

const SECRETS: Readonly<Record<SecretHeader, Secret>> = {
  Token: {
    header: 'Token',
    hint: "Your bot's token, for servers other than that of your key. It is sent with this call and kept nowhere.",
    isMain: false,
  },
  Webhook: {
    header: 'Webhook',
    hint: 'The address of a webhook of your server: *Channel settings > Integrations > Webhooks > Copy Webhook URL*. Whoever has it can post there, so it is sent with this call and never stored or logged.',
    isMain: true,
  },
};

function secretControl(operation: string, { header, hint, isMain }: Secret): Markup {
  const id = `${operation}-${header.toLowerCase()}`;
  return html`<div class="field">
    <label for="${id}">${header} (a header)</label>
    <input
      id="${id}"
      data-secret="${header}"
      type="password"
      autocomplete="off"
      spellcheck="false"
      ${isMain ? html`required` : null}
      aria-describedby="${id}-hint"
    />
    <p class="hint" id="${id}-hint">${inlineMarkdown(hint)}</p>
  </div>`;
}

function answerTable(operation: Operation): Markup {
  const rows = answerRows(operation);
  return html`<details class="keys">
    <summary>Keys of the answer</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Keys of the answer of ${operation.name}">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ key, type, description }) =>
              html`<tr>
                <th scope="row"><code>${key}</code></th>
                <td>${type}</td>
                <td>${inlineMarkdown(description)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

interface AnswerRow {
  readonly key: string;
  readonly type: string;
  readonly description: string;
}

function toRow(key: string, schema: Schema, note: string): AnswerRow {
  const { description } = schema;
  return {
    key,
    type: typeOf(schema) + note,
    description: typeof description === 'string' ? description : '',
  };
}

/** The keys of the whole answer, then those that only an answer has that is still pending. */
function answerRows({ output, pendingOutput }: Operation): AnswerRow[] {
  const whole = toObjectSchema(output, 'output');
  const pending = pendingOutput === null ? {} : toObjectSchema(pendingOutput, 'output').properties;
  return [
    ...Object.entries(whole.properties).map(([key, schema]) => {
      if (!whole.required.includes(key)) return toRow(key, schema, ', sometimes');
      return toRow(key, schema, pending[key]?.['type'] === 'null' ? ', null with 202' : '');
    }),
    ...Object.entries(pending)
      .filter(([key]) => !(key in whole.properties))
      .map(([key, schema]) => toRow(key, schema, ', only with 202')),
  ];
}

function typeOf(property: Schema): string {
  const { schema, nullable } = splitNull(property);
  const { type, items } = schema;
  const name =
    type === 'array' ? `list of ${typeOf(items as Schema)}s` : type === 'integer' ? 'number' : String(type);
  return nullable ? `${name} or null` : name;
}
