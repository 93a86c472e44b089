import { urlOf } from '../assets.ts';
import type { VirtualNode } from '../assets/vnode.js';
import type { Site } from '../documents-options.ts';

/** HTML that may be sent as it is. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

export type Part = string | number | Markup | null | false | readonly Part[];

export const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

/** Text between tags. Quotes need no escape there, and code is full of them. */
export function content(text: string): Markup {
  return new Markup(text.replaceAll(/[&<>]/g, (char) => ESCAPES[char] ?? char));
}

function toHtml(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Markup) return part.html;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(toHtml).join('');
}

/** A template in which all values but Markup are escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  // Indentation would be a third of a page.
  const raw = strings.raw.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return new Markup(String.raw({ raw }, ...parts.map(toHtml)));
}

/** HTML for a virtual node that the browser can draw as well. */
export function draw(vnode: VirtualNode): Markup {
  if (typeof vnode === 'string') return content(vnode);
  const attributes = Object.entries(vnode.attributes).map(([name, value]) => html` ${name}="${value}"`);
  const tag = new Markup(vnode.tag);
  return html`<${tag}${attributes}>${vnode.children.map(draw)}</${tag}>`;
}

const BAR = { docs: 'Docs', 'docs/recipes': 'Guides', status: 'Status', 'openapi.json': 'OpenAPI' } as const;

export interface PageOptions {
  readonly site: Site;
  readonly title: string;
  readonly description: string;
  /** The path below the API's URL, for links in chats; null for a page without a link to share. */
  readonly path: string | null;
  /**
   * The way from the page to the start: empty, or `../` once or more. URLs are relative, so that a service can be below
   * a path.
   */
  readonly root: string;
  /** The entry of the bar that the page belongs to; null for none. */
  readonly at: keyof typeof BAR | null;
  /** A script that only this page needs. */
  readonly script?: string;
  /** Contains a `main` with the id `main`. */
  readonly body: Markup;
}

/** The logo: eight drawers in the shape of a Q, one of them pulled out. */
const MARK = new Markup(
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path class="rack" d="M1 1h8v8H1zm9 0h8v8h-8zm9 0h8v8h-8zM1 10h8v8H1zm18 0h8v8h-8zM1 19h8v8H1zm9 0h8v8h-8z"/><path class="drawer" d="M22 22h8v8h-8z"/></svg>',
);

const LENS = new Markup(
  '<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><circle cx="6.5" cy="6.5" r="4.5"/><path d="m10 10 5 5"/></svg>',
);

/** Tags for the preview that chats show with a link. Discord needs absolute URLs. */
function sharedTags({ publicUrl }: Site, path: string): Markup {
  return html`<meta property="og:url" content="${publicUrl}${path}" />
    <meta property="og:image" content="${publicUrl}/docs/card.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="Quartermaster: tools for people who build Discord bots" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** The HTML document around `body`: head, bar and footer. */
export function layOut({ site, title, description, path, root, at, script, body }: PageOptions): string {
  const asset = (name: string) => `${root}docs/${urlOf(name)}`;
  const scripts = ['page.js', ...(script === undefined ? [] : [script])];
  return html`<!doctype html>
    <html lang="en" data-root="${root}">
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
        <link rel="icon" type="image/svg+xml" href="${asset('mark.svg')}" />
        <link
          rel="preload"
          as="font"
          type="font/woff2"
          href="${asset('instrument-sans.woff2')}"
          crossorigin
        />
        <link rel="stylesheet" href="${asset('pages.css')}" />
        ${scripts.map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
      </head>
      <body spellcheck="false">
        <a class="skip" href="#main">Skip to the text</a>
        <header class="bar">
          <a class="home" href="${root === '' ? '.' : root}">${MARK}Quartermaster</a>
          <nav aria-label="Pages">
            ${Object.entries(BAR).map(
              ([path, name]) =>
                html`<a href="${root}${path}" ${path === at && html`aria-current="page"`}>${name}</a>`,
            )}
          </nav>
          <button type="button" class="find" aria-haspopup="dialog">
            ${LENS}<span>Search</span><kbd>/</kbd>
          </button>
        </header>
        ${body}
        <footer class="foot">
          <a href="${root}docs/changelog">Version ${site.version}</a>
          <a href="${root}status">Status</a>
          ${site.sourceUrl !== null && html`<a href="${site.sourceUrl}">Source</a>`}
          <a href="${root}docs/privacy">Privacy</a>
          <a href="${root}docs/terms">Terms</a>
        </footer>
        <dialog class="search" aria-label="Search">
          <div>
            <input
              type="text"
              aria-label="Search operations, guides and problems"
              placeholder="Operation, guide, error code …"
              autocomplete="off"
            />
            <form method="dialog"><button class="quiet">Close</button></form>
          </div>
          <ul aria-label="Found"></ul>
          <p class="soft" role="status">Searching …</p>
        </dialog>
      </body>
    </html>`.html;
}

interface SidebarEntry {
  /** Relative to the page. */
  readonly path: string;
  readonly title: string;
}

/** Entries of the sidebar below a heading. */
export interface SidebarGroup {
  readonly heading: string;
  readonly entries: readonly SidebarEntry[];
}

/** A section of the open page. */
export interface Section {
  readonly id: string;
  /** Plain text. */
  readonly title: string;
}

/** A section below its heading. */
export interface PageSection extends Section {
  readonly body: Markup;
  /** Replaces the title above the section, and may say more. */
  readonly heading?: Markup;
  /** Shown next to the heading. */
  readonly aside?: Markup;
}

export function pageSection({
  id,
  title,
  body,
  heading = html`${title}`,
  aside = html``,
}: PageSection): Markup {
  return html`<section class="section" id="${id}" aria-labelledby="${id}-title">
    <div class="section-head">
      <h2 id="${id}-title">${heading}</h2>
      ${aside}
    </div>
    ${body}
  </section>`;
}

/**
 * The list of all pages on the left, with the sections of the current one. On a narrow screen it is a single line that
 * names the current page, and opens.
 */
export function sidebar(
  here: SidebarEntry,
  sections: readonly Section[],
  groups: readonly SidebarGroup[],
): Markup {
  const contents = html`<ul>
    ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
  </ul>`;
  return html`<details class="sidebar">
    <summary><span>${here.title}</span> <b data-here></b></summary>
    <div role="navigation" aria-label="Pages and sections">
      ${groups.map(
        ({ heading, entries }) =>
          html`<div>
            <h2>${heading}</h2>
            <ul>
              ${entries.map(({ path, title }) =>
                path === here.path
                  ? html`<li>
                      <a href="${path}" aria-current="page">${title}</a>${sections.length > 1 && contents}
                    </li>`
                  : html`<li><a href="${path}">${title}</a></li>`,
              )}
            </ul>
          </div>`,
      )}
    </div>
  </details>`;
}
