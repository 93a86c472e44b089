import { PROBLEMS, type ProblemCode } from '../../../problem.ts';
import {
  answerNotes,
  fullNote,
  type FormField,
  type Recipe,
  type RecipeBook,
} from '../../../recipes/recipe.ts';
import type { RecipeOperation } from '../../../recipes/recipe.ts';
import { RECIPE_BOOKS, type RecipeBookId } from '../../../recipes/recipe-books.ts';
import { discordMessages } from './discord-message.ts';
import { colouredCode, markText } from './coloured-code.ts';
import { html, inlineMarkdown, type Markup } from './html.ts';

/** In recipes until the reader has typed a key, which never leaves their browser but in calls. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY';

/** The failures that recipes run into most often. */
const TROUBLES: readonly ProblemCode[] = [
  'key_malformed',
  'missing_field',
  'unresolved_placeholder',
  'rate_limited',
];

/** The steps with which one tool calls one operation. */
export function recipePanel(operation: RecipeOperation, publicUrl: string, tool: RecipeBookId): Markup {
  const { name, recipe: facts } = operation;
  const recipe = RECIPE_BOOKS[tool].write({ operation, publicUrl, key: KEY_PLACEHOLDER, fields: {} });
  return html`<div class="recipe" data-recipe="${name}">
    <div data-body>${recipeBody(operation, RECIPE_BOOKS[tool], recipe)}</div>
    <p><output></output></p>
    <label class="check">
      <input type="checkbox" data-literal data-main="${facts.field}" />
      <span>Use my <code>${facts.field}</code> as typed instead of the tool's variable</span>
    </label>
  </div>`;
}

/** The part of a panel that changes with the tool and the values. */
export function recipeBody(operation: RecipeOperation, book: RecipeBook, recipe: Recipe): Markup {
  const { name } = operation;
  const { form } = recipe;
  const notes = answerNotes(operation);
  return html`<h3>In ${book.label}</h3>
    <ol class="steps">
      ${recipe.before.map(step)}
      ${
        form === undefined
          ? html`<li>Copy this and paste it there: ${codeBlock(name, recipe)}</li>`
          : html`<li>
                Fill in these fields:
                <dl class="rows">${form.fields.map(fieldRow)}</dl>
              </li>
              ${form.after.map((line) => html`<li>${line}</li>`)}`
      }
      ${recipe.afterwards.map(step)}
    </ol>
    ${
      recipe.seen.length === 0
        ? null
        : html`<h4>What you will see in Discord</h4>
            ${discordMessages(`What you will see in Discord: ${name}`, recipe.seen)}`
    }
    ${
      notes.length === 0
        ? null
        : html`<h4>What the answer means</h4>
            <ul>
              ${notes.map(step)}
            </ul>`
    }
    <details>
      <summary>What went wrong if not</summary>
      <p class="hint">The recipe shows a sentence when a call fails. These are the usual ones:</p>
      <dl class="troubles">
        ${TROUBLES.map(
          (code) =>
            html`<div>
              <dt>${PROBLEMS[code].error}</dt>
              <dd>${inlineMarkdown(PROBLEMS[code].hint ?? '')}</dd>
            </div>`,
        )}
      </dl>
    </details>
    <details>
      <summary>About this recipe</summary>
      <p class="hint">${inlineMarkdown(fullNote(book, recipe))}</p>
    </details>`;
}

function step(text: string): Markup {
  return html`<li>${inlineMarkdown(text)}</li>`;
}

function codeBlock(name: string, { code, language }: Recipe): Markup {
  return html`<div data-copyable>
    <pre
      tabindex="0"
      role="region"
      aria-label="Recipe for ${name}"
    ><code data-code data-language="${language}">${colouredCode(code, language, KEY_PLACEHOLDER)}</code></pre>
    <button type="button" class="quiet" data-copy>Copy</button>
  </div>`;
}

function fieldRow([label, ...parts]: FormField): Markup {
  return html`<div class="row">
    <dt>${label}</dt>
    ${parts.map((part, index) => html`<dd>${part === '' ? 'leave it empty' : cell(label, part, index)}</dd>`)}
  </div>`;
}

function cell(label: string, value: string, index: number): Markup {
  const what = index === 0 ? label : `value of ${label}`;
  return html`<span data-copyable
    ><code data-code>${markText(value, KEY_PLACEHOLDER)}</code
    ><button type="button" class="quiet small" data-copy aria-label="Copy ${what}">Copy</button></span
  >`;
}
