import { describe, expect, test } from 'vitest';

import { parseLine } from '../../../../src/operations/parse-args/parse-line.ts';
import { UNIT_MS, type UnitName } from '../../../../src/operations/parse-args/languages/time-language.ts';
import {
  DURATION_UNITS,
  PERMANENT_WORDS,
  TIME_LANGUAGES,
} from '../../../../src/operations/parse-args/time-words.ts';

// What the table gives another meaning on purpose: `m` is minutes, and a bare `a` or `j` is not worth a year.
const OTHERWISE = new Set(['fr month m', 'es month m', 'es year a', 'de year j']);
const COUNTS = [0, 1, 1.5, 2, 3, 5, 11, 21, 22, 25, 1_000_000];

/** All forms of a unit in the CLDR, for every plural form, in lower case and without the dot of an abbreviation. */
function listForms(language: string, unit: UnitName): string[] {
  const forms = new Set<string>();
  for (const unitDisplay of ['long', 'short'] as const) {
    const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay });
    for (const count of COUNTS) {
      for (const { type, value } of format.formatToParts(count)) {
        if (type === 'unit') forms.add(value.toLowerCase().replace('.', ''));
      }
    }
  }
  return [...forms];
}

describe.each(TIME_LANGUAGES.map((language) => [language.tag, language] as const))('%s', (tag, language) => {
  test.each(Object.keys(UNIT_MS) as UnitName[])(
    'has every long and short form of the CLDR for a %s',
    (unit) => {
      const forms = listForms(tag, unit).filter((form) => !OTHERWISE.has(`${tag} ${unit} ${form}`));
      expect(forms.length).toBeGreaterThan(0);
      expect(forms.filter((form) => DURATION_UNITS.get(form)?.ms !== UNIT_MS[unit])).toEqual([]);
    },
  );

  test('gives each word only one meaning', () => {
    for (const [unit, words] of Object.entries(language.units) as [UnitName, string][]) {
      for (const word of words.toLowerCase().split(', '))
        expect([word, DURATION_UNITS.get(word)?.ms]).toEqual([word, UNIT_MS[unit]]);
    }
    for (const word of PERMANENT_WORDS.keys()) expect(DURATION_UNITS.has(word)).toBe(false);
  });

  test('reads each of its words for "forever" as a permanent ban', () => {
    const { permanent, ambiguousPermanent } = language;
    for (const words of `${permanent}, ${ambiguousPermanent}`.split(', ')) {
      const { duration, reason, isPermanent } = parseLine(`!ban <@1> ${words}, spam`);
      expect({ duration, reason, isPermanent }).toEqual({
        duration: words,
        reason: 'spam',
        isPermanent: true,
      });
    }
  });
});
