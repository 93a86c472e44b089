import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';

import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

import { codePanel } from './highlighted-code.ts';
import { ESCAPES, html, layOut, Markup, sidebar } from './layout.ts';
import type { Site } from '../documents-options.ts';

const FOLDER = path.join(import.meta.dirname, '../../../../docs');

/** The pages of `docs/`, in the order in which they are listed. Each has one reader. */
export const GUIDES = {
  recipes: 'How each bot builder sends a text and reads the answer.',
  api: 'Every operation, field, answer, error and limit, for people who call the API from a program.',
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

/** Marks for scripts, and pictures of these pages. */
const LEFT_OUT = /<!--[^<>\n]*-->\n?|!\[[^[\]\n]*\]\(screens\/[^()\n]*\)\n\n?/g;

/** A heading of a guide, with the text up to the next one. */
export interface GuideSection {
  readonly id: string;
  /** Plain text. */
  readonly title: string;
  /** 1 to 6; 0 for the text before the first heading. */
  readonly level: number;
  /** Markdown, including the heading. */
  readonly source: string;
}

/** The Markdown of a page, as the repository has it. */
export function guideSource(name: GuideName): string {
  return readFileSync(path.join(FOLDER, `${name}.md`), 'utf8');
}

const FLOWS = path.join(FOLDER, 'flows');

/** Files that Make and n8n can import, linked from the guide to recipes. */
export const FLOW_NAMES = readdirSync(FLOWS);

/** The flow's file, with the URL of this service. */
export function flowSource(name: string, publicUrl: string): string {
  return withUrl(readFileSync(path.join(FLOWS, name), 'utf8'), publicUrl);
}

function withUrl(source: string, publicUrl: string): string {
  return source.replaceAll(/https:\/\/quartermaster\.example(?:\.com)?(?![\w.-])/g, () => publicUrl);
}

const sections = new Map<GuideName, readonly GuideSection[]>();

/** The first section is that of the title. */
export function guideSections(name: GuideName): readonly GuideSection[] {
  const known = sections.get(name) ?? splitSections(guideSource(name).replaceAll(LEFT_OUT, ''));
  sections.set(name, known);
  return known;
}

export function guideTitle(name: GuideName): string {
  return guideSections(name)[0]?.title ?? name;
}

/**
 * A page of `docs/` in the look of the other pages, with the URL of this service. One iteration of the event loop makes
 * one section, so that requests are answered in between.
 */
export async function guidePage(name: GuideName, site: Site): Promise<string> {
  const all = guideSections(name);
  const parts: Markup[][] = [[]];
  for (const { level, source } of all) {
    if (level === 2) parts.push([]);
    parts.at(-1)?.push(markdown(withUrl(source, site.publicUrl)));
    await nextIteration();
  }
  const [intro = [], ...others] = parts;
  const next = GUIDE_NAMES[GUIDE_NAMES.indexOf(name) + 1];
  return layOut({
    title: `${guideTitle(name)} · Quartermaster`,
    description: GUIDES[name],
    site,
    path: `/docs/${name}`,
    root: '../',
    at: 'docs/recipes',
    body: html`<div class="frame">
      ${sidebar(
        { path: name, title: guideTitle(name) },
        all.filter(({ level }) => level === 2),
        [
          {
            heading: 'Guides',
            entries: GUIDE_NAMES.map((each) => ({ path: each, title: guideTitle(each) })),
          },
        ],
      )}
      <main id="main" class="prose">
        <header>${intro}</header>
        ${others.map((part) => html`<section class="section">${part}</section>`)}
        <div class="pager">
          <a href="${name}.md">This page as Markdown</a>
          ${next !== undefined && html`<a href="${next}">Next guide: ${guideTitle(next)}</a>`}
        </div>
      </main>
    </div>`,
  });
}

/**
 * Where the API guide describes an operation: in the section of its name, or the one with its path; null if there is
 * none.
 */
export function guideAbout({ name, path }: { readonly name: string; readonly path: string }): string | null {
  const all = guideSections('api').filter(({ level }) => level > 1);
  const found = all.find(({ id }) => id === name) ?? all.find(({ source }) => source.includes(path));
  return found === undefined ? null : `api#${found.id}`;
}

/** The flows of the guide to recipes that call an operation, each before the builders that it is written for. */
export function flowsWith({ path }: { readonly path: string }): (readonly GuideSection[])[] {
  const flows: GuideSection[][] = [];
  for (const section of guideSections('recipes')) {
    if (section.level === 2) flows.push([]);
    flows.at(-1)?.push(section);
  }
  return flows.filter((sections) => sections.some(({ source }) => source.includes(path)));
}

/** For language models, in the form of https://llmstxt.org: a title, a sentence, and a list of links. */
export function llmsText(publicUrl: string): string {
  const lines = GUIDE_NAMES.map(
    (name) => `- [${guideTitle(name)}](${publicUrl}/docs/${name}.md): ${GUIDES[name]}`,
  );
  return [
    '# Quartermaster',
    '',
    '> Tools for people who build Discord bots, over HTTP and as slash commands.',
    '',
    '## Docs',
    '',
    ...lines,
    `- [OpenAPI](${publicUrl}/openapi.json): the same as an OpenAPI 3.1 document.`,
    '',
  ].join('\n');
}

/** Cuts before each heading. In a code block, a line may only look like one. */
export function splitSections(source: string): GuideSection[] {
  const found: GuideSection[] = [];
  let lines: string[] = [];
  let isCode = false;
  const add = () => {
    const [first = ''] = lines;
    const [, marks = '', words = ''] = /^(#{1,6}) (.+)$/.exec(first) ?? [];
    const title = words === '' ? '' : plainText(inlineMarkdown(words));
    const text = lines.join('\n');
    if (text.trim() !== '') found.push({ id: headingId(title), title, level: marks.length, source: text });
    lines = [];
  };
  for (const line of source.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) add();
    lines.push(line);
  }
  add();
  return found;
}

const SYNTAX = [gfm()];
const DRAWN = [gfmHtml()];
/** HTML that the pages replace. Texts and code contain no bare `<` at this point. */
const OURS =
  /<(?<rank>h[1-6])>(?<inner>(?:[^<]|<(?!\/?h))*)<\/h[1-6]>|<pre><code(?: class="language-(?<language>[^"<]*)")?>(?<code>[^<]*)<\/code><\/pre>|(?<=href=")(?<target>[^"]*)|<table>|<\/table>|<th[^<>]*><\/th>/g;

/**
 * A text of Markdown, in the look of the pages: headings with ids, code in colours with *Copy*, tables that scroll by
 * themselves, links between the pages.
 */
export function markdown(text: string): Markup {
  let heading = '';
  let tables = 0;
  const draw = (found: string, groups: Readonly<Record<string, string | undefined>>): string => {
    const { rank, inner = '', language = '', code, target } = groups;
    if (rank !== undefined) {
      const words = plainText(new Markup(inner));
      heading = html`${words}`.html;
      return `<${rank} id="${headingId(words)}">${inner.replaceAll(/(?<=href=")[^"]*/g, toPagePath)}</${rank}>`;
    }
    if (code !== undefined) return codePanel('Code', unescaped(code).replace(/\n$/, ''), language).html;
    if (target !== undefined) return toPagePath(target);
    if (found === '</table>') return '</table></section>';
    if (found !== '<table>') return '<td></td>';
    tables += 1;
    return `<section class="scroll" tabindex="0" aria-label="${heading}, table ${tables}"><table>`;
  };
  const drawn = micromark(text, { extensions: SYNTAX, htmlExtensions: DRAWN });
  return new Markup(drawn.replaceAll(OURS, (found, ...rest) => draw(found, rest.at(-1))));
}

/** The same for a sentence, without a paragraph around it. */
export function inlineMarkdown(text: string): Markup {
  return new Markup(markdown(text).html.replace(/^<p>(.*)<\/p>$/s, '$1'));
}

/** What a reader sees of HTML that was made here. */
export function plainText({ html }: Markup): string {
  return unescaped(html.replaceAll(/<[^<>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function unescaped(html: string): string {
  return html.replaceAll(/&(?:lt|gt|quot|amp|#39);/g, (escaped) => CHARS.get(escaped) ?? escaped);
}

const CHARS = new Map(Object.entries(ESCAPES).map(([char, escaped]) => [escaped, char]));

/** The id that GitHub gives a heading, so that links work in both places. */
export function headingId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** A link to another page names a file in the repository, and a page here. */
function toPagePath(target: string): string {
  return target.replace(/^(\w+)\.md(?=#|$)/, '$1');
}
