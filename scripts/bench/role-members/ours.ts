// A child of the benchmark: Quartermaster's lists. Prints its figures as JSON.
import { GatewayDispatchEvents } from 'discord-api-types/v10';

import type { MemberIndex } from '../../../src/members/index/member-index.ts';
import { startFeed } from './feed.ts';
import { measure } from './figures.ts';
import { rolePage } from '../../../test/fixtures/role-page.ts';

const { members, dispatch, create } = startFeed();
let guildId = '';
let index: MemberIndex | null = null;
const whole = (): MemberIndex => {
  index ??= members.completeIndex(guildId);
  if (index === null) throw new Error('The list is not whole.');
  return index;
};

const figures = await measure(
  {
    create: (guild) => {
      guildId = guild.id;
      return create(guild);
    },
    takeChunk: (chunk) => dispatch(GatewayDispatchEvents.GuildMembersChunk, chunk),
    isRead: () => members.completeIndex(guildId) !== null,
    drop: ({ id }) => dispatch(GatewayDispatchEvents.GuildDelete, { id }),
    takeUpdate: (update) => dispatch(GatewayDispatchEvents.GuildMemberUpdate, update),
    count: (roleId) => whole().count(roleId),
    ids: (roleId) => rolePage(whole(), roleId).ids.toBigUint64Array().length,
    body: (roleId) => {
      let bytes = 0;
      for (const piece of rolePage(whole(), roleId).ids.jsonBytes()) bytes += piece.byteLength;
      return bytes;
    },
    indexBytes: () => whole().byteLength,
  },
  Number(process.argv[2]),
);
console.log(JSON.stringify(figures));
members.close();
