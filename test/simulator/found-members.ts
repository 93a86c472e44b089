import type { SimulatedGuild } from './guild-model.ts';
import type { MemberRecord } from './member-store.ts';

/** Asks for some members by id, for some by name, or for all. */
export interface MemberQuery {
  /** Null when all or some by name were asked for. */
  readonly userIds: readonly string[] | null;
  readonly query: string;
  /** 0 for all. */
  readonly limit: number;
}

/** Members that fit a request, read chunk by chunk so that a large guild is never whole in memory. */
export interface FoundMembers {
  readonly count: number;
  readonly notFound: readonly string[];
  take(count: number): MemberRecord[];
}

export function findMembers(guild: SimulatedGuild, request: MemberQuery): FoundMembers {
  if (request.userIds !== null) {
    const found = request.userIds.map((id) => guild.members.get(id)).filter((member) => member !== null);
    return listOf(
      found,
      request.userIds.filter((id) => guild.members.get(id) === null),
    );
  }
  if (request.query !== '' || request.limit > 0) {
    const found: MemberRecord[] = [];
    for (const member of guild.members.iterate()) {
      if (found.length === (request.limit || Infinity)) break;
      if (member.username.startsWith(request.query)) found.push(member);
    }
    return listOf(found, []);
  }
  let after = '0';
  return {
    count: guild.memberCount,
    notFound: [],
    take: (count) => {
      const page = guild.members.page(after, count);
      after = page.at(-1)?.id ?? after;
      return page;
    },
  };
}

function listOf(members: MemberRecord[], notFound: readonly string[]): FoundMembers {
  let taken = 0;
  return {
    count: members.length,
    notFound,
    take: (count) => members.slice(taken, (taken += count)),
  };
}
