import { expect, test } from 'vitest';

import { sampleOf } from '../../../../fixtures/full-run.ts';
import { shownByParser, shownByReader } from '../two-readers.ts';
import { convert } from './convert.ts';
import { shownInDiscord, shownOnGithub } from './shown.ts';

const SPANS: readonly (readonly [opening: string, closing: string])[] = [
  ['*', '*'],
  ['**', '**'],
  ['_', '_'],
  ['__', '__'],
  ['~~', '~~'],
  ['`', '`'],
  ['<b>', '</b>'],
  ['<i>', '</i>'],
  ['<u>', '</u>'],
  ['<s>', '</s>'],
  ['<code>', '</code>'],
  ['<kbd>', '</kbd>'],
  ['<a href="https://e.io/">', '</a>'],
];

type Wrap = (inner: string) => string;
const WRAPS = SPANS.map(
  ([opening, closing]): Wrap =>
    (inner) =>
      opening + inner + closing,
);

const PAIRS = WRAPS.flatMap((a) =>
  WRAPS.flatMap((b) => [
    a('x') + b('y'),
    `${a('x')} ${b('y')}`,
    `v${a('x')}${b('y')}w`,
    a(b('x')),
    a(`x${b('y')}`),
    a(`${b('x')}y`),
    a(`x${b('y')}z`),
  ]),
);
const TRIPLES = WRAPS.flatMap((a) =>
  WRAPS.flatMap((b) =>
    WRAPS.flatMap((c) => [
      a('x') + b('y') + c('z'),
      `${a('x')} ${b('y')} ${c('z')}`,
      a(b('x') + c('y')),
      a(b('x')) + c('y'),
      a('x') + b(c('y')),
      a(`x${b('y')}`) + c('z'),
      a('x') + b(`${c('y')}z`),
      a(b(c('x'))),
      a(`x ${b(`y${c('z')}`)}`),
    ]),
  ),
);

/** Code in code, as in the tags of GitHub, is one piece; a link within a link ends the one around it. */
const NESTED_ALIKE = /<(?:code|kbd)>[^/]*(?:`|<(?:code|kbd))|<a [^/]*\/\/[^/]*\/">[^/]*<a /;

/**
 * Runs that micromark does not read as CommonMark does, marks that close in a tag what was opened before it, and
 * underscores beside the tags in code.
 */
const AMBIGUOUS = /[*_]{4}|[*_]{3}y[*_]+z|~{3}|[*_]~~|~~[*_]|([*_~])\1?x <[^>]*>y\1|<(?:code|kbd)>.*_/;

/** Discord shows no style inside code. */
function plainCode(shown: readonly string[]): string {
  return shown.map((each) => (/^\S+ .*\bcode\b/.test(each) ? `${each.charAt(0)} code` : each)).join('\n');
}

test.each([
  ['pairs', PAIRS, 7],
  ['triples', TRIPLES, 61],
] as const)(
  'spans that touch, stand apart or nest show in Discord what they show on GitHub: %s',
  (_name, all, every) => {
    const different = sampleOf(all, every).flatMap((source) => {
      if (NESTED_ALIKE.test(source) || (all === TRIPLES && AMBIGUOUS.test(source))) return [];
      const { text } = convert(source);
      const isSame =
        plainCode(shownInDiscord(text)) === plainCode(shownOnGithub(source)) &&
        (text.includes('](') || plainCode(shownByReader(text)) === plainCode(shownByParser(text)));
      return isSame ? [] : [`${source} became ${text}`];
    });
    expect(different).toEqual([]);
  },
);
