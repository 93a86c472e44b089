import type { BuilderId } from '../../../recipes/builders.ts';
import type { Operation } from '../../../operations/operation.ts';
import { presentationOf } from '../operations/presentations.ts';
import { html, type Markup, type Section, sidebar } from './layout.ts';

/** Sections of the page of all operations that people look for from other pages. */
export const DOCS_SECTIONS = {
  answers: 'Answers and errors',
  limits: 'Limits',
  client: 'Client, MCP, OpenAPI',
} as const;

/** Leads the reader's builder from page to page where no script does. @param builder null when none is chosen */
export function builderQuery(builder: BuilderId | null): string {
  return builder === null ? '' : `?tool=${builder}`;
}

/**
 * @param query of the links between these pages
 * @param name of the open operation; null on the page of all of them
 */
export function docsSidebar(
  operations: readonly Operation[],
  root: string,
  query: string,
  name: string | null,
  sections: readonly Section[],
): Markup {
  const docs = { path: `${root}docs${query}`, title: 'Builder and key' };
  const entryOf = (each: string) => ({ path: `${root}docs/${each}${query}`, title: each });
  return sidebar(name === null ? docs : entryOf(name), sections, [
    { heading: 'Start', entries: [docs] },
    ...Object.entries(Object.groupBy(operations, (operation) => presentationOf(operation).group)).map(
      ([heading, members]) => ({
        heading,
        entries: members.map((operation) => entryOf(operation.name)),
      }),
    ),
    {
      heading: 'More',
      entries: Object.entries(DOCS_SECTIONS).map(([id, title]) => ({
        path: `${root}docs${query}#${id}`,
        title,
      })),
    },
  ]);
}

/**
 * One line for each operation.
 * @param query of the links
 * @param hasIds old links to an operation lead to its line
 */
export function operationList(operations: readonly Operation[], query: string, hasIds: boolean): Markup {
  return html`<ul class="operations">
    ${operations.map((operation) => {
      const { name, summary } = operation;
      const [into, out] = presentationOf(operation).inOut;
      return html`<li ${hasIds && html`id="${name}"`}>
        <a href="docs/${name}${query}">${name}</a> <span>${summary.replace(/\.?$/, '.')}</span>
        <span class="io">${into} <b>→ ${out}</b></span>
      </li>`;
    })}
  </ul>`;
}
