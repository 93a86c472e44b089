import { codeOf, sentenceOf, STATUSES, type ProblemTextKey } from '../../../kernel/problem.ts';
import type { Explained } from '../../../recipes/what-went-wrong.ts';
import type { Schema } from '../../openapi/json-schema.ts';
import { splitNull } from '../../openapi/json-schema.ts';
import type { ThirdPartyError } from './third-party-errors.ts';
import { findingTables } from '../assets/operation/findings.js';
import type { Presentation } from '../operations/presentation.ts';
import { codePanel } from './highlighted-code.ts';
import { draw, html, type Markup, type Part } from './layout.ts';
import { inlineMarkdown } from './guides.ts';

/** A row of a table of facts: its name, its explanation, and an id for links. */
export interface Row {
  readonly id?: string;
  /** Others, for scripts. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly cells: readonly Part[];
}

/**
 * A table that becomes cards on a phone. There, values to copy are preceded by the name of their column.
 * @param look `facts` to read, `copy-table` to copy from
 */
export function table(columns: readonly string[], rows: readonly Row[], look = 'facts'): Markup {
  const label = (at: number) => look !== 'facts' && html` data-col="${columns[at] ?? ''}"`;
  const drawn = rows.map(({ id, attributes: others = {}, cells: [first = null, ...rest] }) => {
    const cells = rest.map((cell, at) => html`<td${label(at + 1)}>${cell}</td>`);
    const attributes = Object.entries(id === undefined ? others : { id, ...others }).map(
      ([name, value]) => html` ${name}="${value}"`,
    );
    return html`<tr${attributes}><th scope="row"${label(0)}>${first}</th>${cells}</tr>`;
  });
  return html`<table class="${look}">
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${drawn}
    </tbody>
  </table>`;
}

/** For problems without a hint, or with one that depends on the case. */
const READ_ANSWER = 'The answer says more: `error`, `field`, `hint`.';
const TRY_AGAIN = 'Wait `retry_after` seconds, or a minute if it is null.';

/**
 * A table of problems. Values that only an answer has are left open.
 * @param hasAnchors one for each code, for links
 */
export function problemTable(keys: readonly ProblemTextKey[], hasAnchors = true): Markup {
  const rows = keys.map((key) => {
    const code = codeOf(key);
    const { error, hint } = sentenceOf(key);
    const status: number = STATUSES[code];
    const name = html`<code>${code}</code> <small>${status}</small>`;
    const isPassing = status === 408 || status === 429 || status >= 500;
    const whatToDo = inlineMarkdown(leftOpen(hint ?? (isPassing ? TRY_AGAIN : READ_ANSWER)));
    return { ...(hasAnchors && key === code ? { id: key } : {}), cells: [name, leftOpen(error), whatToDo] };
  });
  return table(['Code', 'What it says', 'What to do'], rows);
}

const leftOpen = (text: string) => text.replaceAll(/\{\w+\}/g, '…');

/** How a failed command replies in Discord; null without such replies. */
export function explainedTable(sentences: readonly Explained[]): Markup | null {
  if (sentences.length === 0) return null;
  const rows = sentences.map(({ says, why, what }) => ({
    attributes: { 'data-sentence': '' },
    cells: [says, inlineMarkdown(why), inlineMarkdown(what)],
  }));
  return table(['In Discord', 'Why', 'What to do'], rows);
}

/** Errors of Discord and of builders. */
export function foreignTable(errors: readonly ThirdPartyError[]): Markup {
  const rows = errors.map(({ known, isWholeTextOnly, pattern, isFallback, hidesOthers, why, what }) => ({
    attributes: {
      'data-known': JSON.stringify(known),
      ...(isWholeTextOnly === undefined ? {} : { 'data-whole-text': '' }),
      ...(pattern === undefined ? {} : { 'data-pattern': pattern.source }),
      ...(isFallback === undefined ? {} : { 'data-last': '' }),
      ...(hidesOthers === undefined ? {} : { 'data-exact': '' }),
    },
    cells: [known.join(', '), inlineMarkdown(why), inlineMarkdown(what)],
  }));
  return table(['In Discord or in your builder', 'Why', 'What to do'], rows);
}

/** The properties of a schema. @param note is added to the type of a property */
export function schemaTable(
  columns: readonly string[],
  properties: Readonly<Record<string, Schema>>,
  note: (name: string) => Part = () => null,
): Markup {
  const rows = Object.entries(properties).map(([name, schema]) => ({
    cells: [html`<code>${name}</code>`, [describeType(schema), note(name)], describe(schema)],
  }));
  return table(columns, rows);
}

/** The description of a schema, as Markdown. */
export function describe({ description }: Schema): Markup {
  return inlineMarkdown(typeof description === 'string' ? description : '');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  boolean: 'true or false',
};

/** `text, 1 to 4,000 characters`, `number, 0 to 100`, `one of a, b`, `list of texts or null`. */
export function describeType(property: Schema): string {
  const { schema, nullable } = splitNull(property);
  const type = `${nameType(schema)}${range(schema, 'Length', ' characters')}${range(schema, 'imum', '')}`;
  return nullable ? `${type} or null` : type;
}

function nameType(schema: Schema): string {
  const { type, items, anyOf } = schema;
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (Array.isArray(anyOf)) return [...new Set((anyOf as Schema[]).map(nameType))].join(' or ');
  if (Array.isArray(type)) return type.map((each) => nameType({ type: each as string })).join(' or ');
  if (type === 'array') return `list of ${nameType(items as Schema)}s`;
  return typeof type === 'string' ? (TYPES[type] ?? type) : 'any';
}

/** @param end of the names of both bounds: `minLength`, `maximum` */
function range(schema: Schema, end: string, unit: string): string {
  const [least, most] = [schema[`min${end}`], schema[`max${end}`]].map((bound) =>
    typeof bound === 'number' && Number.isSafeInteger(bound) && Math.abs(bound) < Number.MAX_SAFE_INTEGER
      ? bound.toLocaleString('en')
      : null,
  );
  if (most === null || most === undefined) return '';
  return least === null || least === undefined ? `, at most ${most}${unit}` : `, ${least} to ${most}${unit}`;
}

/** The findings of an answer about a pasted text, and the repaired message; null for other operations. */
export function showFindings(
  { findings }: Presentation,
  answer: Readonly<Record<string, unknown>>,
): Markup | null {
  if (findings === undefined) return null;
  const { lists, repaired } = findings;
  const value = answer[repaired] ?? null;
  return html`<div data-findings="${JSON.stringify(lists)}">${findingTables(lists, answer).map(draw)}</div>
    <div data-repaired="${repaired}" ${value === null && html`hidden`}>
      ${codePanel(repaired, JSON.stringify(value, null, 2), 'json')}
    </div>`;
}
