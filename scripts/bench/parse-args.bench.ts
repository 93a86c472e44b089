import { describeMachine, markdownTable, median, timeMs } from './measure.ts';
import { CONTESTANTS } from './parse-args/contestants.ts';
import { TABLES, countRight } from './parse-args/score.ts';

const USER = '<@123456789012345678>';
const SHORT_LINES = [
  `!tempban ${USER} 7d spamming links`,
  `!warn ${USER} please read the rules`,
  `!mute ${USER} 30m`,
  `!kick ${USER}`,
  `!ban 123456789012345678 raiding with 3 alts`,
];
const UNITS = 4000;
const ROUNDS = 15;
const LONG_LINE =
  `!ban ${USER} 7d ${'spamming links in the general channel, again and again. '.repeat(80)}`.slice(0, UNITS);

const HOSTILE_PIECES = [
  '1', '1h', '1h ', '1d, ', 'a week ', ' ', '\u200b', '\u2067', '<@', '<@1>', '<@<@1>', '(<@1>)', '@a ', '--a ', '--a="', '--a=“x ”y',
  '"', "a'b", '!', 'a!', '\u0301', '\ud800', '😀', '100000000000000001 ',
]; // prettier-ignore
const HOSTILE_LINES = ['', '!ban ', `!ban ${USER} `].flatMap((head) =>
  HOSTILE_PIECES.map((piece) => (head + piece.repeat(UNITS)).slice(0, UNITS)),
);

/** Correct readings of our own cases, and speed, compared with two libraries in the same run. */
export async function run(): Promise<void> {
  console.log(`${describeMachine()}\n`);
  const cases = TABLES.flatMap(([, each]) => each);
  const right = CONTESTANTS.map((contestant) => `${contestant.name} ${countRight(contestant, cases)}`);
  console.log(`Cases read rightly, of ${cases.length}: ${right.join(', ')}`);

  const speeds = await measureAll();
  const ours = speeds[0]!;
  const head = [
    '',
    'short lines per CPU second',
    'ours is',
    '4,000 characters, ms',
    'MB/s',
    'ours is',
    'worst hostile line, ms',
  ];
  const rows = CONTESTANTS.map(({ name }, index) => {
    const { shortMs, longMs, hostileMs } = speeds[index]!;
    return [
      name,
      Math.round(1000 / shortMs).toLocaleString('en'),
      `${(shortMs / ours.shortMs).toFixed(2)} ×`,
      longMs.toFixed(3),
      (UNITS / longMs / 1000).toFixed(1),
      `${(longMs / ours.longMs).toFixed(2)} ×`,
      hostileMs.toFixed(2),
    ];
  });
  console.log(`\n${markdownTable(head, rows)}`);
}

/** Median milliseconds a line; round by round through all, so that a slow minute of the machine meets them all. */
async function measureAll() {
  const rounds = CONTESTANTS.map(() => ({ short: [] as number[], long: [] as number[] }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, contestant] of CONTESTANTS.entries()) {
      const readShort = () => SHORT_LINES.map((line) => contestant.read(line, '!'));
      rounds[index]?.short.push(cpuMs(readShort, 4000) / SHORT_LINES.length);
      rounds[index]?.long.push(await timeMs(() => contestant.read(LONG_LINE, '!'), { rounds: 1, calls: 20 }));
    }
  }
  const speeds: { shortMs: number; longMs: number; hostileMs: number }[] = [];
  for (const [index, contestant] of CONTESTANTS.entries()) {
    let hostileMs = 0;
    for (const line of HOSTILE_LINES) {
      hostileMs = Math.max(
        hostileMs,
        await timeMs(() => contestant.read(line, '!'), { rounds: 3, calls: 3 }),
      );
    }
    speeds.push({
      shortMs: median(rounds[index]?.short ?? []),
      longMs: median(rounds[index]?.long ?? []),
      hostileMs,
    });
  }
  return speeds;
}

/** Milliseconds of CPU a call, garbage collection included: on a shared machine they vary less than those of a clock. */
function cpuMs(work: () => unknown, calls: number): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}
