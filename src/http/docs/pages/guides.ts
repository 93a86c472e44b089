import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

import { colouredCode } from './coloured-code.ts';
import { html, Markup } from './html.ts';
import { layOut, searchBox, type Site } from './layout.ts';

const FOLDER = path.join(import.meta.dirname, '../../../../docs');

/** The pages of `docs/`, in the order in which they are listed. Each has one reader. */
export const GUIDES = {
  api: 'Every operation, field, answer, error and limit, for people who call the API from a program.',
  recipes: 'How each bot builder sends a text and reads the answer.',
  discord: 'Set up the bot in Discord, and what each command does.',
  operate: 'Settings, storage, systemd, containers, proxies, backups.',
  scale: 'Several processes: Redis, shards, rolling restarts.',
  security: 'What is kept, what is never kept, and what an operator should do.',
  figures: 'Speed, memory and quality, with the command that prints each figure.',
  privacy: 'What the service keeps about you, and for how long.',
  terms: 'What you may do with the service, and what to expect of it.',
  changelog: 'What is new in each version.',
  contribute: 'Checks, tests, and how to add an operation.',
} as const;

export type GuideName = keyof typeof GUIDES;

export const GUIDE_NAMES = Object.keys(GUIDES) as GuideName[];

/** The Markdown of a page, as the repository has it. */
export function guideSource(name: GuideName): string {
  return readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');
}

const pages = new Map<string, Promise<string>>();

/** A page of `docs/` in the look of the others. Rendering takes up to 0.2 s, so it is done once, a section a turn. */
export function guidePage(name: GuideName, site: Site): Promise<string> {
  const address = `${site.publicUrl}/docs/${name}`;
  const known = pages.get(address);
  if (known !== undefined) return known;
  const page = makeGuidePage(name, site);
  pages.set(address, page);
  // A failure is not kept.
  page.catch(() => pages.delete(address));
  return page;
}

async function makeGuidePage(name: GuideName, site: Site): Promise<string> {
  const source = guideSource(name);
  const rendered = await renderGuide(source);
  const title = /^# (.+)$/m.exec(source)?.[1] ?? name;
  return layOut({
    title: `${title} · Quartermaster`,
    description: GUIDES[name],
    site,
    path: `/docs/${name}`,
    root: '../',
    script: 'page.js',
    nav: [
      ['docs', 'Try it'],
      [`docs/${name}.md`, 'Markdown'],
    ],
    skipTo: 'the text',
    body: html`<div class="frame">
      <nav class="manifest" aria-label="Guides">
        ${searchBox('this guide')}
        <ol>
          ${GUIDE_NAMES.map((each) =>
            each === name
              ? html`<li><a href="${each}" aria-current="page">${each}</a>${contentsOf(rendered)}</li>`
              : html`<li><a href="${each}">${each}</a></li>`,
          )}
        </ol>
      </nav>
      <main id="main" class="guide">${rendered}</main>
    </div>`,
  });
}

/** The headings of a guide, where it has several. */
function contentsOf({ html: text }: Markup): Markup | null {
  const headings = [...text.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)];
  if (headings.length < 2) return null;
  return html`<ol class="contents">
    ${headings.map(
      ([, id = '', inner = '']) =>
        html`<li><a href="#${id}">${new Markup(inner.replaceAll(/<\/?a\b[^>]*>/g, ''))}</a></li>`,
    )}
  </ol>`;
}

/** For language models, in the form of https://llmstxt.org: a title, a sentence, and a list of links. */
export function llmsText(publicUrl: string): string {
  const lines = GUIDE_NAMES.map((name) => `- [${name}](${publicUrl}/docs/${name}.md): ${GUIDES[name]}`);
  return [
    '# Quartermaster',
    '',
    '> Tools for people who build Discord bots, over HTTP and as slash commands.',
    '',
    '## Docs',
    '',
    ...lines,
    `- [OpenAPI](${publicUrl}/openapi.json): the same as an OpenAPI 3.1 document.`,
    `- [client.ts](${publicUrl}/docs/client.ts): a typed client in one file, without dependencies.`,
    '',
  ].join('\n');
}

/** Each section by itself: no page defines a link in one and uses it in another. */
async function renderGuide(source: string): Promise<Markup> {
  let tables = 0;
  const sections: string[] = [];
  for (const section of splitSections(source.replaceAll(/<!--.*?-->\n?/gs, ''))) {
    sections.push(micromark(section, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }));
    await nextTurn();
  }
  return new Markup(
    sections
      .join('\n')
      .replaceAll(
        /<h([1-6])>(.*?)<\/h\1>/gs,
        (_all, level: string, inner: string) =>
          `<h${level} id="${headingId(inner.replaceAll(/<[^>]*>|&[#\w]+;/g, ''))}">${inner}</h${level}>`,
      )
      // Pages link to one another by file name in the repository and by address here.
      .replaceAll(/href="(\w+)\.md(#[^"]*)?"/g, 'href="$1$2"')
      .replaceAll(/href="\.\.\/README\.md[^"]*"/g, 'href=".."')
      // Wide tables and code scroll by themselves, with the keyboard too.
      .replaceAll('<table>', () => {
        tables += 1;
        return `<div class="scroll" role="region" aria-label="Table ${tables}" tabindex="0"><table>`;
      })
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll('</table>', '</table></div>')
      .replaceAll(
        /<pre><code class="language-(\w+)">([^<]*)<\/code>/g,
        (_all, language: string, code: string) =>
          `<pre><code data-language="${language}">${colouredCode(readEntities(code), language).html}</code>`,
      )
      .replaceAll('<pre>', '<pre tabindex="0">'),
  );
}

/** These four are all that micromark escapes. */
function readEntities(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

/** Cuts before each heading; in a block of code a line may only look like one. */
export function splitSections(source: string): string[] {
  const sections: string[] = [];
  let lines: string[] = [];
  let isCode = false;
  for (const line of source.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) {
      sections.push(lines.join('\n'));
      lines = [];
    }
    lines.push(line);
  }
  return [...sections, lines.join('\n')];
}

/** The id that GitHub gives a heading, so that links work in both places. */
export function headingId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
