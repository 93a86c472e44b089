import * as z from 'zod';

import { parseJson } from '../kernel/parse-json.ts';
import { nonNegativeInt, shortText } from '../kernel/schemas.ts';
import { isProblemTextKey, Problem, type ProblemTextKey } from '../kernel/problem.ts';

// The messages between processes. A later version may add fields; an earlier one ignores what it cannot read.

/** The record of a process in Redis. */
const leaseSchema = z.object({
  /** How to ask the process. Earlier versions answer over HTTP and lack this field, so they cannot be asked. */
  asked: z.literal('by channel'),
  /** The number of shards of the whole bot, across all processes. */
  shardCount: z.int().positive(),
  /** The shards of this process and since when it has had them, in milliseconds of Redis's clock. */
  shards: z.array(z.tuple([nonNegativeInt, z.number()])),
});

export type Lease = z.output<typeof leaseSchema>;

/** Identifies a question of a process. */
const id = z.string().max(100);

const questionSchema = z.object({
  id,
  /** The process that asks; empty when it expects no answer. */
  from: z.string().max(100),
  kind: z.string().max(100),
  /** If there are more ids, the answer comes without them, and the process asks again. */
  idsMax: nonNegativeInt,
  /** How long the process that asks still waits, in milliseconds. Earlier versions do not say it. */
  leftMs: nonNegativeInt.optional(),
  question: z.unknown(),
});

export type QuestionMessage = z.output<typeof questionSchema>;

const problemSchema = z.object({
  key: shortText,
  values: z.record(z.string(), z.union([shortText, z.number()])),
  field: shortText.nullable(),
  retryAfterSeconds: nonNegativeInt.nullable(),
});

/** The line before the ids of an answer. */
const answerSchema = z.union([
  z.object({ id, problem: problemSchema }),
  z.object({
    id,
    /** The answer without its ids. Never renamed, because processes of other versions read it. */
    head: z.unknown(),
    /** The length of the list of ids, even if the ids are left out. */
    idCount: nonNegativeInt,
  }),
]);

/** A message from one process to another: a question, or the answer to one. */
export type Message = QuestionMessage | AnswerMessage;

export type AnswerMessage = z.output<typeof answerSchema> & {
  /** The ids as 8-byte numbers, without a copy. */
  readonly idBytes: Buffer;
};

/** A question holds at most a few hundred ids, so anything longer is not one. */
const QUESTION_BYTES_MAX = 64 * 1024;
/** The counts of 65,000 roles, more than any guild has, take about 3 MB. */
const LINE_BYTES_MAX = 8 * 2 ** 20;
const END_OF_LINE = 0x0a;

export function writeQuestion(question: QuestionMessage): string {
  return JSON.stringify(question);
}

/** @param ids null to leave them out */
export function writeAnswer(
  answer: { id: string; head: unknown; idCount: number },
  ids: BigUint64Array | null,
): Buffer {
  const line = Buffer.from(`${JSON.stringify(answer)}\n`);
  if (ids === null) return line;
  return Buffer.concat([line, Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength)]);
}

export function writeProblem(id: string, { key, values, field, retryAfterSeconds }: Problem): string {
  return JSON.stringify({ id, problem: { key, values, field, retryAfterSeconds } });
}

/** Null when it cannot be understood. */
export function readMessage(bytes: Buffer): Message | null {
  const end = bytes.indexOf(END_OF_LINE);
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  if (line.length > LINE_BYTES_MAX) return null;
  const json = parseJson(line.toString());
  if (typeof json === 'object' && json !== null && 'kind' in json) {
    return line.length > QUESTION_BYTES_MAX ? null : (questionSchema.safeParse(json).data ?? null);
  }
  const answer = answerSchema.safeParse(json).data;
  return answer === undefined ? null : { ...answer, idBytes: bytes.subarray(line.length + 1) };
}

export function toProblem({ key, values, field, retryAfterSeconds }: z.output<typeof problemSchema>) {
  return new Problem(knownKey(key), {
    values,
    ...(field === null ? {} : { field }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

/** Returns the code of a key that this version does not know. */
function knownKey(key: string): ProblemTextKey {
  const code = key.replace(/\/.*/s, '');
  return [key, code].find(isProblemTextKey) ?? 'internal';
}

/** Null when it cannot be understood. */
export function readLease(json: string): Lease | null {
  return leaseSchema.safeParse(parseJson(json)).data ?? null;
}
