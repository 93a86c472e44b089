import { capitalise, countInWords } from '../../count-in-words.ts';
import { siteOf, type DocumentsOptions } from '../documents-options.ts';
import { discordMessages } from './discord-message.ts';
import { html, type Markup } from './html.ts';
import { layOut } from './layout.ts';
import { limitTable } from './tables.ts';

/** What a browser sees at the root. */
export function landingPage(options: DocumentsOptions): string {
  const { operations } = options;
  const inviteUrl = options.inviteUrl();
  const tools = `${capitalise(countInWords(operations.length))} tools`;
  return layOut({
    site: siteOf(options),
    title: 'Quartermaster',
    description: `${tools} over HTTP for people who build Discord bots.`,
    path: '/',
    root: '',
    nav: [
      ['docs', 'Try it'],
      ['docs/api', 'Guides'],
      ['docs/reference', 'Reference'],
    ],
    skipTo: 'the text',
    body: html`<main class="landing" id="main">
      <h1>Tools for your Discord bot: parse commands, split texts, list role members.</h1>
      <p class="lead">${tools} over HTTP, with a recipe for every bot builder.</p>
      <p class="actions">
        ${inviteUrl === null ? null : html`<a class="button" href="${inviteUrl}">Add to Discord</a>`}
        <a class="button" href="docs">Open the documents</a>
      </p>
      ${picture(options)}
      <ul class="shelf">
        ${operations.map(
          ({ name, summary }) =>
            html`<li><a href="docs#${name}">${name}</a> <span>${summary.replace(/\.?$/, '.')}</span></li>`,
        )}
      </ul>
      ${keySteps(inviteUrl)}
      <section aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        ${limitTable(options)}
      </section>
      <section aria-labelledby="privacy">
        <h2 id="privacy">Privacy</h2>
        <p>
          Texts, images and the fields of calls are kept nowhere, and neither are keys and tokens. What is
          kept is a hash of each key and how often it was used. <a href="docs/privacy">All of it</a>.
        </p>
      </section>
    </main>`,
  });
}

/** One call: what goes in, and the first keys that come out. */
function picture({ operations: [first] }: DocumentsOptions): Markup | null {
  if (first === undefined) return null;
  const { input, answer } = first.example;
  const shown = Object.fromEntries(
    Object.entries(answer)
      .filter(([, value]) => value !== null)
      .slice(0, 9),
  );
  return html`<figure class="picture">
    ${discordMessages('What somebody writes', [
      { from: 'user', text: String(Object.values(input)[0]), image: null },
    ])}
    <pre
      tabindex="0"
      role="region"
      aria-label="The answer"
    ><code>${JSON.stringify(shown, null, 2)}</code></pre>
    <figcaption>A line goes into ${first.name}, and its parts come out as JSON.</figcaption>
  </figure>`;
}

function keySteps(inviteUrl: string | null): Markup {
  return html`<section aria-labelledby="key">
    <h2 id="key">Get a key in three steps</h2>
    <ol class="steps">
      ${
        inviteUrl === null
          ? html`<li>
              Ask the people who run this service to add the bot to your server, or to give you a key.
            </li>`
          : html`<li><a href="${inviteUrl}">Add the bot</a> to your server.</li>`
      }
      <li>
        In the server, run <code>/settings key create</code> and choose your tool. It needs Manage Server.
      </li>
      <li>Copy the key, which is shown once, and paste it into <a href="docs#key">the documents</a>.</li>
    </ol>
  </section>`;
}

/** The same for programs. */
export function landingBody({ operations, publicUrl }: DocumentsOptions): object {
  const url = publicUrl();
  return {
    ok: true,
    name: 'Quartermaster',
    docs: `${url}/docs`,
    openapi: `${url}/openapi.json`,
    operations: operations.map(({ name, method, path, summary }) => ({
      name,
      method,
      url: url + path,
      summary,
    })),
  };
}
