import * as z from 'zod';

import { isPlaceholder } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';
import type { ProblemTextKey } from '../../kernel/problem.ts';
import { defineOperation } from '../define-operation.ts';
import { listPermissionHints } from '../permissions/permission-hints.ts';
import { readPermissionNames } from '../permissions/permission-names.ts';
import {
  PERMISSION_SET_FIELDS,
  describePermissionSet,
  listUnknownBits,
} from '../permissions/permission-set.ts';

// Twice today's 64 bits, because Discord documents the field as an integer of variable length.
// Consoles print an `n` after a BigInt.
const BITFIELD = /^\s*(-?)(\d{1,38}|0x[0-9a-f]{1,31})n?\s*$/i;
/** A link that adds a bot; its parameter has the number. */
const INVITE_LINK = /\bpermissions=\d/;
/** Longer texts are not searched for names. */
const NAMES_LENGTH_MAX = 1_000;

type BitFieldTextKey = 'invalid_field/bitfield' | 'invalid_field/compare';

/** A bit field as text or as an exact number. Names are recognised only to say which operation takes them. */
function bitField(otherwise: BitFieldTextKey) {
  return z
    .union([z.string(), z.number(), z.array(z.string())], problemMessage(otherwise))
    .transform((value, context) => {
      const bits = readBits(value);
      if (bits !== null && bits >= 0n) return bits;
      const key = bits === null ? textKeyFor(value, otherwise) : 'invalid_field/bitfield_negative';
      context.addIssue({ code: 'custom', message: problemMessage(key) });
      return z.NEVER;
    })
    .meta({ anyOf: [{ type: 'string' }, { type: 'number' }] });
}

/** Returns null unless the value is one exact whole number. */
function readBits(value: string | number | readonly string[]): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null;
  const [, sign, digits] = (typeof value === 'string' ? BITFIELD.exec(value) : null) ?? [];
  if (digits === undefined) return null;
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

function textKeyFor(value: string | number | readonly string[], otherwise: BitFieldTextKey): ProblemTextKey {
  if (typeof value === 'number') {
    return value > 0 && Number.isInteger(value) ? 'invalid_field/bitfield_number' : otherwise;
  }
  const texts = typeof value === 'string' ? [value] : value;
  if (texts.some((text) => isPlaceholder(text))) return 'unresolved_placeholder/field';
  const [first = ''] = texts;
  if (INVITE_LINK.test(first)) return 'invalid_field/bitfield_link';
  const isName = first.length <= NAMES_LENGTH_MAX && readPermissionNames(first).known.length > 0;
  return isName ? 'invalid_field/bitfield_names' : otherwise;
}

export const permissionDecoder = defineOperation({
  name: 'permission-decoder',
  path: '/api/chat/permission-decoder',
  method: 'POST',
  summary: 'Turns a permission bit field into names',
  description:
    'The reverse of permission-encoder. `bitfield` is a decimal string, a hexadecimal string with `0x`, or a number below 2^53, where numbers are exact. A trailing `n`, as consoles print it, is ignored. `unknown_bits` lists the positions of bits that belong to no known permission. `compare` shows what a second bit field adds and removes.',
  input: z.object({
    bitfield: bitField('invalid_field/bitfield').meta({
      description: 'The bit field, as a string of decimal digits or of hexadecimal digits after `0x`.',
      examples: ['2112', '0x840'],
    }),
    compare: bitField('invalid_field/compare')
      .meta({
        description:
          'A second bit field. Adds `added` and `removed`: what changes from `bitfield` to this one.',
        examples: ['2048'],
      })
      .optional(),
  }),
  output: z.object({
    ...PERMISSION_SET_FIELDS,
    unknown_bits: z.array(z.number().int()).meta({
      description: 'Positions of the bits that belong to no known permission.',
      examples: [[]],
    }),
    hints: z.array(z.string()).meta({
      description:
        'What the bits do not say by themselves: what an older bit field has lost, and which permission includes or needs another. For people; the wording may change.',
    }),
    added: z
      .array(z.string())
      .optional()
      .meta({ description: 'With `compare`: permissions that only `compare` has.' }),
    removed: z
      .array(z.string())
      .optional()
      .meta({ description: 'With `compare`: permissions that only `bitfield` has.' }),
  }),
  example: {
    input: { bitfield: '0x840' },
    answer: {
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
      unknown_bits: [],
      hints: [],
    },
  },
  problems: [],
  mistakenFields: { permissions: 'missing_field/bitfield' },
  run({ bitfield, compare }) {
    const set = describePermissionSet(bitfield);
    return {
      value: {
        ...set,
        unknown_bits: listUnknownBits(bitfield),
        hints: listPermissionHints(set),
        ...(compare === undefined
          ? {}
          : {
              added: describePermissionSet(compare & ~bitfield).permissions,
              removed: describePermissionSet(bitfield & ~compare).permissions,
            }),
      },
    };
  },
});
