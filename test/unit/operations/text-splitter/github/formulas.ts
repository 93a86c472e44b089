import fc from 'fast-check';

/**
 * Formulas as people and models write them, without what only looks different: groups without effect, `\left`, blanks,
 * and what LaTeX does not need since Unicode has a character for it (`/`, `√`, `²`).
 */
export const formula: fc.Arbitrary<string> = fc.letrec<{
  sum: string;
  product: string;
  factor: string;
  one: string;
}>((tie) => ({
  sum: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'formula' },
    { weight: 3, arbitrary: tie('product') },
    fc
      .tuple(tie('product'), fc.constantFrom('+', '-', '=', '\\cdot ', '*'), tie('product'))
      .map((parts) => parts.join('')),
    tie('product').map((one) => `-${one}`),
  ),
  product: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'formula' },
    { weight: 2, arbitrary: tie('factor') },
    fc.array(tie('factor'), { minLength: 2, maxLength: 3 }).map(join),
  ),
  factor: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'formula' },
    { weight: 3, arbitrary: tie('one') },
    fc
      .tuple(tie('one'), fc.constantFrom('^2', '^{12}', '^n', '_1', '_{ij}', '^{n+1}', '_1^2'))
      .map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('\\sin', '\\ln', '\\max'), tie('factor')).map(join),
  ),
  one: fc.oneof(
    { depthSize: 'small', depthIdentifier: 'formula' },
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        '1',
        '2',
        '12',
        'a',
        'b',
        'x',
        '\\pi',
        '2.5',
        '\\hat{x}',
        '\\bar{ab}',
        '\\bar{a}',
      ),
    },
    fc.tuple(tie('sum'), tie('sum')).map(([upper, lower]) => `\\frac{${upper}}{${lower}}`),
    tie('sum').map((inner) => `\\sqrt{${inner}}`),
    tie('sum').map((inner) => `(${inner})`),
  ),
})).sum;

/** A command ends before a letter; two numbers in a row are one number in LaTeX, too. */
function join(parts: readonly string[]): string {
  return parts.reduce((text, part) =>
    /\\[a-z]+$/i.test(text) && /^[a-z]/i.test(part) ? `${text} ${part}` : text + part,
  );
}

/** Another formula that differs from one in a single place. */
export const changes: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(?<=\})([a-z\d])/, '').replace(/\}([^{}]*)$/, '}$1x'),
  (text) => text.replace(/\}([a-z\d]+)/, '$1}'),
  (text) => text.replace(/([a-z\d])\}/, '}$1'),
  (text) => text.replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/, '(\\frac{$1}{$2})'),
  (text) => text.replace(/\((\\frac\{[^{}]*\}\{[^{}]*\})\)/, '$1'),
  (text) => text.replace(/\\sqrt\{([^{}]*)\}/, '\\sqrt{($1)}'),
  (text) => text.replace(/([a-z\d])\\frac\{/, '\\frac{$1'),
  (text) => text.replace(/\{(\d)(\d)\}/, '{$1}$2'),
  (text) => text.replace(/\}\^2/, '^2}'),
  (text) => text.replace(/\\(?:sin|ln|max) ?/, ''),
];
