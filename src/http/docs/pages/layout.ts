import { VERSION } from '../../../version.ts';
import { loadAsset, type AssetName } from '../assets.ts';
import { html, type Markup } from './html.ts';

export interface Site {
  /** Address of the API, without a slash at the end. */
  readonly publicUrl: string;
  /** Address of the source code of this service; null when SOURCE_URL is not set. */
  readonly sourceUrl: string | null;
}

export interface PageOptions {
  readonly site: Site;
  readonly title: string;
  readonly description: string;
  /** Below the address of the API, for links that are shared. null: it is not shared. */
  readonly path: string | null;
  /** From the page to the start: empty, or `../` once or more. Addresses are relative, for services below a path. */
  readonly root: string;
  readonly script?: AssetName;
  /** Addresses relative to the start, with their names. */
  readonly nav: readonly (readonly [address: string, name: string])[];
  /** The end of "Skip to …", the first link of the page. */
  readonly skipTo: string;
  /** Has an element with the id `main`. */
  readonly body: Markup;
}

/** Hides what does not have the typed words in the list below it. Without a script it is not there. */
export function searchBox(where: string): Markup {
  return html`<p class="search" data-search hidden>
    <input type="search" aria-label="Search ${where}" placeholder="Search" autocomplete="off" />
    <output></output>
  </p>`;
}

/** Chats show these with a link. Discord wants whole addresses. */
function sharedTags({ publicUrl }: Site, path: string): Markup {
  return html`<meta property="og:url" content="${publicUrl}${path}" />
    <meta property="og:image" content="${publicUrl}/docs/card.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="Quartermaster: tools for people who build Discord bots" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** A whole page. */
export function layOut(options: PageOptions): string {
  const { site, title, description, path, root, script, nav, skipTo, body } = options;
  const asset = (name: AssetName) => `${root}docs/${name}?v=${loadAsset(name).version}`;
  const start = root === '' ? '.' : root;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content="Quartermaster" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${description}" />
        ${path === null ? null : sharedTags(site, path)}
        <link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}" />
        <link rel="stylesheet" href="${asset('docs.css')}" />
        ${script === undefined ? null : html`<script type="module" src="${asset(script)}"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">Skip to ${skipTo}</a>
        <header class="masthead">
          <p class="mark"><a href="${start}" aria-label="Quartermaster, start">Quartermaster</a></p>
          <nav aria-label="Documents">
            ${nav.map(([address, name]) => html`<a href="${root}${address}">${name}</a>`)}
          </nav>
        </header>
        ${body}
        <footer class="foot">
          <a href="${root}docs/changelog">Version ${VERSION}</a>
          <a href="${root}status">Status</a>
          ${site.sourceUrl === null ? null : html`<a href="${site.sourceUrl}">Source</a>`}
          <a href="${root}docs/privacy">Privacy</a>
          <a href="${root}docs/terms">Terms</a>
        </footer>
      </body>
    </html>`.html;
}
