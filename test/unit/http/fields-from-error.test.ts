import { expect, test } from 'vitest';

import { fieldsFromError } from '../../../src/http/docs/assets/what-went-wrong/fields-from-error.js';

const GUILD = '123456789012345678';
const MEMBER = '223456789012345678';
const ROLE = '323456789012345678';
const at = (path: string) => `https://discord.com/api/v10/guilds/${GUILD}${path}`;

test.each([
  [
    `DiscordAPIError[50013]: Missing Permissions { method: 'PATCH', url: '${at(`/members/${MEMBER}`)}', requestBody: { json: { communication_disabled_until: '…' } } }`,
    { guild_id: GUILD, permission: 'MODERATE_MEMBERS', target_id: MEMBER },
  ],
  [
    `DiscordAPIError[50013]: Missing Permissions { method: 'PATCH', url: '${at(`/members/${MEMBER}`)}', requestBody: { json: { nick: 'x' } } }`,
    { guild_id: GUILD, permission: 'MANAGE_NICKNAMES', target_id: MEMBER },
  ],
  [
    `{ "code": 50013, "method": "DELETE", "url": "${at(`/members/${MEMBER}`)}" }`,
    { guild_id: GUILD, permission: 'KICK_MEMBERS', target_id: MEMBER },
  ],
  [
    `PUT ${at(`/bans/${MEMBER}`)} 403 Missing Permissions`,
    { guild_id: GUILD, permission: 'BAN_MEMBERS', target_id: MEMBER },
  ],
  [
    `PUT ${at(`/members/${MEMBER}/roles/${ROLE}`)} 403 Missing Permissions`,
    { guild_id: GUILD, permission: 'MANAGE_ROLES', target_role_id: ROLE },
  ],
  [
    `DiscordAPIError[50001]: Missing Access { url: 'https://discord.com/api/v10/channels/${ROLE}/messages' }`,
    { channel_id: ROLE, permission: 'VIEW_CHANNEL' },
  ],
  ['discord.errors.Forbidden: 403 Forbidden (error code: 50013): Missing Permissions', {}],
])('%s is filled in', (pasted, fields) => {
  expect(fieldsFromError(pasted)).toEqual(fields);
});
