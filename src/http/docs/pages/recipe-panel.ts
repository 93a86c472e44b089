import { BUILDERS, type BuilderId } from '../../../recipes/builders.ts';
import type { RecipeOperation } from '../../../recipes/recipe-operations.ts';
import { RECIPE_WRITERS } from '../../../recipes/recipe-writers.ts';
import { writeRecipe, type RecipeWriter } from '../../../recipes/recipe-writer.ts';
import type { Recipe, SeenMessage } from '../../../recipes/recipe.ts';
import { KEY_PLACEHOLDER } from '../../../recipes/request-fields.ts';
import { answerNotes } from '../../../recipes/shared-steps.ts';
import { previewMissingInput } from '../../../recipes/seen-in-discord.ts';
import { whatWentWrong } from '../../../recipes/what-went-wrong.ts';
import {
  EMPTY,
  variablePlaceholder,
  type Check,
  type Condition,
  type FormField,
  type Step,
} from '../../../recipes/steps.ts';
import type { DocumentsOptions } from '../documents-options.ts';
import { codePanel, copyButton, markText, type Placeholder } from './highlighted-code.ts';
import { discordMessages } from './discord-message.ts';
import { html, type Markup, type Part } from './layout.ts';
import { inlineMarkdown } from './guides.ts';
import { explainedTable, table } from './tables.ts';

/** The page replaces this placeholder by the reader's key, which leaves the browser only in calls. */
const KEY: Placeholder = { text: KEY_PLACEHOLDER, mark: (text) => html`<span data-key>${text}</span>` };

/** A recipe as the page shows it. */
export interface ShownRecipe {
  readonly operation: RecipeOperation;
  readonly steps: Markup;
  readonly seen: Markup;
  /** The replies of its command when something goes wrong. */
  readonly wrong: Markup | null;
}

/** @param fields of the operation, as text */
export function showRecipe(
  operation: RecipeOperation,
  builder: BuilderId,
  { publicUrl, whyUnreachable }: Pick<DocumentsOptions, 'publicUrl' | 'whyUnreachable'>,
  fields: Readonly<Record<string, string>> = {},
): ShownRecipe {
  const writer: RecipeWriter = RECIPE_WRITERS[builder];
  const recipe = writeRecipe(writer, { operation, publicUrl: publicUrl(), key: KEY_PLACEHOLDER, fields });
  const reason = BUILDERS[builder].isCode ? null : whyUnreachable();
  return {
    operation,
    steps: html`${reason !== null && unreachableNote(publicUrl(), reason)} ${steps(operation, writer, recipe)}`,
    seen: seen(recipe.seen, previewMissingInput(operation, recipe)),
    wrong: explainedTable(whatWentWrong(operation, builder)),
  };
}

function unreachableNote(publicUrl: string, reason: string): Markup {
  return html`<p class="small">
    Builders on the internet cannot reach <code>${publicUrl}</code>, because ${reason}. Its operator sets
    <code>PUBLIC_URL</code> to its https URL.
  </p>`;
}

/** Where readers choose their builder. */
export function builderSelect(label: string, builder: BuilderId): Markup {
  return html`<label for="tool">${label}</label>
    <select id="tool" data-builder>
      ${Object.entries(BUILDERS).map(([id, { label, isCode, flat }]) => {
        const kind = isCode ? html`data-code` : flat && html`data-flat`;
        return html`<option value="${id}" ${id === builder && html`selected`} ${kind}>${label}</option>`;
      })}
    </select>`;
}

function steps(operation: RecipeOperation, writer: RecipeWriter, recipe: Recipe): Markup {
  const variables = recipe.steps.flatMap((step) => (step.kind === 'name' ? step.variables : []));
  const placeholders = [KEY, ...variables.map(variablePlaceholderOf)];
  const notes = answerNotes(operation, writer);
  return html`<ol class="steps">
      ${recipe.steps.map(
        (step) =>
          html`<li>
            <p>${inlineMarkdown(step.text)}</p>
            ${detail(step, recipe, placeholders)}
          </li>`,
      )}
    </ol>
    ${
      notes.length > 0 &&
      html`<h3>What the answer means</h3>
        <ul>
          ${notes.map((note) => html`<li>${inlineMarkdown(note)}</li>`)}
        </ul>`
    }
    ${
      recipe.note !== '' &&
      html`<h3>Good to know</h3>
        <p>${inlineMarkdown(recipe.note)}</p>`
    }
    <details>
      <summary>How this recipe was checked</summary>
      <p class="small">${inlineMarkdown(writer.checked)}</p>
    </details>`;
}

/** The reader types the builder's name of a variable once, and the recipe uses it everywhere. */
function variablePlaceholderOf(variable: string): Placeholder {
  return {
    text: variablePlaceholder(variable),
    mark: (text) => html`<span class="var" data-var="${variable}">${text}</span>`,
  };
}

/** The part of a step that is not its sentence. */
function detail(step: Step, recipe: Recipe, placeholders: readonly Placeholder[]): Markup | null {
  const { code, language } = recipe;
  if (step.kind === 'fill') return fieldsTable(step.fields, placeholders);
  if (step.kind === 'check') return checks(step.checks, placeholders);
  if (step.kind === 'name') return names(step.variables);
  if (step.kind === 'do') return null;
  return language === 'json'
    ? foldedCode(recipe, placeholders)
    : codePanel('Code', code, language, placeholders);
}

function names(variables: readonly string[]): Markup {
  return html`<p class="hint" data-script>
      Paste the name that your builder gives each of these, and the steps below will use it:
    </p>
    <div class="names">
      ${variables.map(
        (variable) =>
          html`<label
            >${variable}<input
              type="text"
              data-name-of="${variable}"
              placeholder="${variablePlaceholder(variable)}"
          /></label>`,
      )}
    </div>`;
}

/** A whole workflow. It is folded, because it is for pasting and not for reading. */
function foldedCode({ code }: Recipe, placeholders: readonly Placeholder[]): Markup {
  return html`<div class="code-panel">
    <header>
      <strong>${code.split('\n').length} lines</strong>
      <button type="button" class="copy">Copy the workflow</button>
    </header>
    <details>
      <summary>Show the workflow</summary>
      <pre tabindex="0"><code>${markText(code, placeholders)}</code></pre>
    </details>
  </div>`;
}

/** @param what is copied */
function copyable(text: string, what: string, placeholders: readonly Placeholder[]): Markup {
  if (text === '') return html`<span class="soft">${EMPTY}</span>`;
  return html`<span class="pair"><code>${markText(text, placeholders)}</code>${copyButton(what)}</span>`;
}

function fieldsTable(fields: readonly FormField[], placeholders: readonly Placeholder[]): Markup {
  const isWide = fields.some((field) => field.length === 3);
  const rows = fields.map(([label, ...values]) => {
    const [first, second] = values;
    const cells =
      second === undefined
        ? [...(isWide ? [null] : []), copyable(first, label, placeholders)]
        : [
            copyable(first, `${first} as the name of the ${label}`, placeholders),
            copyable(second, `value of ${first}`, placeholders),
          ];
    return { cells: [label, ...cells] };
  });
  return html`<div class="scroll">
    ${table(['Field', ...(isWide ? ['Name'] : []), 'Value'], rows, 'copy-table')}
  </div>`;
}

function checks(all: readonly Check[], placeholders: readonly Placeholder[]): Markup {
  const row = ({ left, check, right }: Condition, then: Part) => ({
    cells: [
      copyable(left, left, placeholders),
      check,
      right !== null && copyable(right, right, placeholders),
      then,
    ],
  });
  const rows = all.flatMap(({ also, reply, ...condition }) => [
    ...also.map((each) => row(each, 'and')),
    row(condition, copyable(reply, 'this reply', placeholders)),
  ]);
  return html`<div class="scroll">
    ${table(['If', 'Check', 'With', 'Then reply'], rows, 'copy-table checks')}
  </div>`;
}

function seen(messages: readonly SeenMessage[], missing: readonly SeenMessage[]): Markup {
  if (messages.length === 0) {
    return html`<p class="soft">What it says in Discord is up to the steps that you add after it.</p>`;
  }
  return html`<div class="columns">
    ${figure('It works', messages)} ${missing.length > 0 && figure('Something is missing', missing)}
  </div>`;
}

function figure(caption: string, messages: readonly SeenMessage[]): Markup {
  return html`<figure>
    <figcaption>${caption}</figcaption>
    ${discordMessages(caption, messages)}
  </figure>`;
}
