import { html } from './html.ts';
import { layOut, type Site } from './layout.ts';

/** For people who followed a link that leads nowhere. @param path as it was asked for, for the way back to the start */
export function notFoundPage(path: string, site: Site): string {
  return layOut({
    title: 'Not found · Quartermaster',
    description: 'There is no such page.',
    site,
    path: null,
    root: '../'.repeat(path.split('/').length - 2),
    nav: [['docs', 'Try it']],
    skipTo: 'the text',
    body: html`<main class="landing" id="main">
      <h1>There is no such page.</h1>
      <p class="lead">The address may be misspelt, or the page may have moved.</p>
      <p class="actions">
        <a class="button" href="${'../'.repeat(path.split('/').length - 2)}docs">Open the documents</a>
      </p>
    </main>`,
  });
}
