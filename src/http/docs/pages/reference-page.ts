import { capitalise } from '../../count-in-words.ts';
import type { Schema } from '../../openapi/json-schema.ts';
import { colouredCode } from './coloured-code.ts';
import { html, inlineMarkdown, markdown, type Markup } from './html.ts';
import { layOut, searchBox, type Site } from './layout.ts';
import {
  readContent,
  readReference,
  refName,
  schemaNameOf,
  type ReferenceDocument,
  type ReferenceMethod,
  type ReferenceParameter,
  type ReferenceProperty,
} from './reference-document.ts';
import { problemTable, table } from './tables.ts';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: ReferenceMethod;
  /** Another method that does the same. */
  readonly alias: { readonly method: string; readonly operation: ReferenceMethod } | null;
}

/** Every path, field, answer and code of the OpenAPI document, as a page that needs no script. */
export function referencePage(openApi: Schema, site: Site): string {
  const reference = readReference(openApi);
  const entries = listEntries(reference);
  const options = Object.values(reference.components.parameters);
  return layOut({
    title: 'Reference · Quartermaster',
    description: 'Every path, field, answer and error.',
    site,
    path: '/docs/reference',
    root: '../',
    script: 'page.js',
    nav: [
      ['docs', 'Try it'],
      ['openapi.json', 'OpenAPI'],
    ],
    skipTo: 'the operations',
    body: html`<div class="frame">
      <nav class="manifest" aria-label="On this page">
        ${searchBox('the reference')}
        <ol>
          ${entries.map(({ operation: { operationId: id } }) => html`<li><a href="#${id}">${id}</a></li>`)}
          <li><a href="#options">Options and headers</a></li>
          <li><a href="#codes">Problem codes</a></li>
        </ol>
      </nav>
      <main id="main" class="guide">
        <h1>Reference</h1>
        <div class="prose">${markdown(reference.info.description)}</div>
        ${entries.map((entry) => entrySection(entry, reference))}
        <section id="options" aria-labelledby="options-title">
          <h2 id="options-title">Options and headers</h2>
          <p>Options go into the query or the body of any operation.</p>
          ${parameterTable('All options and headers', options)}
        </section>
        <section id="codes" aria-labelledby="codes-title">
          <h2 id="codes-title">Problem codes</h2>
          ${problemTable()}
        </section>
      </main>
    </div>`,
  });
}

function listEntries({ paths }: ReferenceDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const all = Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      operation,
    }));
    const aliasOf = (id: string) =>
      all.find(({ operation }) => operation.operationId === `${id}-get`) ?? null;
    return all
      .map((each) => ({ ...each, path, alias: aliasOf(each.operation.operationId) }))
      .filter((entry) =>
        all.every(({ operation }) => entry.operation.operationId !== `${operation.operationId}-get`),
      );
  });
}

function entrySection({ method, path, operation, alias }: Entry, reference: ReferenceDocument): Markup {
  const { operationId: id, summary, description, requestBody } = operation;
  const parameters = operation.parameters.flatMap((each) =>
    '$ref' in each && typeof each.$ref === 'string' ? [] : [each as ReferenceParameter],
  );
  const body = schemaNameOf(requestBody?.content['application/json']?.schema);
  const required = new Set(body === null ? [] : reference.components.schemas[body]?.required);
  const shared = operation.parameters.flatMap((each) =>
    '$ref' in each && typeof each.$ref === 'string' ? [refName(each.$ref)] : [],
  );
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${id}</h2>
    <p class="plate"><span class="method">${method}</span> <code>${path}</code></p>
    <div class="prose">
      <p>${inlineMarkdown(summary)}</p>
      ${description === summary ? null : markdown(description)}
      ${
        alias === null
          ? null
          : html`<p>
              <span class="method">${alias.method}</span> ${inlineMarkdown(alias.operation.description)}
            </p>`
      }
      ${
        requestBody === undefined
          ? null
          : html`<p>
              Body: ${listCodes(Object.keys(requestBody.content))}. ${inlineMarkdown(requestBody.description)}
            </p>`
      }
    </div>
    ${
      parameters.length === 0
        ? null
        : html`<h3>Fields of ${id}</h3>
            ${parameterTable(
              `Fields of ${id}`,
              parameters.map((each) => ({ ...each, required: each.required || required.has(each.name) })),
            )}`
    }
    ${shared.length === 0 ? null : html`<p>Also: <a href="#options">${listCodes(shared)}</a>.</p>`}
    ${answers(id, operation, reference)}
  </section>`;
}

function listCodes(names: readonly string[]): Markup {
  return html`${names.map((name, index) => html`${index === 0 ? '' : ', '}<code>${name}</code>`)}`;
}

/** Successes with their keys and examples, then failures by status. */
function answers(id: string, { responses }: ReferenceMethod, { components }: ReferenceDocument): Markup {
  const all = Object.entries(responses);
  const failures = all.filter(([status]) => Number(status) >= 400);
  return html`${all
      .filter(([status]) => Number(status) < 400)
      .map(([status, { description, content }]) => {
        const json = readContent(content['application/json']);
        const name = schemaNameOf(json?.schema);
        const schema = name === null ? undefined : components.schemas[name];
        return html`<h3>${id}: answer ${status}</h3>
          <p>${inlineMarkdown(description)}</p>
          ${
            schema === undefined
              ? null
              : table(
                  `Keys of ${id}, ${status}`,
                  ['Key', 'Type', 'Meaning'],
                  Object.entries(schema.properties).map(([key, value]) => [
                    html`<code>${key}</code>`,
                    describeType(value),
                    inlineMarkdown(value.description ?? ''),
                  ]),
                )
          }
          ${Object.entries(json?.examples ?? {}).map(
            ([example, { summary, value }]) =>
              html`<details>
                <summary>${summary ?? capitalise(example)}</summary>
                <pre tabindex="0"><code>${colouredCode(JSON.stringify(value, null, 2), 'json')}</code></pre>
              </details>`,
          )}`;
      })}
    <h3>${id}: failures</h3>
    ${table(
      `Failures of ${id}`,
      ['Status', 'Codes'],
      failures.map(([status, { description }]) => [
        status,
        html`${description.split('\n\n').map((line) => html`<div>${inlineMarkdown(line)}</div>`)}`,
      ]),
    )}`;
}

function parameterTable(label: string, parameters: readonly ReferenceParameter[]): Markup {
  return table(
    label,
    ['Name', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, schema, description }) => [
      html`<code>${name}</code>`,
      `${describeType(schema)}${place === 'header' ? ', a header' : ''}${required ? ', required' : ''}`,
      inlineMarkdown(description ?? schema.description ?? ''),
    ]),
  );
}

/** `string, 1 to 4000 characters`, `integer, 0 to 100`, `one of a, b`. */
function describeType(schema: ReferenceProperty): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`;
  const names = [schema.type ?? 'any'].flat();
  const name = names.map((each) =>
    each === 'array' ? `list of ${[schema.items?.type ?? 'any'].flat().join(' or ')}` : each,
  );
  return [
    name.join(' or '),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    schema.default === undefined ? null : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string | null {
  if (least === undefined && most === undefined) return null;
  if (most === undefined) return `at least ${least}${unit}`;
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
}
