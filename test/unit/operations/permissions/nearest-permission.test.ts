import { describe, expect, test } from 'vitest';

import { findNearestPermissionName } from '../../../../src/operations/permissions/nearest-permission.ts';
import { PERMISSION_LABELS } from '../../../../src/operations/permissions/permission-labels.ts';
import { MEANT } from '../../../../src/operations/permissions/permission-meanings.ts';
import { findPermission } from '../../../../src/operations/permissions/permission-names.ts';
import { PERMISSIONS } from '../../../../src/operations/permissions/permission-table.ts';

describe('a misspelt permission', () => {
  test.each([
    ['a letter too many', 'SPEEAK', 'SPEAK'],
    ['a letter too few', 'SPEK', 'SPEAK'],
    ['two letters swapped', 'SPAEK', 'SPEAK'],
    ['another letter', 'SPEAR', 'SPEAK'],
    ['two slips in a long name', 'SEMD_MESAGES', 'SEND_MESSAGES'],
    ['an object in front', 'PermissionFlagsBits.KickMembrs', 'KICK_MEMBERS'],
    ["discordgo's prefix", 'PermissionManageServr', 'MANAGE_GUILD'],
    ['no blanks', 'managechanels', 'MANAGE_CHANNELS'],
    ['an accent', 'SPEAKé', 'SPEAK'],
    ['a name of a library', 'VOICE_STREM', 'STREAM'],
    ['half of the letters right', 'SPEQQQ', null],
    ['letters of two names', 'MUVE_MEMBERS', null],
    ['letters of a short alias', 'PICK', null],
    ['a slip in an article', 'Gérer less fils', 'MANAGE_THREADS'],
    ['a letter of an article too few', 'Envoyer ds messages', 'SEND_MESSAGES'],
    ['a missing space after an article', 'Gérer leserveur', 'MANAGE_GUILD'],
    ['a misplaced space beside an article', 'Banni rdes membres', 'BAN_MEMBERS'],
    ['a space after its first letter', 'Expulserd es membres', 'KICK_MEMBERS'],
    ['no letter at all', '_1_', null],
    ['nothing', '', null],
    ['more letters than any name has', 'SEND_MESSAGES'.repeat(5), null],
  ])('is recognised with %s', (_, typed, nearest) => {
    expect(findNearestPermissionName(typed)).toBe(nearest);
  });

  test('is recognised in each known name without one of its letters', () => {
    for (const { name } of PERMISSIONS) {
      for (const at of [1, Math.floor(name.length / 2), name.length - 2]) {
        const typed = name.slice(0, at) + name.slice(at + 1);
        if (findPermission(typed) !== undefined) continue;
        expect([typed, [name, null]]).toEqual([
          typed,
          expect.arrayContaining([findNearestPermissionName(typed)]),
        ]);
      }
    }
  });

  test.each([...PERMISSION_LABELS])('is recognised in the labels of %s', (_language, labels) => {
    let found = 0;
    for (const [name, label] of labels) {
      const at = Math.floor(label.length / 2);
      const typed = label.slice(0, at) + label.slice(at + 1);
      const nearest = findNearestPermissionName(typed);
      if (nearest === name) found += 1;
      expect([label, typed, [name, null]]).toEqual([label, typed, expect.arrayContaining([nearest])]);
    }
    // Where a label is two slips from another, none is suggested.
    expect(found).toBeGreaterThan(0.7 * labels.size);
  });
});

describe('other forms of the words of a label', () => {
  test.each([
    ['Banir membro', 'BAN_MEMBERS'],
    ['Expulsar membro', 'KICK_MEMBERS'],
    ['Enviar mensagem', 'SEND_MESSAGES'],
    ['Nachricht senden', 'SEND_MESSAGES'],
    ['Mitglied kicken', 'KICK_MEMBERS'],
    ['Rolle verwalten', 'MANAGE_ROLES'],
    ['Kanal verwalten', 'MANAGE_CHANNELS'],
    ['Управление сервером', 'MANAGE_GUILD'],
    ['управление ролями', 'MANAGE_ROLES'],
    ['Отправка сообщений', 'SEND_MESSAGES'],
    ['Бан участников', 'BAN_MEMBERS'],
    ['участников банить', 'BAN_MEMBERS'],
    ['Üye yasakla', 'BAN_MEMBERS'],
    ['Mesajları gönder', 'SEND_MESSAGES'],
    ['Rol yönet', 'MANAGE_ROLES'],
    ['Kanal yönet', 'MANAGE_CHANNELS'],
    ['Banear miembro', 'BAN_MEMBERS'],
    ['Enviar un mensaje', 'SEND_MESSAGES'],
    ['Bannir un membre', 'BAN_MEMBERS'],
    ['Envoyer un message', 'SEND_MESSAGES'],
    ['Administrateurs', 'ADMINISTRATOR'],
  ])('suggest a permission: %s is %s', (typed, nearest) => {
    expect(findNearestPermissionName(typed)).toBe(nearest);
  });

  test.each([
    'Mitglieder senden',
    'yönet',
    'Üyeleri yönet',
    'Управлять',
    'Gestionar miembros',
    'Gerenciar membros',
    'Nachrichten bannen',
    'Rollen bannen',
    'Mesajları yasakla',
    'Управление участниками',
  ])('suggest none when the label has other words: %s', (typed) => {
    expect(findNearestPermissionName(typed)).toBe(null);
  });
});

describe('words with a similar meaning', () => {
  test.each([
    ['MANAGE_GUILDS', 'MANAGE_GUILD'],
    ['SERVER_MANAGE', 'MANAGE_GUILD'],
    ['MembersKick', 'KICK_MEMBERS'],
    ['KICK_USERS', 'KICK_MEMBERS'],
    ['BAN_USER', 'BAN_MEMBERS'],
    ['TIMEOUT_USERS', 'MODERATE_MEMBERS'],
    ['WRITE_MESSAGES', 'SEND_MESSAGES'],
    ['SEE_CHANNEL', 'VIEW_CHANNEL'],
    ['UPLOAD_FILES', 'ATTACH_FILES'],
    ['SEND_IMAGES', 'ATTACH_FILES'],
    ['PING_EVERYONE', 'MENTION_EVERYONE'],
    ['DELETE_MESSAGES', 'MANAGE_MESSAGES'],
    ['CREATE_CHANNELS', 'MANAGE_CHANNELS'],
    ['ADD_ROLES', 'MANAGE_ROLES'],
    ['SHARE_SCREEN', 'STREAM'],
    ['VOICE_MOVE', 'MOVE_MEMBERS'],
    ['VOICE_SOUNDBOARD', 'USE_SOUNDBOARD'],
    ['JOIN_VOICE', 'CONNECT'],
    ['VIEW_LOG', 'VIEW_AUDIT_LOG'],
    ['READ_HISTORY', 'READ_MESSAGE_HISTORY'],
    ['SET_STATUS', 'SET_VOICE_CHANNEL_STATUS'],
    ['USE_ACTIVITY', 'USE_EMBEDDED_ACTIVITIES'],
    ['LAUNCH_ACTIVITY', 'USE_EMBEDDED_ACTIVITIES'],
    ['USE_VOICE_ACTIVITY_DETECTION', 'USE_VAD'],
    ['VOICE_ACTIVITY', 'USE_VAD'],
    ['UNBAN_MEMBERS', 'BAN_MEMBERS'],
    ['UNMUTE_USERS', 'MUTE_MEMBERS'],
    ['UNDEAFEN_MEMBERS', 'DEAFEN_MEMBERS'],
    ['UNPIN_MESSAGES', 'PIN_MESSAGES'],
  ])('suggest a permission: %s is %s', (typed, nearest) => {
    expect(findNearestPermissionName(typed)).toBe(nearest);
  });

  test.each([
    'MANAGE_MEMBERS',
    'MANAGE_USERS',
    'manage members',
    'managemembers',
    'managemember',
    'MANAGE_EVERYTHING',
    'WARN_MEMBERS',
    'LOCK_MEMBERS',
    'NOTE_MEMBERS',
    'RATE_MEMBERS',
    'REMOVE_MEMBERS',
    'REMOVE_MEMBER',
    'JAIL_MEMBERS',
    'MANAGE_RULES',
    'MANAGE_NOTES',
    'MANAGE_VOTES',
    'MANAGE_CODES',
    'NEW_CHANNEL',
    'LINK_MESSAGES',
    'QUEUE_MEMBERS',
    'MANAGE_REACTIONS',
    'DELETE_SERVER',
    'EDIT_MESSAGES',
    'VIEW_ANALYTICS',
    'VIEW_MEMBERS',
    'VIEW_ROLES',
    'VIEW_SERVER',
    'CREATE_SERVER',
    'USE_VOICE',
    'USE_SOUNDS',
    'MEMBERS',
    'MANAGE',
    'MESSAGES',
    'VOICE',
    'VIEW',
    'SLOWMODE',
    'Mitglieder verwalten',
    'Gérer les membres',
    'управлять участниками',
    'ALL',
    'NONE',
    'OWNER',
    'FOO',
    'constructor',
    '__proto__',
  ])('suggest none when they could mean two or none: %s', (typed) => {
    expect(findNearestPermissionName(typed)).toBe(null);
  });

  test('suggest one permission, and are never accepted as its name', () => {
    const phrases = Object.entries(MEANT).flatMap(([name, list]) =>
      list.map((phrase) => [phrase, name] as const),
    );
    for (const [phrase, name] of phrases) {
      const isOfTwo = phrases.filter(([other]) => other === phrase).length > 1;
      expect([phrase, findNearestPermissionName(phrase)]).toEqual([phrase, isOfTwo ? null : name]);
      expect([phrase, findPermission(phrase)]).toEqual([phrase, undefined]);
    }
  });

  test('suggest one of two permissions by their first and last word, or by everyday words', () => {
    const names = PERMISSIONS.map(({ name }) => name);
    const pairs = names.flatMap((one) => names.map((other) => [one, other] as const));
    const said = new Map<string, string>();
    const byTyped = Map.groupBy(pairs, ([one, other]) => `${one.split('_')[0]}_${other.split('_').at(-1)}`);
    for (const [typed, meant] of byTyped) {
      const nearest = findPermission(typed) === undefined ? findNearestPermissionName(typed) : null;
      if (nearest !== null && !meant.every((pair) => pair.includes(nearest))) said.set(typed, nearest);
    }
    expect(Object.fromEntries(said)).toMatchInlineSnapshot(`
      {
        "ADD_EMOJIS": "CREATE_GUILD_EXPRESSIONS",
        "ADD_STICKERS": "CREATE_GUILD_EXPRESSIONS",
        "ATTACH_EMOJIS": "CREATE_GUILD_EXPRESSIONS",
        "CREATE_CHANNEL": "MANAGE_CHANNELS",
        "CREATE_EMOJIS": "CREATE_GUILD_EXPRESSIONS",
        "CREATE_STICKERS": "CREATE_GUILD_EXPRESSIONS",
        "MANAGE_SOUNDS": "MANAGE_GUILD_EXPRESSIONS",
        "READ_CHANNELS": "VIEW_CHANNEL",
        "SEND_THREADS": "SEND_MESSAGES_IN_THREADS",
        "VIEW_MESSAGES": "VIEW_CHANNEL",
      }
    `);
  });
});
