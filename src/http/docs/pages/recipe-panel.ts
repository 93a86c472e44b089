import { PROBLEMS, type ProblemCode } from '../../../problem.ts';
import { TOOLS, type ToolId } from '../../../builders.ts';
import { KEY_PLACEHOLDER } from '../../../recipes/first-recipe.ts';
import { RECIPE_BOOKS } from '../../../recipes/recipe-books.ts';
import type { RecipeOperation } from '../../../recipes/recipe-operations.ts';
import { answerNotes, fullNote, type Recipe } from '../../../recipes/recipe.ts';
import type { Check, Condition, FormField, Step } from '../../../recipes/steps.ts';
import { discordMessages } from './discord-message.ts';
import { colouredCode, markText } from './coloured-code.ts';
import { html, inlineMarkdown, type Markup } from './html.ts';

/** The failures that recipes run into most often. */
const TROUBLES: readonly ProblemCode[] = [
  'key_malformed',
  'missing_field',
  'unresolved_placeholder',
  'rate_limited',
];

/** The steps with which one tool calls one operation. */
export function recipePanel(operation: RecipeOperation, publicUrl: string, tool: ToolId): Markup {
  const { name, recipe: facts } = operation;
  const recipe = RECIPE_BOOKS[tool].write({ operation, publicUrl, key: KEY_PLACEHOLDER, fields: {} });
  return html`<div class="recipe" data-recipe="${name}">
    <div data-body>${recipeBody(operation, tool, recipe)}</div>
    <p><output></output></p>
    <label class="check">
      <input type="checkbox" data-literal data-main="${facts.field}" />
      <span>Use my <code>${facts.field}</code> as typed instead of the tool's variable</span>
    </label>
  </div>`;
}

/** The part of a panel that changes with the tool and the values. */
export function recipeBody(operation: RecipeOperation, tool: ToolId, recipe: Recipe): Markup {
  const { name } = operation;
  const notes = answerNotes(operation);
  return html`<h3>In ${TOOLS[tool].label}</h3>
    <ol class="steps">
      ${recipe.steps.map((step) => html`<li>${inlineMarkdown(step.text)} ${detail(step, name, recipe)}</li>`)}
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
              ${notes.map((note) => html`<li>${inlineMarkdown(note)}</li>`)}
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
      <p class="hint">${inlineMarkdown(fullNote(RECIPE_BOOKS[tool], recipe))}</p>
    </details>`;
}

function detail(step: Step, name: string, recipe: Recipe): Markup | null {
  if (step.kind === 'paste') return codeBlock(name, recipe);
  if (step.kind === 'fill') return html`<dl class="rows">${step.fields.map(fieldRow)}</dl>`;
  if (step.kind === 'check') {
    return html`<ul>
      ${step.checks.map(checkRow)}
    </ul>`;
  }
  return step.kind === 'name' ? html`<code>${step.variables.join(', ')}</code>` : null;
}

function checkRow({ also, reply, ...condition }: Check): Markup {
  return html`<li>
    If ${[...also, condition].map((each, at) => html`${at === 0 ? null : ', and '}${conditionOf(each)}`)}:
    ${cell('this reply', reply, 0)}
  </li>`;
}

function conditionOf({ left, check, right }: Condition): Markup {
  return html`${cell('the value', left, 0)} ${check}
  ${right === '' ? null : cell('what it is compared with', right, 0)}`;
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
