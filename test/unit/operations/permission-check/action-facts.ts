import { ON_MEMBERS, type Target } from '../../../../src/operations/permission-check/decide-action.ts';
import type { PermissionFacts } from '../../../../src/operations/permission-check/effective-permissions.ts';
import type { Random } from '../../../fixtures/random.ts';
import { NO_ROLE, randomFacts, toFacts, type NamedFacts } from './permission-facts.ts';

export interface Place {
  readonly position: number;
  readonly isManaged: boolean;
}

/** Facts with the order of the roles. */
export interface OrderedFacts extends NamedFacts {
  readonly order: ReadonlyMap<string, Place>;
}

export type ChosenTarget =
  | { readonly userId: string; readonly roleIds: readonly string[] }
  | { readonly roleId: string };

/** Somebody who may act, often with the permission, and somebody or some role to act on. */
export function randomAct(random: Random): {
  readonly facts: OrderedFacts;
  readonly permission: string;
  readonly target: ChosenTarget;
} {
  const drawn = randomFacts(random);
  const { guildId, userId, ownerId } = drawn;
  const permission = random.pick([...ON_MEMBERS, 'MANAGE_ROLES', 'MANAGE_ROLES']);
  const ids = [...drawn.roles.keys()];
  // Few positions, so that many are equal, and 0 for some beside @everyone.
  const order = new Map(
    ids.map((id) => [
      id,
      { position: id === guildId ? 0 : random.int(0, 3), isManaged: id !== guildId && random.chance(0.1) },
    ]),
  );
  const roles = new Map(
    [...drawn.roles].map(([id, names]) => {
      const isAdmin = random.chance(0.05) ? ['ADMINISTRATOR'] : [];
      return [id, new Set([...names, ...isAdmin, ...(random.chance(0.5) ? [permission] : [])])] as const;
    }),
  );
  const some = () => ids.filter((id) => id !== guildId && random.chance(0.4));
  // A role that was deleted a moment ago.
  const withGhost = (held: string[]) => (random.chance(0.1) ? [...held, `${guildId.slice(0, -1)}9`] : held);
  const roleIds = withGhost(some());
  const drawTarget = () => {
    if (permission === 'MANAGE_ROLES') return { roleId: random.pick(ids) };
    if (random.chance(0.1)) return { userId, roleIds };
    const other = random.chance(0.1) ? ownerId : String(BigInt(guildId) + 150n);
    return { userId: other, roleIds: withGhost(some()) };
  };
  const target = drawTarget();
  return {
    facts: { ...drawn, channel: null, roles, roleIds, order },
    permission,
    target,
  };
}

export function toOrderedFacts({ order, ...named }: OrderedFacts): PermissionFacts {
  const facts = toFacts(named);
  return {
    ...facts,
    roles: new Map([...facts.roles].map(([id, role]) => [id, { ...NO_ROLE, ...role, ...order.get(id) }])),
  };
}

export function toTarget(target: ChosenTarget): Target {
  return 'roleId' in target ? { kind: 'role', ...target } : { kind: 'member', ...target };
}
