import { html, layOut } from './layout.ts';
import type { Site } from '../documents-options.ts';

/**
 * The page for a link that leads nowhere.
 * @param path as it was asked for, for the way back to the start
 * @param meant path of the page that was probably meant, or null
 */
export function notFoundPage(path: string, meant: string | null, site: Site): string {
  const root = '../'.repeat(path.split('/').length - 2);
  return layOut({
    title: 'Not found · Quartermaster',
    description: 'There is no such page.',
    site,
    path: null,
    root,
    at: null,
    body: html`<main class="wide narrow" id="main">
      <header>
        <h1>There is no such page.</h1>
        <p class="lead">
          The URL may be misspelt, or the page may have moved. Search looks through all of them.
        </p>
      </header>
      ${meant !== null && html`<p>Did you mean <a href="${root}${meant.slice(1)}">${meant}</a>?</p>`}
      <p class="actions"><a class="button" href="${root}docs">Open the docs</a></p>
    </main>`,
  });
}
