import { BUILDERS } from '../../../recipes/builders.ts';
import type { Operation } from '../../../operations/operation.ts';
import { capitalise, countInWords } from '../../count-in-words.ts';
import { partCard, partsOf } from '../assets/operation/parts.js';
import { siteOf, type DocumentsOptions } from '../documents-options.ts';
import { presentationOf } from '../operations/presentations.ts';
import { readMessage } from '../assets/operation/discord-markdown.js';
import { discordMessages } from './discord-message.ts';
import { operationList } from './sidebar.ts';
import { pageSection, draw, html, layOut, type Markup } from './layout.ts';

/** Inputs of an operation, with the service's answer to each. */
export interface Showcase {
  readonly operation: Operation;
  readonly samples: readonly {
    readonly label: string;
    readonly typed: string;
    readonly answer: Readonly<Record<string, unknown>>;
  }[];
}

/** This many builders are named in the first sentence; the others are counted. */
const NAMED_BUILDERS = 3;

const number = (value: number) => value.toLocaleString('en');

/** The page at `/` for browsers. Programs get `landingBody`. */
export function landingPage(options: DocumentsOptions, showcase: Showcase | null): string {
  const { operations, limits } = options;
  const inviteUrl = options.inviteUrl();
  const count = capitalise(countInWords(operations.length));
  const labels = Object.values(BUILDERS).map(({ label }) => label);
  return layOut({
    site: siteOf(options),
    title: 'Quartermaster: tools your Discord bot can call',
    description: `${count} tools over HTTP for people who build Discord bots, with or without code.`,
    path: '/',
    root: '',
    at: null,
    body: html`<main class="wide" id="main">
      <div class="hero">
        <div>
          <h1>${count} tools your Discord bot can call.</h1>
          <p class="lead">
            Your bot builder cannot read “7d spamming links”, post a long text or count a role? Quartermaster
            does it: one request, one answer, ready to use. With a whole recipe to copy for
            ${labels.slice(0, NAMED_BUILDERS).join(', ')} and ${countInWords(labels.length - NAMED_BUILDERS)}
            more.
          </p>
          <p class="actions">
            <a class="button" href="docs">Choose your builder</a>
            ${inviteUrl !== null && html`<a href="${inviteUrl}">Add to Discord</a>`}
          </p>
        </div>
        ${showcase !== null && picture(showcase)}
      </div>
      ${pageSection({ id: 'stock', title: 'What is in store', body: operationList(operations, '', false) })}
      ${pageSection({ id: 'steps', title: 'From here to a working command', body: waySteps(inviteUrl) })}
      ${pageSection({
        id: 'cost',
        title: 'What it costs',
        body: html`<p>
          Calls cost nothing: the software has no payments and no paid plans. Each server has
          ${number(limits.requestsPerMinute)} calls a minute, and besides them
          ${number(limits.imagesPerMinute)} images and ${number(limits.sendsPerMinute)} texts to post, however
          many keys it has.
          <a href="docs#limits">All limits</a>.
        </p>`,
      })}
      ${pageSection({
        id: 'keeps',
        title: 'What it keeps, and what it does not',
        body: html`<p>
          Texts, images and the fields of calls are not kept, and neither are keys, tokens and webhooks. What
          is kept is a hash of each key, the id of its maker and how often it was used; in memory, which
          members hold which roles.
          <a href="docs/privacy">All of it</a>.
        </p>`,
      })}
    </main>`,
  });
}

/** Lines that are already taken apart: the reader chooses one. */
function picture({ operation, samples }: Showcase): Markup {
  const { name } = operation;
  const { shown } = presentationOf(operation);
  return html`<div class="stack">
    <fieldset class="lines">
      <legend class="out-of-sight">A line to take apart</legend>
      ${samples.map(
        ({ label, typed, answer }, index) =>
          html`<div>
            <label
              ><input
                class="out-of-sight"
                type="radio"
                name="line"
                ${index === 0 && html`checked`}
              />${label}</label
            >
            <div class="stack">
              ${discordMessages(`In Discord: ${label}`, [{ from: 'user', text: typed, image: null }])}
              <ul class="cards" aria-label="What your bot gets: ${label}">
                ${partsOf(shown, answer).map((part) => draw(partCard(part, readMessage(part.displayText))))}
              </ul>
            </div>
          </div>`,
      )}
    </fieldset>
    <p class="soft small">
      This is ${name}. Seven languages, any order; what is missing is null.
      <a href="docs/${name}">Try it with your own line</a>
    </p>
  </div>`;
}

function waySteps(inviteUrl: string | null): Markup {
  return html`<ol class="steps three">
    <li>
      <h3>Add it to your server</h3>
      ${
        inviteUrl === null
          ? html`<p>
              Ask the people who run this service to add the bot to your server, or to give you a key.
            </p>`
          : html`<p>
                You need <em>Manage Server</em> there. It reads a message only when you use a command on it.
              </p>
              <p><a class="button" href="${inviteUrl}">Add to Discord</a></p>`
      }
    </li>
    <li>
      <h3>Make a key</h3>
      <p>
        Type <code>/settings key create</code> and choose your builder. The key is shown once, to you alone.
        Paste it into <a href="docs#key">the docs</a>.
      </p>
    </li>
    <li>
      <h3>Copy the recipe for your builder</h3>
      <p>A whole command: the request, what to check, what to say when something is missing.</p>
      <ul class="builders">
        ${Object.entries(BUILDERS).map(([id, { label }]) => html`<li><a href="docs?tool=${id}">${label}</a></li>`)}
      </ul>
    </li>
  </ol>`;
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
