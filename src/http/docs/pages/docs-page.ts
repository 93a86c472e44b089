import { BUILDERS, type BuilderId } from '../../../recipes/builders.ts';
import { STATUSES } from '../../../kernel/problem.ts';
import { PARAMETERS } from '../../openapi/parameters.ts';
import { PROBLEM_CODES } from '../../openapi/problem-codes.ts';
import { PROBLEM_EXAMPLE, PROBLEM_SCHEMA } from '../../openapi/responses.ts';
import { OTHER_PATHS } from '../../openapi/other-paths.ts';
import { siteOf, type DocumentsOptions } from '../documents-options.ts';
import { codePanel } from './highlighted-code.ts';
import { DOCS_SECTIONS, docsSidebar, operationList, builderQuery } from './sidebar.ts';
import { pageSection, html, layOut, type Markup } from './layout.ts';
import { limitTable } from './limits.ts';
import { inlineMarkdown } from './guides.ts';
import { builderSelect } from './recipe-panel.ts';
import { problemTable, schemaTable, table } from './tables.ts';

/**
 * The first page of the documents: the builder, the key, and all operations.
 * @param builder the builder that is shown until the reader chooses another
 * @param isChosen the reader has chosen this builder
 */
export function docsPage(options: DocumentsOptions, builder: BuilderId, isChosen: boolean): string {
  const { operations } = options;
  const query = builderQuery(isChosen ? builder : null);
  const sections = [
    { id: 'all', title: 'What is in store', body: operationList(operations, query, true) },
    { id: 'answers', title: DOCS_SECTIONS.answers, body: answers() },
    { id: 'limits', title: DOCS_SECTIONS.limits, body: limitTable(options) },
    { id: 'client', title: DOCS_SECTIONS.client, body: forCode() },
  ];
  return layOut({
    site: siteOf(options),
    title: 'Docs · Quartermaster',
    description: 'Choose your builder, paste your key, try each operation and copy its recipe.',
    path: '/docs',
    root: '',
    at: 'docs',
    script: 'docs.js',
    body: html`<div class="frame">
      ${docsSidebar(operations, '', query, null, [{ id: 'setup', title: 'Your builder, your key' }, ...sections])}
      <main id="main">
        <header>
          <h1>Choose your builder, paste your key.</h1>
          <p class="lead">
            Every page here then shows the recipe for your builder with your key in it, and every form answers
            with live data.
          </p>
        </header>
        ${setUp(builder, operations[0]?.name, options.inviteUrl() !== null)} ${sections.map(pageSection)}
      </main>
    </div>`,
  });
}

/**
 * @param first the operation whose recipe a newcomer sees first
 * @param hasBot servers can make keys in Discord
 */
function setUp(builder: BuilderId, first: string | undefined, hasBot: boolean): Markup {
  return html`<section id="setup" aria-label="Your builder, your key" class="columns">
    <section class="panel" aria-labelledby="builder-title">
      <h2 id="builder-title">Your builder</h2>
      <div class="field" data-script>
        ${builderSelect('I build with', builder)}
        <p class="hint">Kept for all pages; the URL can be shared.</p>
      </div>
      <noscript>
        <ul class="builders">
          ${Object.entries(BUILDERS).map(([id, { label }]) => html`<li><a href="?tool=${id}">${label}</a></li>`)}
        </ul>
      </noscript>
      ${
        first !== undefined &&
        html`<p class="actions">
          <a class="button" href="docs/${first}${builderQuery(builder)}#recipe"
            >First recipe for&nbsp;<span data-builder-name>${BUILDERS[builder].label}</span></a
          >
        </p>`
      }
    </section>
    <section class="panel" id="key" aria-labelledby="key-title">
      <h2 id="key-title">Your key</h2>
      <form data-key-form novalidate>
        <div class="field">
          <label for="key-input">API key</label>
          <input
            type="password"
            id="key-input"
            placeholder="qm_…"
            autocomplete="off"
            aria-describedby="key-hint"
          />
          <p class="hint" id="key-hint">
            ${
              hasBot
                ? html`A server admin gets one in Discord with <code>/settings key create</code>.`
                : 'The people who run this service make one for you.'
            }
            It stays in this tab.
          </p>
        </div>
        <noscript
          ><p class="hint">The key and the forms need JavaScript. Texts and recipes do not.</p></noscript
        >
        <p class="actions">
          <button type="submit">Check the key</button>
          <button type="button" class="quiet" data-forget hidden>Forget it</button>
          <output></output>
        </p>
      </form>
    </section>
  </section>`;
}

function answers(): Markup {
  const failureKeys = Object.entries(PROBLEM_SCHEMA.properties).map(([key, { description }]) => ({
    // Only the first paragraph. The table of all codes is below.
    cells: [html`<code>${key}</code>`, inlineMarkdown(String(description).split('\n\n')[0] ?? '')],
  }));
  const options = [PARAMETERS['flat'], PARAMETERS['separator'], PARAMETERS['always_200']];
  return html`<p>
      A success begins with <code>"ok": true</code> and always has all its keys, null where there is nothing.
      Ids and bit fields are strings, because numbers of that size lose digits. A failure always has these
      keys:
    </p>
    <div class="columns">
      ${table(['Key', 'What it is for'], failureKeys)}
      ${codePanel('A failure', JSON.stringify(PROBLEM_EXAMPLE, null, 2), 'json')}
    </div>
    <h3 id="options">Options of every call</h3>
    ${schemaTable(
      ['Name', 'Type', 'What it does'],
      Object.fromEntries(
        options.flatMap((each) =>
          each === undefined ? [] : [[each.name, { ...each.schema, description: each.description }]],
        ),
      ),
    )}
    <h3 id="codes">All codes</h3>
    ${codesByStatus()}`;
}

/** One table of all codes would be most of the page on a phone. Links to a code open its table. */
function codesByStatus(): Markup[] {
  return Object.entries(Object.groupBy(PROBLEM_CODES, (code) => STATUSES[code])).map(
    ([status, codes]) =>
      html`<details>
        <summary>${status} <code>${codes.join(', ')}</code></summary>
        ${problemTable(codes)}
      </details>`,
  );
}

function forCode(): Markup {
  const rows = Object.entries(OTHER_PATHS).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => ({
      cells: [html`<code>${method.toUpperCase()} ${path}</code>`, summary],
    })),
  );
  return html`<ul>
      <li>
        <code>/mcp</code>: the operations as tools for language models,
        <a href="docs/api#tools-for-language-models-mcp">see how</a>
      </li>
      <li>
        <a href="openapi.json">openapi.json</a>: OpenAPI 3.1, for Postman and for typed clients,
        <a href="docs/api#a-typed-client">see how</a>
      </li>
    </ul>
    <h3>Other paths</h3>
    ${table(['Path', 'What it is'], rows)}`;
}
