import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { describeMachine, markdownTable, median } from './measure.ts';
import type { Figures } from './role-members/figures.ts';

// Memory is compared, so each of the two has a process of its own; times are processor time of its main thread.
const SIZES = [100_000, 500_000];
const ROUNDS = 3;
/** A small, a medium and a large one. */
const ROLES = [0, 1, 2];

/** @param args sizes of the guild */
export async function run(args: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  const sizes = args.map(Number).filter((size) => size > 0);
  for (const size of args.length === 0 ? SIZES : sizes) await compare(size);
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
  const rows: (readonly [string, string, string, string])[] = [];
  const faster = (name: string, our: number, their: number) =>
    rows.push([name, formatUs(their), formatUs(our), `${formatRatio(their / our)}x`]);

  rows.push([
    'memory a member',
    `${theirs.bytesPerMember.toFixed(0)} B`,
    `${(ours.indexBytesPerMember ?? NaN).toFixed(1)} B (with heap ${ours.bytesPerMember.toFixed(1)} B)`,
    `${formatRatio(theirs.bytesPerMember / ours.bytesPerMember)}x`,
  ]);
  rows.push([
    'the same after one update of each',
    `${theirs.bytesPerMemberUpdated.toFixed(0)} B`,
    `${ours.bytesPerMemberUpdated.toFixed(1)} B`,
    `${formatRatio(theirs.bytesPerMemberUpdated / ours.bytesPerMemberUpdated)}x`,
  ]);
  const names = { ids: 'ids of', body: 'JSON of' };
  for (const kind of ['ids', 'body'] as const) {
    ours.holders.forEach((holders, at) => {
      faster(`${names[kind]} ${holders} holders`, ours[kind][at] ?? NaN, theirs[kind][at] ?? NaN);
    });
  }
  faster('one member update', ours.update, theirs.update);
  const ratio = ours.membersPerSecond / theirs.membersPerSecond;
  rows.push(['reading a list in', perSecond(theirs), perSecond(ours), `${ratio.toFixed(1)}x`]);

  console.log(
    `One guild of ${memberCount} members, 250 roles, four roles a member, medians of ${ROUNDS} processes each:\n`,
  );
  console.log(`${markdownTable(['', 'discord.js', 'Quartermaster', 'ratio'], rows)}\n`);
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

function formatUs(us: number): string {
  if (us >= 1_000) return `${(us / 1_000).toPrecision(3)} ms`;
  return us >= 1 ? `${us.toPrecision(3)} µs` : `${(us * 1_000).toPrecision(2)} ns`;
}

function formatRatio(ratio: number): string {
  return ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toFixed(1);
}
