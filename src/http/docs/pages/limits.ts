import type { Operation } from '../../../operations/operation.ts';
import { toObjectSchema } from '../../openapi/json-schema.ts';
import type { Limits } from '../../../rate-limit/limiter.ts';
import type { DocumentsOptions } from '../documents-options.ts';
import type { Markup } from './layout.ts';
import { inlineMarkdown } from './guides.ts';
import { describeType, table } from './tables.ts';

const COLUMNS = ['What', 'How much'];

function row(name: string, text: string) {
  return { cells: [inlineMarkdown(name), inlineMarkdown(text)] };
}

/** The calls that each bucket allows. */
function bucketRows({ requestsPerMinute, imagesPerMinute, sendsPerMinute }: Limits) {
  return {
    guild: row('Calls', `${requestsPerMinute} a minute per server, shared by all its keys and operations`),
    image: row('Images', `${imagesPerMinute} a minute per server, 8 MiB, 50 megapixels, 10 seconds each`),
    send: row('Texts that send posts', `${sendsPerMinute} a minute per server, at most 10 messages each`),
  };
}

export function limitTable({ limits, operations }: Pick<DocumentsOptions, 'limits' | 'operations'>): Markup {
  return table(COLUMNS, [
    ...Object.values(bucketRows(limits)),
    row('Body', `${describeBodies(operations)}; URL and headers together 64 KiB`),
    row('What is left', 'is in the headers `RateLimit-Policy` and `RateLimit`; 429 has `Retry-After`'),
  ]);
}

export function operationLimits(
  { bucket, bodyBytesMax, textField, input }: Operation,
  limits: Limits,
): Markup {
  const text = textField === null ? undefined : toObjectSchema(input, 'input').properties[textField];
  return table(COLUMNS, [
    bucketRows(limits)[bucket],
    ...(text === undefined || textField === null ? [] : [row(`\`${textField}\``, describeType(text))]),
    row('Body', `${inKib(bodyBytesMax)}; in the URL 64 KiB with the headers`),
  ]);
}

/** `256 KiB, text-splitter 1,024 KiB`: the size that most operations take, and the exceptions. */
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
