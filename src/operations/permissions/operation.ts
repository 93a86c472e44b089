import * as z from 'zod';

import { defineOperation } from '../define-operation.ts';
import { PERMISSIONS } from './permission-table.ts';

const LIST = PERMISSIONS.map((permission) => ({
  name: permission.name,
  bit: permission.bit,
  value: permission.value.toString(),
  elevated: permission.elevated,
  description: permission.description,
  channel_types: [...permission.channelTypes],
}));

export const listPermissions = defineOperation({
  name: 'permissions',
  path: '/api/chat/permissions',
  method: 'GET',
  summary: 'Lists all permissions with their bits',
  description:
    'The list has every permission that Discord documents, in the order of the bits. `value` is the bit as a decimal string. `channel_types` are the kinds of channels whose settings can change the permission; it is empty for permissions of the whole server.',
  input: z.object({}),
  output: z.object({
    count: z.number().int(),
    permissions: z.array(
      z.object({
        name: z.string().meta({ examples: ['SEND_MESSAGES'] }),
        bit: z
          .number()
          .int()
          .meta({ examples: [11] }),
        value: z.string().meta({ examples: ['2048'] }),
        elevated: z.boolean(),
        description: z.string(),
        channel_types: z.array(z.enum(['text', 'voice', 'stage'])),
      }),
    ),
  }),
  example: {
    input: {},
    answer: { count: 1, permissions: LIST.slice(0, 1) },
    volatileKeys: ['count', 'permissions'],
  },
  problems: [],
  run: () => ({ value: { count: LIST.length, permissions: LIST } }),
});
