import * as z from 'zod';

import { Problem } from '../../kernel/problem.ts';
import { isPlaceholder, snowflake } from '../fields.ts';
import { problemMessage } from '../input-problem.ts';
import { defineOperation } from '../define-operation.ts';
import { findNearestPermissionName, quoteName } from '../permissions/nearest-permission.ts';
import {
  PERMISSION_NAMES_MAX,
  readPermissionNames,
  type PermissionNames,
} from '../permissions/permission-names.ts';
import { PERMISSION_SET_FIELDS, describePermissionSet } from '../permissions/permission-set.ts';

// The largest number of names at twice the length of the longest.
const TEXT_LENGTH_MAX = PERMISSION_NAMES_MAX * 100;
const MAX = { max: PERMISSION_NAMES_MAX };
const MESSAGE = problemMessage('invalid_field/permissions', MAX);

const NAMES = z.array(z.string()).max(PERMISSION_NAMES_MAX);

export const permissionEncoder = defineOperation({
  name: 'permission-encoder',
  path: '/api/chat/permission-encoder',
  method: 'POST',
  summary: 'Turns permission names into the bit field that Discord uses',
  description:
    'Names are understood in any case, with blanks or dashes instead of underscores, as in discord.js (`ManageGuild`) or in Discord’s client (`Manage Server`, `Server verwalten`) in English, Spanish, Portuguese, French, German, Turkish and Russian. So are former names, those of JDA, Eris, discordgo, discord.py, nextcord and BDFD, and an object in front (`PermissionFlagsBits.KickMembers`). A text of names is split at commas, semicolons, bars and line breaks. Without those, its words are read as the longest names that they form. Names may also be joined by “and”.',
  keepsEmpty: ['permissions'],
  input: z.object({
    permissions: z
      .union([NAMES, z.string(), z.number()], MESSAGE)
      .transform((value, context) => {
        if (typeof value !== 'number') return value;
        context.addIssue({
          code: 'custom',
          message: problemMessage('invalid_field/permissions_number', MAX),
        });
        return z.NEVER;
      })
      .superRefine((value, context) => {
        const texts = typeof value === 'string' ? [value, ...value.split(/[,;|·\r\n]/)] : value;
        const units =
          typeof value === 'string' ? value.length : value.reduce((sum, { length }) => sum + length, 0);
        if (units > TEXT_LENGTH_MAX) {
          context.addIssue({ code: 'custom', message: MESSAGE });
        } else if (texts.some(isPlaceholder)) {
          context.addIssue({
            code: 'custom',
            message: problemMessage('unresolved_placeholder/field'),
          });
        }
      })
      .meta({
        description: 'Names of permissions: a list, or one text with commas between them.',
        // A number passes this check only so that the problem can say which operation takes it.
        anyOf: [
          { type: 'array', maxItems: PERMISSION_NAMES_MAX, items: { type: 'string' } },
          { type: 'string' },
        ],
        examples: [['SEND_MESSAGES', 'ADD_REACTIONS'], 'Send Messages, Add Reactions'],
      }),
    client_id: snowflake('user', 'invalid_field/client_id')
      .describe("The id of a bot's application. Adds `invite_url`, which invites it with these permissions.")
      .optional(),
  }),
  output: z.object({
    ...PERMISSION_SET_FIELDS,
    invite_url: z.string().optional().meta({ description: 'With `client_id`.' }),
  }),
  example: {
    input: { permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'] },
    answer: {
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
    },
  },
  problems: ['unknown_permission'],
  mistakenFields: { bitfield: 'missing_field/permissions' },
  run({ permissions, client_id }) {
    let bits = 0n;
    let namesCount = 0;
    const unknown: string[] = [];
    for (const text of typeof permissions === 'string' ? [permissions] : permissions) {
      const names = readPermissionNames(text);
      for (const { value } of names.known) bits |= value;
      unknown.push(...(isOneMisspelt(text, names, unknown.length) ? [text.trim()] : names.unknown));
      namesCount += names.known.length + names.unknown.length;
      if (namesCount > PERMISSION_NAMES_MAX) {
        throw new Problem('invalid_field/permissions', { field: 'permissions', values: MAX });
      }
    }
    if (unknown.length > 0) throw describeUnknown(unknown);
    const set = describePermissionSet(bits);
    return {
      value: client_id === undefined ? set : { ...set, invite_url: inviteUrl(client_id, set.bitfield) },
    };
  },
});

/** True when a text that was read word by word is one name with a slip. In "Ban Membrs", "ban" is a name as well. */
function isOneMisspelt(text: string, { known, unknown }: PermissionNames, unknownCount: number): boolean {
  if (known.length === 0 || unknown.length === 0 || unknownCount >= SUGGESTIONS_MAX) return false;
  return findNearestPermissionName(text) !== null;
}

/** @see https://docs.discord.com/developers/topics/oauth2#bot-authorization-flow */
function inviteUrl(clientId: string, bitfield: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${clientId}&scope=bot+applications.commands&permissions=${bitfield}`;
}

/** Suggestions in one answer, because each takes up to a millisecond. */
const SUGGESTIONS_MAX = 50;

function describeUnknown(names: readonly string[]): Problem {
  const distinct = [...new Set(names)];
  const nearest = distinct.map((name, index) =>
    index < SUGGESTIONS_MAX ? findNearestPermissionName(name) : null,
  );
  const list = distinct.map((name, index) => {
    const guess = nearest[index] ?? null;
    return guess === null ? quoteName(name) : `${quoteName(name)} (did you mean ${guess}?)`;
  });
  const isNumber = distinct.some((name) => /^\s*(?:\d+|0x[\da-f]+)\s*$/i.test(name));
  const guesses = [...new Set(nearest.filter((name) => name !== null))];
  const kind = guesses.length > 0 ? 'misspelt' : 'names';
  return new Problem(`unknown_permission/${isNumber ? 'bits' : kind}`, {
    field: 'permissions',
    values: {
      n: distinct.length,
      list: list.join(', '),
      names: distinct.map((name) => quoteName(name)).join(', '),
      nearest: guesses.join(', '),
    },
  });
}
