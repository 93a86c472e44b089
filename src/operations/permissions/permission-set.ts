import * as z from 'zod';

import { PERMISSIONS } from './permission-table.ts';

/** The part of the answer that encoder and decoder share. */
export const PERMISSION_SET_FIELDS = {
  bitfield: z.string().meta({
    description: 'The decimal string that Discord takes wherever it asks for permissions.',
    examples: ['2112'],
  }),
  hex: z.string().meta({ examples: ['0x840'] }),
  count: z
    .number()
    .int()
    .meta({ description: 'Number of permissions.', examples: [2] }),
  permissions: z.array(z.string()).meta({
    description: 'Canonical names in the order of their bits.',
    examples: [['ADD_REACTIONS', 'SEND_MESSAGES']],
  }),
  elevated: z.array(z.string()).meta({
    description:
      "Those for which the app's owner needs two-factor authentication in a server that requires it for moderation.",
  }),
};

const KNOWN_BITS = PERMISSIONS.reduce((bits, { value }) => bits | value, 0n);

/** @param bits not negative; bits without a permission appear in `bitfield` and `hex` only */
export function describePermissionSet(bits: bigint) {
  const held = PERMISSIONS.filter(({ value }) => (bits & value) !== 0n);
  return {
    bitfield: bits.toString(),
    hex: `0x${bits.toString(16)}`,
    count: held.length,
    permissions: held.map(({ name }) => name),
    elevated: held.filter((permission) => permission.elevated).map(({ name }) => name),
  };
}

/** Positions of the bits that are not permissions, ascending. */
export function listUnknownBits(bits: bigint): number[] {
  const unknown: number[] = [];
  let rest = bits & ~KNOWN_BITS;
  for (let bit = 0; rest !== 0n; bit += 1, rest >>= 1n) {
    if ((rest & 1n) === 1n) unknown.push(bit);
  }
  return unknown;
}
