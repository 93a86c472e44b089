import { capitalise, countInWords } from '../count-in-words.ts';
import { assetAddress } from './assets.ts';
import type { DocumentsOptions } from './documents-options.ts';
import { html } from './html.ts';
import { layOut } from './layout.ts';

/** What a browser sees at the root. */
export function landingPage({ operations }: DocumentsOptions): string {
  const tools = `${capitalise(countInWords(operations.length))} tools`;
  return layOut({
    title: 'Quartermaster',
    description: `${tools} over HTTP for people who build Discord bots.`,
    styles: [assetAddress('docs.css')],
    scripts: [],
    icon: assetAddress('icon.svg'),
    body: html`<main class="landing">
      <p class="mark">Quartermaster</p>
      <h1>The storeroom for people who build Discord bots.</h1>
      <p class="lead">${tools} over HTTP, with a recipe for every bot builder.</p>
      <p class="actions"><a class="button" href="docs">Open the documents</a></p>
      <ul class="shelf">
        ${operations.map(
          ({ name, summary }) =>
            html`<li><a href="docs#${name}">${name}</a> <span>${summary.replace(/\.?$/, '.')}</span></li>`,
        )}
      </ul>
    </main>`,
  });
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
