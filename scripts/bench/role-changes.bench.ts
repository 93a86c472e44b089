import { setImmediate as turn } from 'node:timers/promises';

import { GatewayDispatchEvents } from 'discord-api-types/v10';

import { changesQuery } from '../../src/members/changes-query.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { SyntheticGuild } from './role-members/dataset.ts';
import { startFeed } from './role-members/feed.ts';

// What recording who gets and loses roles adds to a member update.
const MEMBERS = 100_000;
const RECORDS_OF_GUILD = 50;
const OTHER_GUILDS = 19;
const ROUNDS = 7;
const BATCHES = 200;
const BATCH_UPDATES = 250;
const STAYS = new AbortController().signal;

/** @param args members of the guild */
export async function run([members = String(MEMBERS)]: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  const guild = new SyntheticGuild(Number(members));
  const plain = await open(guild, 0);
  const recorded = await open(guild, RECORDS_OF_GUILD);
  const [without, withRecords]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    // In turns, so that a slower minute of the machine meets both.
    for (const [feed, times] of [
      [plain, without],
      [recorded, withRecords],
    ] as const) {
      const us = timeUpdates(feed, guild, round);
      if (round >= 0) times.push(us);
    }
  }
  const { logs, entries } = recorded.members.stats.changes;
  const [before, after] = [median(without), median(withRecords)];
  console.log(
    `One guild of ${members} members, 250 roles, the most common ${RECORDS_OF_GUILD} recorded, ${logs.toLocaleString('en')} logs and ${entries.toLocaleString('en')} changes in the process:\n`,
  );
  console.log(
    markdownTable(
      ['', 'nothing recorded', 'recorded', 'ratio'],
      [['one member update', formatUs(before), formatUs(after), `${(after / before).toFixed(2)}x`]],
    ),
  );
  plain.members.close();
  recorded.members.close();
}

/** Reads the guild in, and asks about its most common roles and those of the other guilds. */
async function open(guild: SyntheticGuild, records: number) {
  const feed = startFeed();
  const others = Array.from(
    { length: OTHER_GUILDS },
    (_, at) => new SyntheticGuild(1_000, { id: String(90_000_000_000_000_000n + BigInt(at) * 4_194_304n) }),
  );
  for (const each of [guild, ...others]) {
    for (const chunk of each.chunks(feed.create(each))) {
      feed.dispatch(GatewayDispatchEvents.GuildMembersChunk, chunk);
      await turn();
    }
    while (feed.members.completeIndex(each.id) === null) await turn();
    for (const roleId of each.roleIds.slice(0, records)) {
      const question = { guildId: each.id, roleId, bots: 'exclude', since: null, reader: null } as const;
      await feed.members.ask(changesQuery, question, { signal: STAYS });
    }
  }
  return feed;
}

/** Microseconds of processor time of one update. */
function timeUpdates(
  { dispatch }: ReturnType<typeof startFeed>,
  guild: SyntheticGuild,
  round: number,
): number {
  let usedUs = 0;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    // Made just before, as packets are.
    const updates = guild.updates(BATCH_UPDATES, round * BATCHES + batch);
    const startedAt = process.cpuUsage();
    for (const update of updates) dispatch(GatewayDispatchEvents.GuildMemberUpdate, update);
    const { user, system } = process.cpuUsage(startedAt);
    usedUs += user + system;
  }
  return usedUs / (BATCHES * BATCH_UPDATES);
}

function formatUs(value: number): string {
  return `${value.toPrecision(3)} µs`;
}
