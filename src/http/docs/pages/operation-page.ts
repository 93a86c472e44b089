import { BUILDERS, type BuilderId } from '../../../recipes/builders.ts';
import type { Operation } from '../../../operations/operation.ts';
import { SECRET_HEADERS } from '../../../operations/secret-headers.ts';
import { withRecipe } from '../../../recipes/recipe-operations.ts';
import { flatten } from '../../answer/flat.ts';
import { toObjectSchema, type Schema } from '../../openapi/json-schema.ts';
import { headerNamesOf } from '../../openapi/operation-path.ts';
import { PARAMETERS } from '../../openapi/parameters.ts';
import { problemCodesOf } from '../../openapi/problem-codes.ts';
import { partCard, partsOf } from '../assets/operation/parts.js';
import { LANGUAGES, requestCode, type Language } from '../assets/operation/request-code.js';
import { siteOf, type DocumentsOptions } from '../documents-options.ts';
import { presentationOf } from '../operations/presentations.ts';
import { codePanel, highlightedCode, copyButton } from './highlighted-code.ts';
import { docsSidebar, builderQuery } from './sidebar.ts';
import { flowsWith, guideAbout, inlineMarkdown, markdown } from './guides.ts';
import { pageSection, type PageSection, draw, html, layOut, type Markup } from './layout.ts';
import { operationLimits } from './limits.ts';
import { operationForm } from './operation-form.ts';
import { permissionBoxes } from './permission-boxes.ts';
import { type ShownRecipe, showRecipe, builderSelect } from './recipe-panel.ts';
import { problemTable, schemaTable, showFindings } from './tables.ts';

/**
 * Everything about one operation, from its definition.
 * @param builder the builder whose recipe is shown until the reader chooses another
 * @param isChosen the reader has chosen this builder
 */
export function operationPage(
  operation: Operation,
  options: DocumentsOptions,
  builder: BuilderId,
  isChosen: boolean,
): string {
  const { name, method, path, readOnly } = operation;
  const summary = operation.summary.replace(/\.?$/, '.');
  const query = builderQuery(isChosen ? builder : null);
  const recipeOperation = withRecipe(operation);
  const recipe = recipeOperation === null ? null : showRecipe(recipeOperation, builder, options);
  const first = recipe === null ? flowSections(operation) : recipeSections(recipe, builder);
  const others = sectionsOf(operation, options, recipe);
  // Readers who build without code come for a recipe to paste.
  const [before, after] =
    isChosen && !BUILDERS[builder].isCode && recipe !== null ? [first, others] : [[], [...first, ...others]];
  return layOut({
    site: siteOf(options),
    ...(isChosen && recipe !== null
      ? {
          title: `${name} for ${BUILDERS[builder].label} · Quartermaster`,
          description: `${summary} With the recipe for ${BUILDERS[builder].label}.`,
          path: `/docs/${name}${query}`,
        }
      : { title: `${name} · Quartermaster`, description: summary, path: `/docs/${name}` }),
    root: '../',
    at: 'docs',
    script: 'operation.js',
    body: html`<div class="frame">
      ${docsSidebar(options.operations, '../', query, name, [...before, { id: 'try', title: 'Try it' }, ...after])}
      <main id="main">
        <header>
          <h1>${name}</h1>
          <p class="endpoint">
            <span class="method">${method}</span> <code>${path}</code>
            ${
              method === 'POST' &&
              readOnly &&
              html`<span class="soft small">also GET, with the fields in the URL</span>`
            }
          </p>
          <p class="lead">${inlineMarkdown(summary)}</p>
        </header>
        ${before.map(pageSection)} ${tryIt(operation, options)} ${after.map(pageSection)}
        ${pager(operation, options.operations, query)}
      </main>
    </div>`,
  });
}

/** The input on the left, the answer on the right. */
function tryIt(operation: Operation, options: DocumentsOptions): Markup {
  const { example, secretHeader, method, path } = operation;
  const presentation = presentationOf(operation);
  const { shown } = presentation;
  const publicUrl = options.publicUrl();
  const mainField = withRecipe(operation)?.recipe.field ?? null;
  const call = {
    method,
    url: publicUrl + path,
    fields: example.input,
    headers: {
      Authorization: 'QUARTERMASTER_KEY',
      ...(secretHeader !== null && SECRET_HEADERS[secretHeader].isRequired
        ? { [secretHeader]: SECRET_HEADERS[secretHeader].variable }
        : {}),
    },
  };
  return html`<section id="try" aria-label="Try it" class="columns">
    <div class="stack">
      ${operationForm(operation, { publicUrl, mainField, botId: botOf(options.inviteUrl()) })}
      <figure data-cards="${JSON.stringify(shown)}">
        <figcaption>What your bot gets</figcaption>
        <ul class="cards two">
          ${partsOf(shown, example.answer).map((part) => draw(partCard(part)))}
        </ul>
        ${showFindings(presentation, example.answer)}
        <div data-picture></div>
        <ol class="chat" aria-label="As messages in Discord" data-messages hidden></ol>
      </figure>
    </div>
    <div class="stack">
      <div class="code-panel">
        <header>
          <strong>Request</strong>
          <div role="tablist" aria-label="Language of the request">
            ${Object.entries(LANGUAGES).map(
              ([id, label]) =>
                html`<button
                  type="button"
                  role="tab"
                  id="tab-${id}"
                  aria-controls="request-${id}"
                  aria-selected="${id === 'sh' ? 'true' : 'false'}"
                >
                  ${label}
                </button>`,
            )}
          </div>
          ${copyButton('the request')}
        </header>
        ${Object.keys(LANGUAGES).map(
          (id) =>
            html`<div role="tabpanel" id="request-${id}" aria-labelledby="tab-${id}">
              <pre tabindex="0"><code data-request="${id}">${highlightedCode(
                requestCode(id as Language, call),
                id,
              )}</code></pre>
            </div>`,
        )}
      </div>
      <div class="code-panel">
        <header>
          <strong>Answer</strong> <output data-state="good">200 · example</output> ${copyButton('the answer')}
        </header>
        <pre tabindex="0" role="region" aria-label="The answer"><code data-answer>${highlightedCode(
          JSON.stringify(example.answer, null, 2),
          'json',
        )}</code></pre>
        <p class="why" data-why hidden><a></a></p>
      </div>
    </div>
  </section>`;
}

/** The bot's user has the id of its application. */
function botOf(inviteUrl: string | null): string | null {
  return inviteUrl === null ? null : new URL(inviteUrl).searchParams.get('client_id');
}

/** The sections below the form and the recipe, in the order in which people need them. */
function sectionsOf(
  operation: Operation,
  options: DocumentsOptions,
  recipe: ShownRecipe | null,
): PageSection[] {
  return [
    ...('permissions' in operation.input.shape
      ? [{ id: 'invite', title: 'Invite link', body: permissionBoxes() }]
      : []),
    {
      id: 'wrong',
      title: 'What went wrong?',
      body: wrong(operation, problemCodesOf(operation, operation.method), recipe),
    },
    { id: 'fields', title: 'Fields', body: fieldsTable(operation) },
    { id: 'answer', title: 'Answer', body: answerTable(operation) },
    { id: 'rules', title: 'How it works', body: rules(operation) },
    { id: 'limits', title: 'Limits', body: operationLimits(operation, options.limits) },
  ];
}

function recipeSections({ operation, steps, seen }: ShownRecipe, builder: BuilderId): PageSection[] {
  return [
    {
      id: 'recipe',
      title: 'Recipe',
      heading: html`Recipe for <span data-builder-name>${BUILDERS[builder].label}</span>`,
      aside: html`<p class="my-builder">${builderSelect('My builder', builder)}</p>
        <noscript><a href="../docs${builderQuery(builder)}#setup">Another builder</a></noscript>`,
      body: html`<p data-script data-no-key>
          <a href="../docs${builderQuery(builder)}#key">Paste your key</a> once, and every recipe has it.
        </p>
        <div data-recipe="${operation.name}" data-main="${operation.recipe.field}">${steps}</div>`,
    },
    { id: 'see', title: 'What you will see', body: html`<div data-seen>${seen}</div>` },
  ];
}

/** For operations without recipes, the whole flows of the guide. */
function flowSections(operation: Operation): PageSection[] {
  const flows = flowsWith(operation);
  return flows.length === 0 ? [] : [{ id: 'recipe', title: 'Recipe', body: flowList(flows) }];
}

function flowList(flows: ReturnType<typeof flowsWith>): Markup {
  return html`<p>It is one step of a longer flow. The guide has whole flows to copy:</p>
    ${flows.map(
      ([flow, ...builders]) =>
        html`<h3><a href="recipes#${flow?.id ?? ''}">${flow?.title ?? ''}</a></h3>
          <ul class="builders">
            ${builders.map(({ id, title }) => html`<li><a href="recipes#${id}">${title}</a></li>`)}
          </ul>`,
    )}`;
}

function rules(operation: Operation): Markup {
  const guide = guideAbout(operation);
  return html`<div class="prose">
    ${markdown(operation.description)}
    ${guide !== null && html`<p><a href="${guide}">More about ${operation.name} in the guide</a></p>`}
  </div>`;
}

/** Shows the sentences of the recipe and the folded codes until the reader pastes a text. */
function wrong(
  { name }: Operation,
  codes: ReturnType<typeof problemCodesOf>,
  recipe: ShownRecipe | null,
): Markup {
  return html`<div class="field" data-script>
      <label for="came">Paste what came back, or a word of it</label>
      <textarea id="came" rows="2" placeholder="rate_limited"></textarea>
    </div>
    <p class="small soft" role="status" data-wrong-count></p>
    <div data-problems>
      <div data-refusals>${recipe?.wrong ?? null}</div>
      <details>
        <summary>Codes of ${name}</summary>
        ${problemTable(codes)}
      </details>
    </div>
    <p class="small"><a href="../docs#codes">All codes of all operations</a></p>`;
}

const FIELD_COLUMNS = ['Name', 'Type', 'What it does'];
/** About a screen of a phone. The others are folded, if they are several. */
const FIRST_FIELDS = 4;
const FOLDED_FIELDS_MIN = 3;

function fieldsTable(operation: Operation): Markup {
  const { properties, required } = toObjectSchema(operation.input, 'input');
  const headers: Readonly<Record<string, Schema>> = Object.fromEntries(
    headerNamesOf(operation).map((name) => [name, { ...PARAMETERS[name]?.schema, ...PARAMETERS[name] }]),
  );
  const isRequired = (name: string) => required.includes(name) || headers[name]?.['required'] === true;
  const note = (name: string) => [
    name in headers && ', a header',
    isRequired(name) && html` <span class="need">required</span>`,
  ];
  const all = Object.entries({ ...properties, ...headers });
  const isFew = all.length < FIRST_FIELDS + FOLDED_FIELDS_MIN;
  const isFirst = ([name]: readonly [string, Schema], at: number) =>
    isFew || at < FIRST_FIELDS || isRequired(name);
  const first = Object.fromEntries(all.filter(isFirst));
  const rest = all.filter(([name]) => !(name in first));
  return html`<p>
      As JSON, as a form${operation.textField !== null && html`, the text alone as <code>text/plain</code>`},
      or in the URL. A quote in a message breaks JSON that is put together by hand: use the URL or a form
      there.
    </p>
    ${schemaTable(FIELD_COLUMNS, first, note)}
    ${
      rest.length > 0 &&
      html`<details>
        <summary>The other ${rest.length} fields</summary>
        ${schemaTable(FIELD_COLUMNS, Object.fromEntries(rest), note)}
      </details>`
    }
    <p class="small">
      On every call: <code>flat</code>, <code>separator</code> and <code>always_200</code>.
      <a href="../docs#options">What they do</a>
    </p>`;
}

function answerTable({ output, example }: Operation): Markup {
  const { properties, required } = toObjectSchema(output, 'output');
  const note = (key: string) => !required.includes(key) && ', sometimes';
  const title = 'With flat=true';
  return html`${schemaTable(['Key', 'Type', 'What it holds'], properties, note)}
    <details id="flat">
      <summary>${title}</summary>
      ${codePanel(title, JSON.stringify(flatten(example.answer, null), null, 2), 'text')}
    </details>`;
}

function pager(
  { name }: Operation,
  operations: DocumentsOptions['operations'],
  query: string,
): Markup | null {
  const next = operations[operations.findIndex((each) => each.name === name) + 1];
  if (next === undefined) return null;
  return html`<div class="pager"><span></span><a href="${next.name}${query}">Next: ${next.name}</a></div>`;
}
