import { capitalise, countInWords } from '../../count-in-words.ts';
import { TOOLS } from '../../../builders.ts';
import { siteOf, type DocumentsOptions } from '../documents-options.ts';
import { discordMessages } from './discord-message.ts';
import { colouredCode } from './coloured-code.ts';
import { html, type Markup } from './html.ts';
import { layOut } from './layout.ts';
import { limitTable } from './tables.ts';

/** Named on the page; the others are counted. */
const SHOWN_TOOLS = 4;

/** The page at `/` for browsers. Programs get `landingBody`. */
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
      <div class="hero">
        <div>
          <h1>Tools for your Discord bot: parse commands, split texts, list role members.</h1>
          <p class="lead">
            For people who build Discord bots, with code or without: ${tools.toLowerCase()} over HTTP for what
            your builder cannot do by itself, with recipes to copy for ${listTools()}.
          </p>
          <p class="actions">${firstAction(inviteUrl)}</p>
        </div>
        ${picture(options)}
      </div>
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

/** The one thing to do first; the other way in is a plain link. */
function firstAction(inviteUrl: string | null): Markup {
  if (inviteUrl === null) return html`<a class="button" href="docs">Open the documents</a>`;
  return html`<a class="button" href="${inviteUrl}">Add to Discord</a> <a href="docs">Open the documents</a>`;
}

/** `BDFD, BotGhost, Kite, aoi.js and eight more`. */
function listTools(): string {
  const labels = Object.values(TOOLS).map(({ label }) => label);
  const shown = labels.slice(0, SHOWN_TOOLS);
  return `${shown.join(', ')} and ${countInWords(labels.length - shown.length)} more`;
}

/** One call: what goes in, and what comes out of it. */
function picture({ operations: [first] }: DocumentsOptions): Markup | null {
  if (first === undefined) return null;
  const { input, answer } = first.example;
  // The parts that are there, and no lists: with those the last ones would be below the window.
  const shown = Object.fromEntries(
    Object.entries(answer).filter(
      ([, value]) => value !== null && value !== false && typeof value !== 'object',
    ),
  );
  return html`<figure class="picture">
    ${discordMessages('What somebody writes', [
      { from: 'user', text: String(Object.values(input)[0]), image: null },
    ])}
    <pre
      tabindex="0"
      role="region"
      aria-label="The answer"
    ><code>${colouredCode(JSON.stringify(shown, null, 2), 'json')}</code></pre>
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
