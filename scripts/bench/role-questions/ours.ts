// A child of the benchmark: questions to Quartermaster's lists. Prints its figures as JSON.
import { setImmediate } from 'node:timers/promises';

import { GatewayDispatchEvents } from 'discord-api-types/v10';

import { answerQuestion, membersQuestion } from '../../../src/members/members-query.ts';
import { SyntheticGuild } from '../role-members/dataset.ts';
import { startFeed } from '../role-members/feed.ts';
import { makeQuestions, measureQuestions, type BenchQuestion } from './questions.ts';

const [members = 0, count = 0] = process.argv.slice(2).map(Number);
const guild = new SyntheticGuild(members);
const feed = startFeed();
const nonce = feed.create(guild);
for (const chunk of guild.chunks(nonce)) feed.dispatch(GatewayDispatchEvents.GuildMembersChunk, chunk);
// What a sync leaves to be tidied takes some turns of the event loop.
while (feed.members.completeIndex(guild.id) === null) await setImmediate();
const index = feed.members.completeIndex(guild.id);
if (index === null) throw new Error('The list is not whole.');

const whole = (question: BenchQuestion, more: object) =>
  answerQuestion(index, membersQuestion({ guildId: guild.id, ...question, ...more }));
const written = (bytes: Iterable<Uint8Array>) => {
  let length = 0;
  for (const piece of bytes) length += piece.byteLength;
  return length;
};
const before = index.byteLength;
const times = measureQuestions(
  {
    count: (question) => whole(question, { countOnly: true }).count,
    ids: (question) => {
      const { members: ids, returned } = whole(question, { limit: 5_000 });
      written(ids.jsonBytes());
      return returned;
    },
    sample: (question) => whole(question, { sample: 10 }).returned,
    counts: () => {
      const counts = index.roleCounts();
      JSON.stringify(counts);
      return counts.length;
    },
  },
  makeQuestions(guild.roleIds, count),
  { rounds: 10, warmUps: 2 },
);
if (index.byteLength !== before) throw new Error('Questions have cost memory.');
console.log(JSON.stringify({ times, indexBytesPerMember: index.byteLength / members }));
feed.members.close();
