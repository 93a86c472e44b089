import fc from 'fast-check';

import {
  COMPONENT_TYPES,
  fieldsOf,
  type FieldSpec,
} from '../../../../src/operations/message-check/message-fields.ts';
import type { Fields } from '../../../../src/operations/message-check/check-context.ts';

// Messages made from the table of fields: mostly right, with values at, above and below each limit, and what people
// write in place of what Discord wants.

const WRONG = fc.constantFrom<unknown>(
  null,
  true,
  5,
  1.5,
  -1,
  '',
  ' ',
  'word',
  '5',
  'true',
  [],
  ['x'],
  {},
  { x: 1 },
  '{"a":1}',
);

function textOf(max: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('x', 'Hello', '👋', '<@123456789012345678> hi') },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', 'Clyde', 'x'.repeat(max), 'x'.repeat(max + 1)) },
  );
}

const URLS = fc.constantFrom(
  'https://e.io/a',
  'https://e.io/a',
  'attachment://a.png',
  'discord://x',
  '<https://e.io>',
  '',
  '/a',
  'e.io',
);
const TIMES = fc.constantFrom(
  '2026-01-31T18:00:00Z',
  '2026-01-31',
  '1719230400',
  1_719_230_400,
  '<t:1719230400:R>',
  'now',
);
const COLORS = fc.constantFrom<unknown>(
  0,
  16_777_215,
  16_777_216,
  -1,
  '#ff0000',
  '#abc',
  '123',
  'rgb(1,2,3)',
  'RED',
  [1, 2, 3],
  [1, 2],
);
const EMOJIS = fc.constantFrom<unknown>(
  '👋',
  '<a:wave:123>',
  'smile',
  { name: '👋' },
  { id: '1' },
  { name: '' },
  { name: 'x' },
  {},
);
const FLAG_VALUES = fc.constantFrom<unknown>(
  0,
  4,
  64,
  4_096,
  32_768,
  32_772,
  1,
  'Ephemeral',
  ['IsComponentsV2'],
  '4',
);
const IDS = fc.constantFrom<unknown>('1', '123456789012345678', '2', 5, 123_456_789_012_345_680, '<@1>', 'x');

const COMPONENTS = new Map(Object.entries(COMPONENT_TYPES));

/** Discord's names as people spell them. */
const SPELLINGS = new Map([
  ['custom_id', 'customId'],
  ['icon_url', 'iconURL'],
  ['color', 'colour'],
  ['embeds', 'embed'],
  ['content', 'text'],
  ['poll_media', 'text'],
  ['channel_id', 'channelId'],
]);

function valueOf(spec: FieldSpec, depth: number): fc.Arbitrary<unknown> {
  switch (spec.type) {
    case 'text':
      return textOf(spec.max);
    case 'url':
      return URLS;
    case 'integer': {
      const { min = 0, max = 10 } = spec;
      return fc.constantFrom<unknown>(min, max, max + 1, min - 1, String(min));
    }
    case 'choice': {
      const values = Object.values(spec.choices);
      const names = Object.keys(spec.choices);
      return fc.constantFrom<unknown>(...values, ...values, ...names, String(values[0]), 'Users', 'x', 0, 11);
    }
    case 'boolean':
      return fc.constantFrom<unknown>(true, false, 'true', 1);
    case 'id':
      return IDS;
    case 'time':
      return TIMES;
    case 'color':
      return COLORS;
    case 'flags':
      return FLAG_VALUES;
    case 'object':
      if (spec.shape === 'emoji') return EMOJIS;
      return depth === 0 ? fc.constant({}) : objectOf(spec.shape, depth - 1);
    case 'list': {
      const entry = sloppy(spec.of, depth);
      const most = spec.max ?? 6;
      const few = fc.array(entry, { minLength: spec.min ?? 0, maxLength: 3 });
      const many = entry.map((one) => Array<unknown>(most + 1).fill(one));
      return fc.oneof(
        { weight: 12, arbitrary: few },
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: many },
        { weight: 1, arbitrary: entry },
      );
    }
    case 'component':
      return depth === 0
        ? fc.constant({ type: 2, style: 1, label: 'x', custom_id: 'x' })
        : fc
            .constantFrom(...spec.shapes, ...spec.shapes, ...COMPONENTS.keys(), 'modal', 'none')
            .chain((shape) => {
              const type = COMPONENTS.get(shape) ?? (shape === 'modal' ? 4 : 99);
              return objectOf(shape, depth - 1).map((rest) => ({ ...rest, type }));
            });
    default:
      return fc.constantFrom<unknown>('x', 1, null);
  }
}

function sloppy(spec: FieldSpec, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 14, arbitrary: valueOf(spec, depth) }, { weight: 1, arbitrary: WRONG });
}

function objectOf(shape: string, depth: number): fc.Arbitrary<Fields> {
  const specs = Object.entries(fieldsOf(shape));
  const fields = specs.map(([name, spec]) => {
    const value = sloppy(spec, depth);
    const spelt = fc
      .nat(19)
      .map((number) => (number === 0 ? (SPELLINGS.get(name) ?? name.toUpperCase()) : name));
    const pair = fc.tuple(spelt, value);
    const optional = shape === 'message' ? 3 : 6;
    const often = spec.required === true ? 15 : optional;
    return fc.oneof(
      { weight: often, arbitrary: pair },
      { weight: spec.required === true ? 1 : 6, arbitrary: fc.constant(null) },
    );
  });
  const unknown = fc.constantFrom<readonly [string, unknown] | null>(
    null,
    null,
    null,
    null,
    null,
    null,
    ['a', 1],
    ['ephemeral', true],
    ['__proto__', 1],
  );
  return fc
    .tuple(...fields, unknown)
    .map((pairs) => Object.fromEntries(pairs.filter((pair) => pair !== null)));
}

const DEPTH = 5;

/** Messages, and callbacks of interactions that hold one. */
export const messages: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 9, arbitrary: objectOf('message', DEPTH) },
  { weight: 1, arbitrary: objectOf('message', DEPTH).map((data): Fields => ({ type: 4, data })) },
);
