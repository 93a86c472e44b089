// A child of the benchmark: the caches of discord.js, fed with the same packets. Prints its figures as JSON.
import { Client, GatewayIntentBits, Status, type Role } from 'discord.js';

import { measure } from './figures.ts';

interface PacketHandler {
  status: Status;
  handlePacket(packet: { t: string; d: unknown }, shard: { id: number }): boolean;
}

const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] });
// Not logged in: packets are handed in where its shards do.
const socket = client.ws as unknown as PacketHandler;
socket.status = Status.Ready;
const dispatch = (t: string, d: unknown) => socket.handlePacket({ t, d }, { id: 0 });

let guildId = '';
const roleOf = (roleId: string): Role => {
  const role = client.guilds.cache.get(guildId)?.roles.cache.get(roleId);
  if (role === undefined) throw new Error('The role is not there.');
  return role;
};

const figures = await measure(
  {
    create: (guild) => {
      guildId = guild.id;
      dispatch('GUILD_CREATE', guild.guildCreate());
      return 'nonce';
    },
    takeChunk: (chunk) => dispatch('GUILD_MEMBERS_CHUNK', chunk),
    isRead: () => true,
    drop: ({ id }) => {
      dispatch('GUILD_DELETE', { id });
      // Users would stay.
      client.users.cache.clear();
    },
    takeUpdate: (update) => dispatch('GUILD_MEMBER_UPDATE', update),
    count: (roleId) => roleOf(roleId).members.size,
    ids: (roleId) => [...roleOf(roleId).members.keys()].length,
    body: (roleId) => Buffer.byteLength(JSON.stringify([...roleOf(roleId).members.keys()])),
    indexBytes: () => null,
  },
  Number(process.argv[2]),
);
console.log(JSON.stringify(figures));
await client.destroy();
