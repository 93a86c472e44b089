import { setImmediate as turn } from 'node:timers/promises';

import type {
  GatewayGuildMembersChunkDispatchData,
  GatewayGuildMemberUpdateDispatchData,
} from 'discord-api-types/v10';

import { median } from '../measure.ts';
import { SyntheticGuild } from './dataset.ts';

const ROUNDS = 5;
const ROUND_MS = 150;
const BATCHES = 200;
const WARM_UP_BATCHES = 50;
const BATCH_UPDATES = 250;

/** What is measured of each of the two. */
export interface Subject {
  /** Brings the guild in, up to the point at which its chunks are awaited. Returns their nonce. */
  create(guild: SyntheticGuild): string;
  takeChunk(chunk: GatewayGuildMembersChunkDispatchData): void;
  takeUpdate(update: GatewayGuildMemberUpdateDispatchData): void;
  count(roleId: string): number;
  /** Returns how many ids there are. */
  ids(roleId: string): number;
  /** Makes the JSON array of the ids and returns its length in bytes. */
  body(roleId: string): number;
  /** Bytes of the index itself, where it can tell. */
  indexBytes(): number | null;
}

/** Microseconds, but for bytes and members a second. */
export interface Figures {
  readonly bytesPerMember: number;
  readonly indexBytesPerMember: number | null;
  /** After every member was updated once. */
  readonly bytesPerMemberUpdated: number;
  /** The handler alone. */
  readonly membersPerSecond: number;
  readonly update: number;
  readonly holders: readonly number[];
  readonly count: readonly number[];
  readonly ids: readonly number[];
  readonly body: readonly number[];
}

/**
 * Milliseconds of processor time of this process, garbage collection included: on a machine that others use too, the
 * clock also counts their work.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Median microseconds of one call, over `rounds` rounds of `calls` calls, after one to warm up. */
function timeUs(work: () => unknown, rounds: number, calls: number): number {
  const times: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const startedAt = cpuMs();
    for (let call = 0; call < calls; call += 1) work();
    if (round >= 0) times.push(((cpuMs() - startedAt) / calls) * 1000);
  }
  return median(times);
}

/** Bytes that are in use after a garbage collection: heap, and buffers outside of it. */
export async function usedBytes(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** @param fast whether calls take microseconds, so that many of them make a round */
export async function measure(subject: Subject, memberCount: number, fast: boolean): Promise<Figures> {
  const guild = new SyntheticGuild(memberCount);
  const warmUp = new SyntheticGuild(5_000, { id: '1' + guild.id });
  // Compiles what is about to be measured, so that its code does not count as members.
  for (const chunk of warmUp.chunks(subject.create(warmUp))) subject.takeChunk(chunk);
  const before = await usedBytes();
  const nonce = subject.create(guild);
  let handlerMs = 0;
  for (const chunk of guild.chunks(nonce)) {
    const startedAt = cpuMs();
    subject.takeChunk(chunk);
    handlerMs += cpuMs() - startedAt;
    await turn();
  }
  const bytesPerMember = ((await usedBytes()) - before) / memberCount;
  const indexBytes = subject.indexBytes();

  const roles = [guild.small, guild.medium, guild.large];
  const perRole = (work: (roleId: string) => unknown) =>
    roles.map((roleId) => {
      const startedAt = performance.now();
      const tries = fast ? 50 : 1;
      for (let attempt = 0; attempt < tries; attempt += 1) work(roleId);
      const onceMs = (performance.now() - startedAt) / tries;
      // Processor time is counted in steps of about a millisecond.
      const calls = Math.ceil(Math.min(40_000_000, ROUND_MS / onceMs));
      return timeUs(() => work(roleId), ROUNDS, calls);
    });
  const holders = roles.map((roleId) => subject.count(roleId));
  const count = perRole((roleId) => subject.count(roleId));
  const ids = perRole((roleId) => subject.ids(roleId));
  const body = perRole((roleId) => subject.body(roleId));

  let updateMs = 0;
  for (let batch = -WARM_UP_BATCHES; batch < BATCHES; batch += 1) {
    // Made just before, as packets are: what has lain for long would have to come from far memory.
    const updates = guild.updates(BATCH_UPDATES, batch);
    const startedAt = cpuMs();
    for (const update of updates) subject.takeUpdate(update);
    if (batch >= 0) updateMs += cpuMs() - startedAt;
  }
  const update = (updateMs / (BATCHES * BATCH_UPDATES)) * 1000;
  for (const { members } of guild.chunks(nonce)) {
    for (const member of members) subject.takeUpdate({ ...member, guild_id: guild.id } as never);
  }
  const bytesUpdated = subject.indexBytes() ?? (await usedBytes()) - before;
  const membersPerSecond = (memberCount / handlerMs) * 1000;
  return {
    bytesPerMember,
    indexBytesPerMember: indexBytes === null ? null : indexBytes / memberCount,
    bytesPerMemberUpdated: bytesUpdated / memberCount,
    membersPerSecond,
    update,
    holders,
    count,
    ids,
    body,
  };
}
