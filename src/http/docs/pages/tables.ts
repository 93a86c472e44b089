import type { Operation } from '../../../operations/operation.ts';
import { PROBLEMS } from '../../../problem.ts';
import type { Quotas } from '../../endpoints/key.ts';
import { PROBLEM_CODES } from '../../openapi/problem-codes.ts';
import type { DocumentsOptions } from '../documents-options.ts';
import { html, inlineMarkdown, type Markup } from './html.ts';

/** A table that scrolls by itself when it is too wide. */
export function table(
  label: string,
  columns: readonly string[],
  rows: readonly (readonly (string | Markup)[])[],
): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = '', ...rest]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${rest.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function row(name: string, text: string): readonly [string, Markup] {
  return [name, inlineMarkdown(text)];
}

export function problemTable(): Markup {
  return table(
    'All codes',
    ['Code', 'Status', 'What it says', 'What to do'],
    PROBLEM_CODES.map((code) => {
      const { status, error, hint } = PROBLEMS[code];
      return [html`<code>${code}</code>`, String(status), error, inlineMarkdown(hint ?? '')];
    }),
  );
}

type Limits = Quotas & Pick<DocumentsOptions, 'operations'>;

export function limitTable({
  operations,
  requestsPerMinute,
  imagesPerMinute,
  sendsPerMinute,
}: Limits): Markup {
  return table(
    'All limits',
    ['What', 'How much'],
    [
      row('Calls', `${requestsPerMinute} a minute and server; more keys do not raise the limit`),
      row('Images', `${imagesPerMinute} a minute and server, 8 MiB, 50 megapixels, 10 seconds each`),
      row('Texts that send posts', `${sendsPerMinute} a minute and server, at most 50 messages each`),
      row('Body', `${describeBodies(operations)}; address and headers together 64 KiB`),
      row('A line for parse-args', '4,000 characters'),
      row('A text for text-splitter', '1 MiB, at most 10,000 chunks'),
      row('Permission names', '200 in one call'),
      row('What is left', 'is in the headers `RateLimit-Policy` and `RateLimit`; 429 has `Retry-After`'),
    ],
  );
}

/** `256 KiB, text-splitter 4,096 KiB`: what most take, and those that take another size. */
function describeBodies(operations: readonly Operation[]): string {
  const usual = Math.min(...operations.map(({ bodyBytesMax }) => bodyBytesMax));
  const others = operations.filter(({ bodyBytesMax }) => bodyBytesMax !== usual);
  return [inKib(usual), ...others.map(({ name, bodyBytesMax }) => `${name} ${inKib(bodyBytesMax)}`)].join(
    ', ',
  );
}

function inKib(bytes: number): string {
  return `${(bytes / 1024).toLocaleString('en')} KiB`;
}

/** The keys of an answer of parse-args, by the words that other parsers use for them. */
export function parseNamesTable(): Markup {
  return table(
    'Names of parse-args',
    ['You look for', 'Read'],
    [
      row('the command, its name', '`command`, lower case and without the prefix; the prefix is `prefix`'),
      row(
        'the user, member, target',
        '`user_id` for the bare id, `user` as it was typed (with `pingtoid` the id)',
      ),
      row(
        'the time, length, duration',
        '`duration` as typed; `duration_ms` and `duration_seconds` as numbers',
      ),
      row('for ever', '`permanent` is true, and the numbers are null'),
      row('the reason', '`reason`, as it was typed, with its line breaks'),
      row(
        'whether there is a time or a reason',
        'send `textstatus=true`: `has_time`, `has_reason`, `textstatus`',
      ),
      row('all words', '`args`; with `flat`: `args_1`, `args_2` … and `args_text`'),
      row('everybody who is mentioned', '`mentions`'),
      row('--silent, --reason="…"', '`flags`'),
      row('the verb after !mod', '`subcommand`'),
    ],
  );
}
