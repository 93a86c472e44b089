import type { Operation } from '../../../operations/operation.ts';
import type { RecipeBookId } from '../../../recipes/recipe-books.ts';
import { hasRecipe } from '../../../recipes/recipe.ts';
import { splitNull, toObjectSchema, type Schema } from '../../openapi/json-schema.ts';
import { html, inlineMarkdown, markdown, type Markup } from './html.ts';
import { recipePanel } from './recipe-panel.ts';

/** One operation: what it does, a form that runs it, the recipe, and the keys of its answer. */
export function operationSection(operation: Operation, publicUrl: string, tool: RecipeBookId): Markup {
  const { name, path, method, summary, description } = operation;
  return html`<section class="operation" id="${name}" aria-labelledby="${name}-title">
    <header>
      <p class="plate"><span class="method">${method}</span> <code>${path}</code></p>
      <h2 id="${name}-title">${name}</h2>
      <p class="lead">${inlineMarkdown(summary.replace(/\.?$/, '.'))}</p>
    </header>
    <div class="bench">
      ${tryForm(operation)} ${hasRecipe(operation) ? recipePanel(operation, publicUrl, tool) : null}
    </div>
    <details class="keys">
      <summary>More about ${name}</summary>
      <div class="prose">${markdown(description)}</div>
    </details>
    ${answerTable(operation)}
  </section>`;
}

function tryForm(operation: Operation): Markup {
  const { name, method, path } = operation;
  const { properties, required } = toObjectSchema(operation.input, 'input');
  const example = operation.example.input;
  const isMain = (field: string) => required.includes(field);
  const fields = Object.entries(properties);
  const main = fields.filter(([field]) => isMain(field));
  const others = fields.filter(([field]) => !isMain(field));
  return html`<form class="try" data-operation="${name}" data-method="${method}" data-path="${path.slice(1)}">
    <h3>Try it</h3>
    ${main.map(([field, schema]) => control(operation, field, schema, example[field]))}
    ${
      others.length === 0
        ? null
        : html`<details>
            <summary>More fields</summary>
            <div class="more">
              ${others.map(([field, schema]) => control(operation, field, schema, undefined))}
              ${operation.secretHeader === 'Token' ? tokenControl(name) : null}
            </div>
          </details>`
    }
    <p class="actions"><button type="submit">Send</button> <output></output></p>
    <pre class="answer" tabindex="0" role="region" aria-label="Answer of ${name}" hidden></pre>
    <div data-after hidden>
      <button type="button" class="quiet" data-copy-answer>Copy the answer</button>
      <ol class="chat" aria-label="The chunks as messages of ${name}" hidden></ol>
    </div>
  </form>`;
}

function control({ name, textField }: Operation, field: string, schema: Schema, example: unknown): Markup {
  const id = `${name}-${field}`;
  const value = Array.isArray(example) ? example.join(', ') : typeof example === 'string' ? example : '';
  const description = schema['description'];
  const hint = typeof description === 'string' ? description : '';
  const described = hint === '' ? html`` : html` aria-describedby="${id}-hint"`;
  const choices = choicesOf(schema);
  const isLong = field === textField;
  return html`<div class="field${isLong ? ' long' : ''}">
    <label for="${id}">${field}</label>
    ${
      choices !== null
        ? html`<select id="${id}" name="${field}" ${described}>
            <option value="">default</option>
            ${choices.map((choice) => html`<option>${choice}</option>`)}
          </select>`
        : isLong
          ? html`<textarea id="${id}" name="${field}" rows="3" spellcheck="false" ${described}>
${value}</textarea>`
          : html`<input
              id="${id}"
              name="${field}"
              value="${value}"
              spellcheck="false"
              autocomplete="off"
              ${described}
            />`
    }
    ${hint === '' ? null : html`<p class="hint" id="${id}-hint">${inlineMarkdown(hint)}</p>`}
  </div>`;
}

function choicesOf(schema: Schema): readonly string[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'] as string[];
  return schema['type'] === 'boolean' ? ['true', 'false'] : null;
}

function tokenControl(operation: string): Markup {
  return html`<div class="field">
    <label for="${operation}-token">Token (a header)</label>
    <input
      id="${operation}-token"
      data-token
      type="password"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${operation}-token-hint"
    />
    <p class="hint" id="${operation}-token-hint">
      Your bot's token, for servers other than that of your key. It is sent with this call and kept nowhere.
    </p>
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
