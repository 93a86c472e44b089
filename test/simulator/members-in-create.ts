import { GatewayIntentBits } from 'discord-api-types/v10';
import type { MemberRecord, MemberStore } from './member-store.ts';

/**
 * The number of members that GUILD_CREATE carries. `discord`: as Discord does it: everybody when the session asked for
 * presences and the guild is not above its large_threshold, else the bot alone. A number: that many, the bot among
 * them.
 */
export type MembersInCreate = 'discord' | 'all' | number;

/** The members that GUILD_CREATE carries for a session of this bot. */
export function pickMembers(
  rule: MembersInCreate,
  members: MemberStore,
  botId: string,
  session: { readonly intents: number; readonly largeThreshold: number },
): MemberRecord[] {
  const count = countMembers(rule, members.size, session);
  const self = members.get(botId);
  const picked = self && count > 0 ? [self] : [];
  if (count <= 1) return picked;
  for (const member of members.iterate()) {
    if (picked.length === count) break;
    if (member.id !== botId) picked.push(member);
  }
  return picked;
}

function countMembers(
  rule: MembersInCreate,
  size: number,
  { intents, largeThreshold }: { readonly intents: number; readonly largeThreshold: number },
): number {
  if (rule === 'all') return size;
  if (rule !== 'discord') return rule;
  const seesPresences = (intents & GatewayIntentBits.GuildPresences) !== 0;
  return seesPresences && size <= largeThreshold ? size : 1;
}
