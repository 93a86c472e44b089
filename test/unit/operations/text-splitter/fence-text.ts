import fc from 'fast-check';

/** Texts full of marks of fences, most of which open and close something else than they seem to, as arbitraries. */

const words = fc.constantFrom(
  'alpha beta',
  'some words here.',
  'let a = 1;',
  'x',
  'a much longer line of words that goes on for a while, and then some more.',
);
const prose = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const run = fc.constantFrom('```', '```', '````', '`````', '~~~', '~~~', '~~~~', '~~~~~');
const opening = fc
  .tuple(run, fc.constantFrom('', '', 'js', 'c++', 'two words', ' js', 'js '))
  .map((parts) => parts.join(''));

const line = fc.oneof(
  { weight: 5, arbitrary: prose },
  { weight: 3, arbitrary: opening },
  { weight: 3, arbitrary: run },
  fc
    .tuple(fc.constantFrom('> ', '  ', '- ', '||', '**'), fc.oneof(opening, prose))
    .map(([marker, text]) => marker + text),
  fc.tuple(prose, fc.constantFrom('', ' '), opening).map((parts) => parts.join('')),
  fc.tuple(run, fc.constantFrom('', ' '), prose).map((parts) => parts.join('')),
  fc.tuple(run, prose, run).map((parts) => parts.join('')),
  run.map((marker) => `${marker}||`),
  fc.constantFrom(
    '',
    '',
    '**bold words**',
    '||hidden||',
    '`code`',
    '# Heading',
    '- item',
    '\\```',
    '~~gone~~',
  ),
);

const codeLine = fc.oneof(
  { weight: 3, arbitrary: prose },
  fc.constantFrom('', '  x', '``', '**a', '> b', '# c', '||', '~~', '~~~ no end', '~~~~ x'),
);
function block(
  markers: fc.Arbitrary<string>,
  inner: fc.Arbitrary<string>,
  infos: readonly string[] = ['', 'js', 'c++'],
): fc.Arbitrary<string> {
  return fc
    .tuple(markers, fc.constantFrom(...infos), fc.array(inner, { minLength: 1, maxLength: 20, size: 'max' }))
    .map(([marker, language, lines]) => `${marker}${language}\nstart\n${lines.join('\n')}\nend\n${marker}`);
}
const codeWithTildes = fc.oneof(codeLine, fc.constantFrom('~~~', '~~~~', '~~~py'));
const fence = fc.oneof(
  block(fc.constant('```'), codeWithTildes),
  block(fc.constantFrom('~~~', '~~~~'), codeLine),
);
const part = fc.oneof(
  { weight: 3, arbitrary: prose },
  { weight: 3, arbitrary: fence },
  fence.map((code) => `> ${code.replaceAll('\n', '\n> ')}`),
  fc.tuple(prose, fence, prose).map((parts) => `||${parts.join('\n')}||`),
  fc.tuple(prose, block(fc.constant('```'), codeLine)).map((parts) => parts.join(' ')),
  fc.constantFrom(
    '> quote',
    '',
    '**bold words**',
    '`code`',
    '# Heading',
    '- item',
    '~~~ text',
    '~~~',
    '```js',
  ),
);

/** Lines in any order, or blocks of code that are whole, with a few that are not. */
export const fenceText: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.array(line, { minLength: 5, maxLength: 60, size: 'max' }).map((lines) => lines.join('\n')),
      fc.array(part, { minLength: 2, maxLength: 12, size: 'max' }).map((parts) => parts.join('\n')),
      fc.array(part, { minLength: 2, maxLength: 12, size: 'max' }).map((parts) => parts.join('\n\n')),
    ),
    fc.boolean(),
  )
  .map(([text, isWindows]) => (isWindows ? text.replaceAll('\n', '\r\n') : text));

const closedFence = block(fc.constant('```'), codeWithTildes, ['', 'js', ' js', 'c++', '"a b"']);

/** Blocks of back-ticks between prose, each of which is closed, however long it is. */
export const closedFences: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof(
        prose,
        closedFence,
        closedFence.map((code) => `> ${code.replaceAll('\n', '\n> ')}`),
        fc.tuple(prose, closedFence, prose).map((parts) => parts.join('\n')),
        fc.constantFrom('> quote', '**bold words**', '||hidden words||', '`code`', '# Heading', '- item'),
      ),
      { minLength: 2, maxLength: 15, size: 'max' },
    ),
    fc.constantFrom('\n', '\n\n', '\r\n'),
  )
  .map(([parts, lineBreak]) =>
    lineBreak === '\r\n' ? parts.join('\n').replaceAll('\n', '\r\n') : parts.join(lineBreak),
  );
