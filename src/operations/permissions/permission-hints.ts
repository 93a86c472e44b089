/** Each permission of `from` included `to` until that became a permission of its own. */
interface Split {
  readonly from: readonly string[];
  readonly to: string;
  /** The action that needs the new permission. */
  readonly ability: string;
}

/**
 * The splits that took effect on 23 February 2026.
 * @see https://github.com/discord/discord-api-docs/pull/8002
 */
const SPLITS: readonly Split[] = [
  { from: ['MANAGE_MESSAGES'], to: 'PIN_MESSAGES', ability: 'pin messages' },
  {
    from: ['MANAGE_MESSAGES', 'MANAGE_CHANNELS', 'MANAGE_THREADS'],
    to: 'BYPASS_SLOWMODE',
    ability: 'write without waiting for slowmode',
  },
  {
    from: ['MANAGE_GUILD_EXPRESSIONS'],
    to: 'CREATE_GUILD_EXPRESSIONS',
    ability: 'create emoji, stickers and sounds',
  },
  { from: ['MANAGE_EVENTS'], to: 'CREATE_EVENTS', ability: 'create scheduled events' },
];

/** Without SEND_MESSAGES these have no effect, as Discord's documentation of implicit permissions says. */
const NEEDS_SEND_MESSAGES = ['SEND_TTS_MESSAGES', 'EMBED_LINKS', 'ATTACH_FILES', 'MENTION_EVERYONE'];

/** Facts that the bit field alone does not show. */
export type PermissionHint =
  /** No bit is set. As `default_member_permissions`, that differs from `null`. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'administrator' }
  /** The permissions `from` no longer include `to`. */
  | {
      readonly kind: 'split';
      readonly from: readonly string[];
      readonly to: string;
      readonly ability: string;
    }
  /** These have no effect without SEND_MESSAGES. */
  | { readonly kind: 'idle'; readonly names: readonly string[] };

interface DecodedSet {
  /** Decimal. */
  readonly bitfield: string;
  /** Canonical names. */
  readonly permissions: readonly string[];
}

export function findPermissionHints({ bitfield, permissions }: DecodedSet): readonly PermissionHint[] {
  if (bitfield === '0') return [{ kind: 'nothing' }];
  const held = new Set(permissions);
  if (held.has('ADMINISTRATOR')) return [{ kind: 'administrator' }];
  const splits = SPLITS.flatMap(({ from, to, ability }): PermissionHint[] => {
    const old = from.filter((name) => held.has(name));
    return old.length === 0 || held.has(to) ? [] : [{ kind: 'split', from: old, to, ability }];
  });
  const idle = held.has('SEND_MESSAGES') ? [] : NEEDS_SEND_MESSAGES.filter((name) => held.has(name));
  return idle.length === 0 ? splits : [...splits, { kind: 'idle', names: idle }];
}

/** In English, one sentence for each. */
export function listPermissionHints(set: DecodedSet): string[] {
  return findPermissionHints(set).map((hint) => {
    if (hint.kind === 'nothing') {
      return 'As default_member_permissions of a command, 0 means administrators only; null means everybody.';
    }
    if (hint.kind === 'administrator') {
      return 'ADMINISTRATOR includes every permission, whatever the other bits are and whatever channels deny.';
    }
    if (hint.kind === 'split') {
      const { from, to, ability } = hint;
      const verb = from.length === 1 ? 'does' : 'do';
      return `Since 23 February 2026 ${joinNames(from)} ${verb} not let a member ${ability}. That needs ${to}.`;
    }
    const verb = hint.names.length === 1 ? 'does' : 'do';
    return `${joinNames(hint.names)} ${verb} nothing in a channel without SEND_MESSAGES.`;
  });
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
