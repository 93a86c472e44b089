/** What one permission included until it became another. */
interface Split {
  readonly from: readonly string[];
  readonly to: string;
  /** What it takes the new one for. */
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

/** Without SEND_MESSAGES these do nothing, as Discord's documentation of implicit permissions says. */
const NEEDS_SEND_MESSAGES = ['SEND_TTS_MESSAGES', 'EMBED_LINKS', 'ATTACH_FILES', 'MENTION_EVERYONE'];

/** What a bit field of today does not say by itself, one sentence each. */
export function listPermissionHints(names: readonly string[]): string[] {
  const held = new Set(names);
  if (held.has('ADMINISTRATOR')) {
    return [
      'ADMINISTRATOR includes every permission, whatever the other bits are and whatever channels deny.',
    ];
  }
  const lost = SPLITS.flatMap(({ from, to, ability }) => {
    const old = from.filter((name) => held.has(name));
    if (old.length === 0 || held.has(to)) return [];
    const verb = old.length === 1 ? 'does' : 'do';
    return [
      `Since 23 February 2026 ${joinNames(old)} ${verb} not let a member ${ability}: that takes ${to}.`,
    ];
  });
  const idle = held.has('SEND_MESSAGES') ? [] : NEEDS_SEND_MESSAGES.filter((name) => held.has(name));
  if (idle.length === 0) return lost;
  const verb = idle.length === 1 ? 'does' : 'do';
  return [...lost, `${joinNames(idle)} ${verb} nothing in a channel without SEND_MESSAGES.`];
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
