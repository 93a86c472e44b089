import { Random } from '../../../test/fixtures/random.ts';

export interface BenchQuestion {
  readonly all: readonly string[];
  readonly any: readonly string[];
  readonly none: readonly string[];
}

/** Each names two to ten roles, common ones and rare ones; the same roles always give the same questions. */
export function makeQuestions(roleIds: readonly string[], count: number): BenchQuestion[] {
  const random = new Random(17);
  return Array.from({ length: count }, () => {
    const roles = new Set(
      random.list(2, 10, () => roleIds[Math.floor(random.next() ** 2 * roleIds.length)]!),
    );
    const parts = { all: [] as string[], any: [] as string[], none: [] as string[] };
    for (const role of roles) parts[random.pick(['all', 'any', 'any', 'none'] as const)].push(role);
    return parts;
  });
}

/** Each answers with a number, so that the work cannot be left out. */
export interface Answers {
  count(question: BenchQuestion): number;
  /** The first 5,000 ids. */
  ids(question: BenchQuestion): number;
  /** Ten of them at random. */
  sample(question: BenchQuestion): number;
  /** The number of members with each role. */
  counts(): number;
}

export interface QuestionFigures {
  /** Microseconds of each call. */
  readonly times: Readonly<Record<keyof Answers, readonly number[]>>;
  readonly indexBytesPerMember: number;
}

export interface MeasureOptions {
  /** Times that each question is asked. */
  readonly rounds: number;
  /** Untimed rounds before that. */
  readonly warmUps: number;
}

/** Every call counts, so that pauses for garbage collection do. */
export function measureQuestions(
  answers: Answers,
  questions: readonly BenchQuestion[],
  { rounds, warmUps }: MeasureOptions,
): QuestionFigures['times'] {
  const times = {
    count: [] as number[],
    ids: [] as number[],
    sample: [] as number[],
    counts: [] as number[],
  };
  for (const kind of ['count', 'ids', 'sample', 'counts'] as const) {
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const question of questions) {
        const startedAt = performance.now();
        answers[kind](question);
        if (round >= 0) times[kind].push((performance.now() - startedAt) * 1_000);
      }
    }
  }
  return times;
}
