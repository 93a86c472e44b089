import type { Random } from '../../../fixtures/random.ts';
import type { PermissionFacts } from '../../../../src/operations/permission-check/effective-permissions.ts';
import { PERMISSIONS } from '../../../../src/operations/permissions/permission-table.ts';

export type Names = ReadonlySet<string>;

/** Facts with the names of permissions; `toFacts` puts them into bits. */
export interface NamedFacts {
  readonly guildId: string;
  readonly ownerId: string;
  readonly roles: ReadonlyMap<string, Names>;
  readonly userId: string;
  readonly roleIds: readonly string[];
  readonly isTimedOut: boolean;
  readonly channel: {
    readonly kind: 'text' | 'voice' | 'category';
    readonly overwrites: readonly { readonly id: string; readonly allow: Names; readonly deny: Names }[];
    readonly thread: {
      readonly isPrivate: boolean;
      readonly isLocked: boolean;
      readonly hasMember: boolean;
    } | null;
  } | null;
}

export const NAMES = PERMISSIONS.map(({ name }) => name);
const BITS = new Map(PERMISSIONS.map(({ name, bit }) => [name, 1n << BigInt(bit)]));

export const bitOf = (name: string): bigint => BITS.get(name) ?? 0n;
export const toBits = (names: Iterable<string>): bigint => {
  let bits = 0n;
  for (const name of names) bits |= bitOf(name);
  return bits;
};

export const NO_ROLE = { name: '', permissions: 0n, position: 0, isManaged: false };

export function toFacts({ roles, channel, ...same }: NamedFacts): PermissionFacts {
  return {
    ...same,
    requiresTwoFactor: false,
    roles: new Map(
      [...roles].map(([id, names]) => [id, { ...NO_ROLE, name: id, permissions: toBits(names) }]),
    ),
    channel:
      channel === null
        ? null
        : {
            overwrites: channel.overwrites.map(({ id, allow, deny }) => ({
              id,
              allow: toBits(allow),
              deny: toBits(deny),
            })),
            isVoice: channel.kind === 'voice',
            thread: channel.thread,
          },
  };
}

/** Permissions that others depend on come up more often than by chance. */
const WEIGHTY = ['VIEW_CHANNEL', 'SEND_MESSAGES', 'SEND_MESSAGES_IN_THREADS', 'CONNECT', 'MANAGE_THREADS'];

export function randomFacts(random: Random): NamedFacts {
  const guildId = String(random.int(1, 9)).padEnd(18, '0');
  const id = (n: number) => String(BigInt(guildId) + BigInt(n));
  const names = (share: number): Names =>
    new Set([
      ...NAMES.filter((name) => name !== 'ADMINISTRATOR' && random.chance(share)),
      ...WEIGHTY.filter(() => random.chance(share)),
    ]);
  const roleIds = random.list(0, 6, (index) => id(index + 1));
  const share = random.pick([0.02, 0.15, 0.4]);
  const roles = new Map([[guildId, names(random.pick([0, 0.2, 0.5, 0.9]))]]);
  for (const roleId of roleIds) {
    roles.set(roleId, random.chance(0.02) ? new Set(['ADMINISTRATOR']) : names(share));
  }
  const userId = id(100);
  const holders = [guildId, ...roleIds, userId, id(101)].filter(() => random.chance(0.6));
  const overwrites = random.chance(0.85)
    ? holders.map((holder) => {
        const deny = names(share);
        return { id: holder, deny, allow: names(share / 2).difference(deny) };
      })
    : [];
  const kind = random.pick(['text', 'text', 'voice', 'category'] as const);
  const thread = {
    isPrivate: random.chance(0.5),
    isLocked: random.chance(0.3),
    hasMember: random.chance(0.5),
  };
  return {
    guildId,
    ownerId: random.chance(0.02) ? userId : id(200),
    roles,
    userId,
    roleIds: roleIds.filter(() => random.chance(0.6)),
    isTimedOut: random.chance(0.15),
    channel: random.chance(0.1)
      ? null
      : { kind, overwrites, thread: kind === 'text' && random.chance(0.4) ? thread : null },
  };
}
