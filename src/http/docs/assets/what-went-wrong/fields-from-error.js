// The subject of an error of Discord, as fields of permission-check.

const ID = String.raw`(\d{17,20})`;

/** By the path of the call, the permission that it takes. The first one that fits counts. */
const CALLS = [
  {
    path: new RegExp(`/members/${ID}/roles/${ID}`),
    permission: 'MANAGE_ROLES',
    field: 'target_role_id',
    group: 2,
  },
  { path: new RegExp(`/bans/${ID}`), permission: 'BAN_MEMBERS', field: 'target_id', group: 1 },
  { path: new RegExp(`/members/${ID}`), permission: null, field: 'target_id', group: 1 },
];

/**
 * Libraries print the URL of the call that failed, its method and its body. Returns no fields when none is named.
 * @param {string} text as it was pasted
 * @returns {Record<string, string>}
 */
export function fieldsFromError(text) {
  const guildId = new RegExp(`/guilds/${ID}`).exec(text)?.[1];
  const channelId = new RegExp(`/channels/${ID}`).exec(text)?.[1];
  if (channelId !== undefined) return { channel_id: channelId, permission: 'VIEW_CHANNEL' };
  if (guildId === undefined) return {};
  for (const { path, permission, field, group } of CALLS) {
    const id = path.exec(text)?.[group];
    if (id === undefined) continue;
    return { guild_id: guildId, permission: permission ?? permissionOf(text), [field]: id };
  }
  return { guild_id: guildId };
}

/** One URL of Discord's API is for several things. @param {string} text */
function permissionOf(text) {
  if (/\bDELETE\b/.test(text)) return 'KICK_MEMBERS';
  return /\bnick\b/.test(text) ? 'MANAGE_NICKNAMES' : 'MODERATE_MEMBERS';
}
