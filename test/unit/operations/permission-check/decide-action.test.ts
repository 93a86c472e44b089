import { describe, expect, test } from 'vitest';

import { decideAction, type Target } from '../../../../src/operations/permission-check/decide-action.ts';
import { describeAction, TWO_FACTOR } from '../../../../src/operations/permission-check/describe-action.ts';
import {
  computePermissions,
  type PermissionFacts,
} from '../../../../src/operations/permission-check/effective-permissions.ts';
import { Random } from '../../../fixtures/random.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { judgeAct } from './action-reference.ts';
import { randomAct, toOrderedFacts, toTarget } from './action-facts.ts';
import { bitOf, toBits } from './permission-facts.ts';

const SAMPLES = quickOrFull(1_000, 100_000);

const GUILD = '100';
const OWNER = '1';
const ACTOR = '2';
const OTHER = '3';

const ALL = ['KICK_MEMBERS', 'BAN_MEMBERS', 'MODERATE_MEMBERS', 'MANAGE_NICKNAMES', 'MANAGE_ROLES'] as const;

function role(name: string, position: number, permissions: readonly string[] = [], isManaged = false) {
  return { name, position, permissions: toBits(permissions), isManaged };
}

const ROLES: PermissionFacts['roles'] = new Map([
  [GUILD, role('@everyone', 0)],
  ['101', role('Top', 9)],
  ['102', role('Bot', 5, ALL)],
  ['103', role('Same position', 5)],
  ['099', role('Same position, made first', 5)],
  ['104', role('Low', 2)],
  ['105', role('Boosters', 3, [], true)],
  ['106', role('Position of @everyone', 0)],
  ['107', role('Admin below', 1, ['ADMINISTRATOR'])],
  ['108', role('Admin above', 8, ['ADMINISTRATOR'])],
]);

interface Case {
  readonly name: string;
  readonly actor?: readonly string[];
  readonly actorId?: string;
  /** What @everyone may do. */
  readonly everyone?: readonly string[];
  readonly isTimedOut?: boolean;
  readonly permission: (typeof ALL)[number];
  readonly target: Target;
  readonly allowed: boolean;
  readonly kind: string;
  readonly roleIds?: readonly string[];
}

const member = (roleIds: readonly string[], userId = OTHER): Target => ({ kind: 'member', userId, roleIds });
const given = (roleId: string): Target => ({ kind: 'role', roleId });

const CASES: readonly Case[] = [
  {
    name: 'a lower member',
    permission: 'KICK_MEMBERS',
    target: member(['104']),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'a higher member',
    permission: 'KICK_MEMBERS',
    target: member(['101']),
    allowed: false,
    kind: 'role_order',
    roleIds: ['102', '101'],
  },
  {
    name: 'a member with the same role',
    permission: 'BAN_MEMBERS',
    target: member(['102']),
    allowed: false,
    kind: 'role_order',
    roleIds: ['102', '102'],
  },
  {
    name: 'an equal position with a higher id',
    permission: 'BAN_MEMBERS',
    target: member(['103']),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'an equal position with a lower id',
    permission: 'BAN_MEMBERS',
    target: member(['099']),
    allowed: false,
    kind: 'role_order',
    roleIds: ['102', '099'],
  },
  {
    name: 'several roles on both sides, by the highest of each',
    actor: ['104', '102', '106'],
    permission: 'MANAGE_NICKNAMES',
    target: member(['106', '101', '104']),
    allowed: false,
    kind: 'role_order',
    roleIds: ['102', '101'],
  },
  {
    name: 'a member with @everyone alone',
    permission: 'KICK_MEMBERS',
    target: member([]),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'somebody, with @everyone alone',
    actor: [],
    everyone: ['KICK_MEMBERS'],
    permission: 'KICK_MEMBERS',
    target: member([]),
    allowed: false,
    kind: 'role_order',
    roleIds: [GUILD, GUILD],
  },
  {
    name: 'a role of position 0, with @everyone alone',
    actor: [],
    everyone: ['MANAGE_ROLES'],
    permission: 'MANAGE_ROLES',
    target: given('106'),
    allowed: false,
    kind: 'role_order',
    roleIds: [GUILD, '106'],
  },
  {
    name: '@everyone alone, with a role of position 0',
    actor: ['106'],
    everyone: ['KICK_MEMBERS'],
    permission: 'KICK_MEMBERS',
    target: member([]),
    allowed: true,
    kind: 'role',
    roleIds: [GUILD],
  },
  {
    name: 'roles that were deleted, which do not count',
    permission: 'KICK_MEMBERS',
    target: member(['999', '104']),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'a missing permission before all else',
    actor: ['101'],
    permission: 'KICK_MEMBERS',
    target: member([], OWNER),
    allowed: false,
    kind: 'not_granted',
  },
  {
    name: 'the time-out of who acts',
    isTimedOut: true,
    permission: 'KICK_MEMBERS',
    target: member([]),
    allowed: false,
    kind: 'timeout',
  },
  {
    name: 'the owner as the target, above every role',
    actor: ['102', '101'],
    permission: 'MANAGE_NICKNAMES',
    target: member([], OWNER),
    allowed: false,
    kind: 'target_owner',
  },
  {
    name: 'the owner as the one who acts, above the order',
    actorId: OWNER,
    actor: [],
    permission: 'BAN_MEMBERS',
    target: member(['101']),
    allowed: true,
    kind: 'owner',
  },
  {
    name: 'the owner who gives the highest role',
    actorId: OWNER,
    actor: [],
    permission: 'MANAGE_ROLES',
    target: given('101'),
    allowed: true,
    kind: 'owner',
  },
  {
    name: 'the owner who acts on themselves',
    actorId: OWNER,
    actor: [],
    permission: 'KICK_MEMBERS',
    target: member([], OWNER),
    allowed: false,
    kind: 'self',
  },
  {
    name: 'the owner who renames themselves',
    actorId: OWNER,
    actor: [],
    permission: 'MANAGE_NICKNAMES',
    target: member([], OWNER),
    allowed: true,
    kind: 'self',
  },
  {
    name: 'the owner who times out an administrator',
    actorId: OWNER,
    actor: [],
    permission: 'MODERATE_MEMBERS',
    target: member(['107']),
    allowed: false,
    kind: 'target_administrator',
  },
  {
    name: 'an administrator who acts on a higher member',
    actor: ['108'],
    permission: 'KICK_MEMBERS',
    target: member(['101']),
    allowed: false,
    kind: 'role_order',
    roleIds: ['108', '101'],
  },
  {
    name: 'an administrator who acts on a lower member',
    actor: ['108'],
    permission: 'KICK_MEMBERS',
    target: member(['102']),
    allowed: true,
    kind: 'administrator',
    roleIds: ['108'],
  },
  {
    name: 'a lower administrator who is kicked',
    permission: 'KICK_MEMBERS',
    target: member(['107']),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'a lower administrator who is timed out',
    permission: 'MODERATE_MEMBERS',
    target: member(['107']),
    allowed: false,
    kind: 'target_administrator',
  },
  {
    name: 'an administrator by @everyone who is timed out',
    everyone: ['ADMINISTRATOR'],
    permission: 'MODERATE_MEMBERS',
    target: member([]),
    allowed: false,
    kind: 'target_administrator',
  },
  {
    name: 'one administrator who times out another',
    actor: ['108'],
    permission: 'MODERATE_MEMBERS',
    target: member(['107']),
    allowed: false,
    kind: 'target_administrator',
  },
  {
    name: 'a lower role that is given',
    permission: 'MANAGE_ROLES',
    target: given('104'),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'a role with more permissions than the giver has',
    permission: 'MANAGE_ROLES',
    target: given('107'),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: "the giver's own highest role",
    permission: 'MANAGE_ROLES',
    target: given('102'),
    allowed: false,
    kind: 'role_order',
    roleIds: ['102', '102'],
  },
  {
    name: 'a higher role',
    permission: 'MANAGE_ROLES',
    target: given('101'),
    allowed: false,
    kind: 'role_order',
    roleIds: ['102', '101'],
  },
  {
    name: 'the role of boosters, which is managed',
    permission: 'MANAGE_ROLES',
    target: given('105'),
    allowed: false,
    kind: 'target_managed',
  },
  {
    name: 'a managed role, given by the owner',
    actorId: OWNER,
    actor: [],
    permission: 'MANAGE_ROLES',
    target: given('105'),
    allowed: false,
    kind: 'target_managed',
  },
  {
    name: '@everyone as the role',
    permission: 'MANAGE_ROLES',
    target: given(GUILD),
    allowed: false,
    kind: 'target_managed',
  },
  {
    name: 'a booster, whose managed role counts in the order',
    permission: 'KICK_MEMBERS',
    target: member(['105']),
    allowed: true,
    kind: 'role',
    roleIds: ['102'],
  },
  {
    name: 'the bot itself, kicked',
    permission: 'KICK_MEMBERS',
    target: member(['102'], ACTOR),
    allowed: false,
    kind: 'self',
  },
  {
    name: 'the bot itself, timed out',
    permission: 'MODERATE_MEMBERS',
    target: member(['102'], ACTOR),
    allowed: false,
    kind: 'self',
  },
  {
    name: "the bot's own nickname, without CHANGE_NICKNAME",
    permission: 'MANAGE_NICKNAMES',
    target: member(['102'], ACTOR),
    allowed: false,
    kind: 'self',
  },
  {
    name: "the bot's own nickname, with CHANGE_NICKNAME alone",
    actor: [],
    everyone: ['CHANGE_NICKNAME'],
    permission: 'MANAGE_NICKNAMES',
    target: member([], ACTOR),
    allowed: true,
    kind: 'self',
  },
  {
    name: "the bot's own nickname during a time-out",
    everyone: ['CHANGE_NICKNAME'],
    isTimedOut: true,
    permission: 'MANAGE_NICKNAMES',
    target: member(['102'], ACTOR),
    allowed: false,
    kind: 'self',
  },
];

function factsOf({ actor = ['102'], actorId = ACTOR, everyone = [], isTimedOut = false }: Partial<Case>) {
  const roles = new Map(ROLES).set(GUILD, role('@everyone', 0, everyone));
  return {
    guildId: GUILD,
    ownerId: OWNER,
    userId: actorId,
    roleIds: actor,
    roles,
    isTimedOut,
    requiresTwoFactor: false,
    channel: null,
  } satisfies PermissionFacts;
}

function say(asked: Pick<Case, 'permission' | 'target'> & Partial<Case>, requiresTwoFactor = false): string {
  const facts = { ...factsOf(asked), requiresTwoFactor };
  const computed = computePermissions(facts);
  const { permission, target } = asked;
  return describeAction({
    permission,
    target,
    facts,
    computed,
    action: decideAction(permission, target, facts, computed),
  });
}

describe('an action on a target', () => {
  test.each(CASES)('is decided for $name', (asked) => {
    const facts = factsOf(asked);
    const { isAllowed, kind, roleIds } = decideAction(
      asked.permission,
      asked.target,
      facts,
      computePermissions(facts),
    );
    expect({ isAllowed, kind, roleIds }).toEqual({
      isAllowed: asked.allowed,
      kind: asked.kind,
      roleIds: asked.roleIds ?? [],
    });
  });

  test("is decided as Discord's documents say, in many random cases", () => {
    const random = new Random(75);
    const kinds = new Set<string>();
    const wrong: unknown[] = [];
    for (let count = 0; count < SAMPLES; count += 1) {
      const { facts, permission, target } = randomAct(random);
      const ordered = toOrderedFacts(facts);
      const computed = computePermissions(ordered);
      const { kind, isAllowed, roleIds } = decideAction(permission, toTarget(target), ordered, computed);
      const expected = judgeAct(facts, permission, target);
      kinds.add(kind);
      const inOrder = (ids: readonly string[]) => String(kind === 'role_order' ? ids : ids.toSorted());
      if (
        kind !== expected.kind ||
        isAllowed !== expected.allowed ||
        inOrder(roleIds) !== inOrder(expected.roleIds)
      ) {
        wrong.push({ facts, permission, target, decided: { kind, isAllowed, roleIds }, expected });
      }
    }
    expect(wrong).toEqual([]);
    expect([...kinds].sort()).toEqual([
      'administrator',
      'not_granted',
      'owner',
      'role',
      'role_order',
      'self',
      'target_administrator',
      'target_managed',
      'target_owner',
      'timeout',
    ]);
  });
});

describe('the sentence about an action', () => {
  test.each<[string, Pick<Case, 'permission' | 'target'> & Partial<Case>, string]>([
    [
      'which role has to move above which',
      { permission: 'KICK_MEMBERS', target: member(['101']) },
      'The member\'s highest role, "Bot", is not above the target\'s highest role, "Top". In Server Settings > Roles, move "Bot" above "Top".',
    ],
    [
      'the same of a role to be given',
      { permission: 'MANAGE_ROLES', target: given('101') },
      'The member\'s highest role, "Bot", is not above the role "Top". In Server Settings > Roles, move "Bot" above "Top".',
    ],
    [
      'that moving does not help where both have the same role',
      { permission: 'KICK_MEMBERS', target: member(['102']) },
      'The member\'s highest role is "Bot", and they need one above "Bot". Give them one in Server Settings > Roles.',
    ],
    [
      'that a member with @everyone alone needs a role',
      { actor: [], everyone: ['KICK_MEMBERS'], permission: 'KICK_MEMBERS', target: member(['104']) },
      'The member\'s highest role is @everyone, and they need one above "Low". Give them one in Server Settings > Roles.',
    ],
    [
      'that members cannot kick themselves',
      { permission: 'KICK_MEMBERS', target: member([], ACTOR) },
      'Nobody can kick themselves.',
    ],
    [
      "what one's own nickname needs",
      { permission: 'MANAGE_NICKNAMES', target: member([], ACTOR) },
      'To change their own nickname, members need CHANGE_NICKNAME. No role of the member has CHANGE_NICKNAME.',
    ],
    [
      'that the owner is out of reach',
      { permission: 'BAN_MEMBERS', target: member([], OWNER) },
      'Nobody else can ban the owner of the server.',
    ],
    [
      'that administrators cannot be timed out',
      { permission: 'MODERATE_MEMBERS', target: member(['107']) },
      'The target has ADMINISTRATOR, so nobody can time them out.',
    ],
    [
      'which integration manages a role',
      { permission: 'MANAGE_ROLES', target: given('105') },
      'A bot, an integration or Discord itself manages this role, so nobody can give or take it.',
    ],
    [
      'that @everyone is for all',
      { permission: 'MANAGE_ROLES', target: given(GUILD) },
      'Every member has @everyone, so nobody can give or take it.',
    ],
  ])('says %s', (_what, asked, sentence) => {
    expect(say(asked)).toBe(sentence);
  });

  test('names two-factor authentication for the permissions that need it, and only when the action is allowed', () => {
    const named = ALL.filter((permission) =>
      say({ permission, target: permission === 'MANAGE_ROLES' ? given('104') : member([]) }, true).endsWith(
        ` ${TWO_FACTOR}`,
      ),
    );
    expect(named).toEqual(['KICK_MEMBERS', 'BAN_MEMBERS', 'MANAGE_ROLES']);
    expect(say({ permission: 'KICK_MEMBERS', target: member(['101']) }, true)).not.toContain(TWO_FACTOR);
    expect(say({ permission: 'KICK_MEMBERS', target: member([]) })).not.toContain(TWO_FACTOR);
  });

  test('omits the @ of the name of a role, which could notify people', () => {
    const facts = factsOf({});
    const computed = computePermissions(facts);
    const roles = new Map(facts.roles).set('101', role('@here <@&1>', 9));
    const target = given('101');
    const action = decideAction('MANAGE_ROLES', target, { ...facts, roles }, computed);
    const text = describeAction({
      permission: 'MANAGE_ROLES',
      action,
      target,
      computed,
      facts: { ...facts, roles },
    });
    expect(text).toContain('"here <&1>"');
    expect(computed.bits & bitOf('MANAGE_ROLES')).not.toBe(0n);
  });
});
