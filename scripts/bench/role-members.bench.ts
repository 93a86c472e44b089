import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { describeMachine, markdownTable, median } from './measure.ts';
import type { Figures } from './role-members/figures.ts';
import type { ManyGuildsFigures } from './role-members/many-guilds.ts';

// Memory is compared, so each of the two has a process of its own; times are processor time of its main thread.
const SIZES = [100_000, 500_000];
const ROUNDS = 3;
/** A small, a medium and a large one. */
const ROLES = [0, 1, 2];

/** @param args sizes of the guild; `many` for ten million members in 3,000 guilds; default: all */
export async function run(args: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  const sizes = args.map(Number).filter((size) => size > 0);
  for (const size of args.length === 0 ? SIZES : sizes) await compare(size);
  if (args.length === 0 || args.includes('many')) await measureManyGuilds();
}

async function compare(memberCount: number): Promise<void> {
  const ourRuns: Figures[] = [];
  const theirRuns: Figures[] = [];
  // In turns, so that a slower minute of the machine meets both.
  for (let round = 0; round < ROUNDS; round += 1) {
    ourRuns.push(await runChild<Figures>('ours.ts', memberCount));
    theirRuns.push(await runChild<Figures>('discord-js.ts', memberCount));
  }
  const ours = medianOf(ourRuns);
  const theirs = medianOf(theirRuns);
  const rows: (readonly [string, string, string, string, string])[] = [];
  const faster = (name: string, our: number, their: number, asked: number | null) =>
    rows.push([
      name,
      formatUs(their),
      formatUs(our),
      `${formatRatio(their / our)}x`,
      asked === null ? '' : `${formatRatio(asked)}x`,
    ]);

  rows.push([
    'memory a member',
    `${theirs.bytesPerMember.toFixed(0)} B`,
    `${(ours.indexBytesPerMember ?? NaN).toFixed(1)} B (with heap ${ours.bytesPerMember.toFixed(1)} B)`,
    `${formatRatio(theirs.bytesPerMember / ours.bytesPerMember)}x`,
    '16 B',
  ]);
  rows.push([
    'the same after one update of each',
    `${theirs.bytesPerMemberUpdated.toFixed(0)} B`,
    `${ours.bytesPerMemberUpdated.toFixed(1)} B`,
    `${formatRatio(theirs.bytesPerMemberUpdated / ours.bytesPerMemberUpdated)}x`,
    '',
  ]);
  const asked = { count: [100_000, 100_000, 100_000], ids: [5_000, 500, 70], body: [5_000, 120, 10] };
  const names = { count: 'count of', ids: 'ids of', body: 'JSON of' };
  for (const kind of ['count', 'ids', 'body'] as const) {
    ours.holders.forEach((holders, at) => {
      faster(
        `${names[kind]} ${holders} holders`,
        ours[kind][at] ?? NaN,
        theirs[kind][at] ?? NaN,
        asked[kind][at] ?? NaN,
      );
    });
  }
  faster('one member update', ours.update, theirs.update, 20);
  faster('one that leaves the roles', ours.rename, theirs.rename, null);
  const ratio = ours.membersPerSecond / theirs.membersPerSecond;
  rows.push(['reading a list in', perSecond(theirs), perSecond(ours), `${ratio.toFixed(1)}x`, '3x']);

  console.log(
    `One guild of ${memberCount} members, 250 roles, four roles a member, medians of ${ROUNDS} processes each:\n`,
  );
  console.log(`${markdownTable(['', 'discord.js', 'Quartermaster', 'ratio', 'asked'], rows)}\n`);
}

/** The median of each figure. */
function medianOf(runs: readonly Figures[]): Figures {
  const of = (read: (figures: Figures) => number) => median(runs.map(read));
  const ofEach = (read: (figures: Figures) => readonly number[]) =>
    ROLES.map((role) => of((figures) => read(figures)[role] ?? NaN));
  return {
    bytesPerMember: of((figures) => figures.bytesPerMember),
    indexBytesPerMember: of((figures) => figures.indexBytesPerMember ?? NaN),
    bytesPerMemberUpdated: of((figures) => figures.bytesPerMemberUpdated),
    membersPerSecond: of((figures) => figures.membersPerSecond),
    update: of((figures) => figures.update),
    rename: of((figures) => figures.rename),
    holders: ofEach((figures) => figures.holders),
    count: ofEach((figures) => figures.count),
    ids: ofEach((figures) => figures.ids),
    body: ofEach((figures) => figures.body),
  };
}

async function measureManyGuilds(): Promise<void> {
  const figures = await runChild<ManyGuildsFigures>('many-guilds.ts', 0);
  const rows = [
    ['index', mb(figures.indexBytes), '250 MB'],
    ['bytes a member', (figures.indexBytes / figures.members).toFixed(1), ''],
    ['RSS of the process', `${mb(figures.rssBytes)} (${mb(figures.baseRssBytes)} before)`, '600 MB'],
    ['time to take all packets', `${figures.handlerSeconds.toFixed(1)} s`, ''],
    ['longest packet', `${figures.longestStepMs.toFixed(1)} ms`, '50 ms'],
  ] as const;
  console.log(`${figures.members} members in ${figures.guilds} guilds, the largest of ${figures.largest}:\n`);
  console.log(markdownTable(['', 'measured', 'at most'], rows));
}

async function runChild<Result>(file: string, memberCount: number): Promise<Result> {
  const script = path.join(import.meta.dirname, 'role-members', file);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=4096', script, String(memberCount)],
    { maxBuffer: 2 ** 20 },
  );
  return JSON.parse(stdout) as Result;
}

function perSecond(figures: Figures): string {
  return `${Math.round(figures.membersPerSecond / 1000)}k members/s`;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function formatUs(us: number): string {
  if (us >= 1_000) return `${(us / 1_000).toPrecision(3)} ms`;
  return us >= 1 ? `${us.toPrecision(3)} µs` : `${(us * 1_000).toPrecision(2)} ns`;
}

function formatRatio(ratio: number): string {
  return ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toFixed(1);
}
