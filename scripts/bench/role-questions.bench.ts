import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { computePermissions } from '../../src/operations/permission-check/effective-permissions.ts';
import { PERMISSIONS } from '../../src/operations/permissions/permission-table.ts';
import { describeMachine, markdownTable, median, quantile } from './measure.ts';
import { Random } from '../../test/fixtures/random.ts';
import type { QuestionFigures } from './role-questions/questions.ts';

const MEMBERS = 500_000;
const QUESTIONS = 300;
/** Rounds of checks until their code is compiled. */
const WARM_UPS = 100;

/** @param args members of the guild; default: 500,000 */
export async function run([members = String(MEMBERS)]: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  const { times, indexBytesPerMember } = await runChild(members);
  const names = { count: 'count', ids: '5,000 ids as JSON', sample: 'sample of 10' };
  const rows = (['count', 'ids', 'sample'] as const).map((kind) => {
    return [names[kind], ...cells(times[kind])];
  });
  rows.push(['counts of 250 roles as JSON', ...cells(times.counts)]);
  rows.push(['permissions and their rule', ...cells(timePermissions())]);
  console.log(
    markdownTable([`${Number(members).toLocaleString('en')} members, 2 to 10 roles`, 'median', 'p99'], rows),
  );
  console.log(`\nIndex: ${indexBytesPerMember.toFixed(1)} B a member, as before the questions.`);
}

/** Microseconds of each of 10,000 checks, once 20,000 have been made, in guilds of 20 roles and 30 overwrites. */
function timePermissions(): number[] {
  const random = new Random(5);
  const bits = () => BigInt(random.int(0, 2 ** 31 - 1)) | (BigInt(random.int(0, 2 ** 21 - 1)) << 31n);
  const samples = Array.from({ length: 200 }, () => {
    const roleIds = Array.from({ length: 20 }, (_, index) => String(1_000 + index));
    return {
      guildId: '1',
      ownerId: '2',
      userId: '3',
      requiresTwoFactor: false,
      roles: new Map(
        ['1', ...roleIds].map((id, position) => [
          id,
          { name: id, permissions: bits() & ~8n, position, isManaged: false },
        ]),
      ),
      roleIds,
      isTimedOut: random.chance(0.2),
      channel: {
        overwrites: Array.from({ length: 30 }, (_, index) => ({
          id: String(995 + index),
          allow: bits(),
          deny: bits(),
        })),
        isVoice: random.chance(0.5),
        thread: random.chance(0.3) ? { isPrivate: true, isLocked: false, hasMember: false } : null,
      },
    };
  });
  const times: number[] = [];
  for (let round = -WARM_UPS; round < 50; round += 1) {
    for (const facts of samples) {
      const bit = 1n << BigInt(random.pick(PERMISSIONS).bit);
      const startedAt = performance.now();
      computePermissions(facts).decide(bit);
      if (round >= 0) times.push((performance.now() - startedAt) * 1_000);
    }
  }
  return times;
}

async function runChild(members: string): Promise<QuestionFigures> {
  const script = path.join(import.meta.dirname, 'role-questions/ours.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=3000', script, members, String(QUESTIONS)],
    { maxBuffer: 16 * 2 ** 20 },
  );
  return JSON.parse(stdout) as QuestionFigures;
}

function cells(times: readonly number[]): string[] {
  return [formatUs(median(times)), formatUs(quantile(times, 0.99))];
}

function formatUs(us: number): string {
  return us < 1_000 ? `${us.toFixed(1)} µs` : `${(us / 1_000).toFixed(1)} ms`;
}
