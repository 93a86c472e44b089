// A child of the benchmark: the same questions to the caches of discord.js. Prints its figures as JSON.
import { Client, GatewayIntentBits, Status } from 'discord.js';

import { SyntheticGuild } from '../role-members/dataset.ts';
import { makeQuestions, measureQuestions, type BenchQuestion } from './questions.ts';

interface PacketHandler {
  status: Status;
  handlePacket(packet: { t: string; d: unknown }, shard: { id: number }): boolean;
}

const [members = 0, , compared = 0] = process.argv.slice(2).map(Number);
const client = new Client({ intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] });
// Not logged in: packets are handed in where its shards do.
const socket = client.ws as unknown as PacketHandler;
socket.status = Status.Ready;
const dispatch = (t: string, d: unknown) => socket.handlePacket({ t, d }, { id: 0 });

const guild = new SyntheticGuild(members);
dispatch('GUILD_CREATE', guild.guildCreate());
for (const chunk of guild.chunks('nonce')) dispatch('GUILD_MEMBERS_CHUNK', chunk);
const cached = client.guilds.cache.get(guild.id);
if (cached === undefined) throw new Error('The guild is not there.');

/** As its guide does it. */
const find = ({ all, any, none }: BenchQuestion) =>
  cached.members.cache.filter(
    ({ roles: { cache } }) =>
      all.every((id) => cache.has(id)) &&
      (any.length === 0 || any.some((id) => cache.has(id))) &&
      !none.some((id) => cache.has(id)),
  );
const figures = measureQuestions(
  {
    count: (question) => find(question).size,
    ids: (question) => {
      const ids = [...find(question).keys()].slice(0, 5_000);
      JSON.stringify(ids);
      return ids.length;
    },
    sample: (question) => find(question).random(10).length,
    counts: () => cached.roles.cache.size - 1,
  },
  makeQuestions(guild.roleIds, compared),
  { rounds: 1, warmUps: 0, compared },
);
console.log(JSON.stringify({ ...figures, indexBytesPerMember: null }));
await client.destroy();
