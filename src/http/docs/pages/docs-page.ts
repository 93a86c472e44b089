import { countInWords } from '../../count-in-words.ts';
import { html, type Markup } from './html.ts';
import { layOut, searchBox } from './layout.ts';
import { operationSection } from './operation-section.ts';
import { permissionBoxes } from './permission-boxes.ts';
import { TOOLS, type ToolId } from '../../../builders.ts';
import { siteOf, type DocumentsOptions } from '../documents-options.ts';
import { limitTable, parseNamesTable, problemTable } from './tables.ts';

/** The page that people copy from. @param tool whose recipes it shows until the reader chooses another */
export function docsPage(options: DocumentsOptions, tool: ToolId): string {
  const publicUrl = options.publicUrl();
  const { operations } = options;
  const botId = botOf(options.inviteUrl());
  return layOut({
    site: siteOf(options),
    title: `Quartermaster: ${countInWords(operations.length)} tools for people who build Discord bots`,
    description: 'Try each operation with your key and copy the recipe for your bot builder.',
    path: '/docs',
    root: '',
    script: 'docs.js',
    nav: [
      ['docs/api', 'Guides'],
      ['docs/reference', 'Reference'],
      ['openapi.json', 'OpenAPI'],
      ['docs/client.ts', 'Client'],
    ],
    skipTo: 'the operations',
    body: html`<div class="frame">
      <nav class="manifest" aria-label="On this page">
        ${searchBox('this page')}
        <ol>
          <li><a href="#tool">Your tool</a></li>
          <li><a href="#key">Your key</a></li>
          ${operations.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
          <li><a href="#invite">Invite link</a></li>
          <li><a href="#answers">Answers and errors</a></li>
          <li><a href="#limits">Limits</a></li>
        </ol>
      </nav>
      <main id="main">
        ${setUp(tool)}
        ${operations.map((operation) => operationSection(operation, { publicUrl, tool, botId }))}
        ${permissionBoxes()} ${answersSection()}
        <section id="limits" aria-labelledby="limits-title">
          <h2 id="limits-title">Limits</h2>
          ${limitTable(options)}
        </section>
      </main>
    </div>`,
  });
}

/** The bot's user has the id of its application. */
function botOf(inviteUrl: string | null): string | null {
  return inviteUrl === null ? null : new URL(inviteUrl).searchParams.get('client_id');
}

/** The first thing on the page: what everything below it depends on. */
function setUp(tool: ToolId): Markup {
  return html`<div class="setup">
    <h1>Try it here, then copy it into your bot.</h1>
    <div class="bench">
      <section class="tool" id="tool" aria-labelledby="tool-title">
        <h2 id="tool-title">Your tool</h2>
        <div class="field">
          <label for="tool-input">I build with</label>
          <select id="tool-input" data-tool>
            ${Object.entries(TOOLS).map(([id, { label }]) =>
              id === tool
                ? html`<option value="${id}" selected>${label}</option>`
                : html`<option value="${id}">${label}</option>`,
            )}
          </select>
          <p class="hint">
            All recipes below are for it, and the address of this page becomes a link to share.
          </p>
        </div>
      </section>
      <section class="key" id="key" aria-labelledby="key-title">
        <h2 id="key-title">Your key</h2>
        <form data-key-form>
          <div class="field">
            <label for="key-input">API key</label>
            <input
              id="key-input"
              type="password"
              autocomplete="off"
              spellcheck="false"
              placeholder="qm_…"
              aria-describedby="key-hint"
            />
            <p class="hint" id="key-hint">
              A server admin gets one in Discord with <code>/settings key create</code>. It stays in this tab
              and is sent nowhere but to this service.
            </p>
          </div>
          <p class="actions">
            <button type="submit">Use and check</button>
            <button type="button" class="quiet" data-show aria-pressed="false">Show</button>
            <button type="button" class="quiet" data-forget>Forget</button>
          </p>
          <p><output></output></p>
          <noscript
            ><p>The forms and recipes on this page need JavaScript; the reference does not.</p></noscript
          >
        </form>
      </section>
    </div>
  </div>`;
}

function answersSection(): Markup {
  return html`<section id="answers" aria-labelledby="answers-title">
    <h2 id="answers-title">Answers and errors</h2>
    <div class="prose">
      <p>
        A success begins with <code>"ok": true</code> and always has all its keys, <code>null</code> where
        there is nothing. Ids and bit fields are strings, because numbers of that size lose digits.
      </p>
      <p>
        A failure always has the same eight keys: <code>ok</code> (false), <code>status</code>,
        <code>code</code>, <code>error</code> (one sentence to show), <code>field</code>, <code>hint</code>,
        <code>retry_after</code> (seconds) and <code>request_id</code>. Decide by <code>code</code>.
      </p>
      <p>
        Fields may come as JSON, as a form, in the query, and a text also alone as <code>text/plain</code>. A
        quote in a message breaks JSON that is put together by hand, so most recipes use the query or a form.
      </p>
      <p>
        <code>flat=true</code> gives one level of keys for tools that read lists poorly:
        <code>chunks_1</code>, <code>chunks_2</code> … and <code>chunks_text</code>, with empty texts for
        null. <code>always_200=true</code>
        sends failures with status 200 for tools that stop at others. Keys made for BotGhost do both by
        themselves, keys made for BDFD are flat.
      </p>
    </div>
    <h3>Names of parse-args</h3>
    ${parseNamesTable()}
    <h3>All codes</h3>
    ${problemTable()}
  </section>`;
}
