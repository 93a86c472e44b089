import { setImmediate as turn } from 'node:timers/promises';

import type {
  GatewayGuildMembersChunkDispatchData,
  GatewayGuildMemberUpdateDispatchData,
} from 'discord-api-types/v10';

import { median } from '../measure.ts';
import { SyntheticGuild } from './dataset.ts';

const ROUNDS = 5;
const ROUND_MS = 150;
const BATCHES = 1000;
const WARM_UP_BATCHES = 400;
const BATCH_UPDATES = 250;
/** The guild is read this many times; its last list is used for the other measurements. */
const READS = 5;
const WARM_UP_MEMBERS = 40_000;

export interface Subject {
  /** Brings the guild in, up to the point at which its chunks are awaited. Returns their nonce. */
  create(guild: SyntheticGuild): string;
  takeChunk(chunk: GatewayGuildMembersChunkDispatchData): void;
  /** True once questions can be answered; work done until then counts as reading. */
  isRead(): boolean;
  /** Forgets the guild and its members. */
  drop(guild: SyntheticGuild): void;
  takeUpdate(update: GatewayGuildMemberUpdateDispatchData): void;
  count(roleId: string): number;
  /** Returns how many ids there are. */
  ids(roleId: string): number;
  /** Makes the JSON array of the ids and returns its length in bytes. */
  body(roleId: string): number;
  /** Bytes of the index itself, where they are known. */
  indexBytes(): number | null;
}

/** Microseconds, but for bytes and members a second. */
export interface Figures {
  readonly bytesPerMember: number;
  readonly indexBytesPerMember: number | null;
  /** After every member was updated once. */
  readonly bytesPerMemberUpdated: number;
  /** Handlers and what follows until the list is whole, without making the packets. */
  readonly membersPerSecond: number;
  readonly update: number;
  /** An update that leaves the roles of the member as they were. */
  readonly rename: number;
  readonly holders: readonly number[];
  readonly count: readonly number[];
  readonly ids: readonly number[];
  readonly body: readonly number[];
}

/**
 * Milliseconds of processor time of this process, garbage collection included: on a machine that others use too, the
 * clock also counts their work.
 */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Median microseconds of one call over some rounds, each long enough that steps of a millisecond do not matter. */
function timeUs(work: () => unknown): number {
  let calls = 1;
  const round = (): number => {
    const startedAt = cpuMs();
    for (let call = 0; call < calls; call += 1) work();
    return cpuMs() - startedAt;
  };
  // The first calls, before all is compiled, say little about how many of them make a round: so they double.
  while (round() < ROUND_MS) calls *= 2;
  return (median(Array.from({ length: ROUNDS }, round)) / calls) * 1000;
}

/** Bytes that are in use after a garbage collection: heap, and buffers outside of it. */
async function usedBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export async function measure(subject: Subject, memberCount: number): Promise<Figures> {
  const guild = new SyntheticGuild(memberCount);
  // Compiles what is about to be measured, so that neither its code counts as members nor compiling as reading.
  const warmUp = new SyntheticGuild(WARM_UP_MEMBERS, { id: `1${guild.id}`, firstMember: 10_000_000 });
  for (const chunk of warmUp.chunks(subject.create(warmUp))) subject.takeChunk(chunk);
  await turn();
  subject.drop(warmUp);
  const rates: number[] = [];
  const read = async (): Promise<string> => {
    const nonce = subject.create(guild);
    let handlerMs = 0;
    for (const chunk of guild.chunks(nonce)) {
      const startedAt = cpuMs();
      subject.takeChunk(chunk);
      handlerMs += cpuMs() - startedAt;
      await turn();
    }
    const startedAt = cpuMs();
    while (!subject.isRead()) await turn();
    handlerMs += cpuMs() - startedAt;
    rates.push((memberCount / handlerMs) * 1000);
    return nonce;
  };
  for (let reads = 1; reads < READS; reads += 1) {
    await read();
    subject.drop(guild);
  }
  const before = await usedBytes();
  const nonce = await read();
  const bytesPerMember = ((await usedBytes()) - before) / memberCount;
  const indexBytes = subject.indexBytes();

  const roles = [guild.small, guild.medium, guild.large];
  const perRole = (work: (roleId: string) => unknown) => roles.map((roleId) => timeUs(() => work(roleId)));
  const holders = roles.map((roleId) => subject.count(roleId));
  const count = perRole((roleId) => subject.count(roleId));
  const ids = perRole((roleId) => subject.ids(roleId));
  const body = perRole((roleId) => subject.body(roleId));

  const timeUpdates = (make: (seed: number) => readonly GatewayGuildMemberUpdateDispatchData[]): number => {
    let updateMs = 0;
    for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch += 1) {
      // Made just before, as packets are: older data would have to come from slower memory.
      const updates = make(batch);
      const startedAt = cpuMs();
      for (const update of updates) subject.takeUpdate(update);
      if (batch >= 0) updateMs += cpuMs() - startedAt;
    }
    return (updateMs / (BATCHES * BATCH_UPDATES)) * 1000;
  };
  const rename = timeUpdates((seed) => guild.renames(BATCH_UPDATES, seed));
  const update = timeUpdates((seed) => guild.updates(BATCH_UPDATES, seed));
  for (const { members } of guild.chunks(nonce)) {
    for (const member of members) subject.takeUpdate({ ...member, guild_id: guild.id } as never);
  }
  const bytesUpdated = subject.indexBytes() ?? (await usedBytes()) - before;
  return {
    bytesPerMember,
    indexBytesPerMember: indexBytes === null ? null : indexBytes / memberCount,
    bytesPerMemberUpdated: bytesUpdated / memberCount,
    membersPerSecond: median(rates),
    update,
    rename,
    holders,
    count,
    ids,
    body,
  };
}
