import * as z from 'zod';

import { roleQuestionSchema } from '../members/role-question.ts';
import { Problem, PROBLEMS, type ProblemCode } from '../problem.ts';

const text = z.string().max(2_000);
const processId = z.string().regex(/^[\w-]{1,64}$/);
const questionId = z.string().regex(/^\d{1,16}$/);
const snowflake = z.string().regex(/^\d{1,20}$/);
const whole = z.int().nonnegative();

/** 45 million ids, more than any guild has members. */
const LIST_BYTES_MAX = 2 ** 30;

/** To the process that holds a shard. */
export const questionSchema = z.object({
  kind: z.literal('question'),
  id: questionId,
  from: processId,
  query: roleQuestionSchema,
  /** Of a list that is there from before: if it has not changed, its bytes need not come. */
  knownVersion: text.nullable(),
});

const listing = z.object({
  kind: z.literal('listing'),
  id: questionId,
  from: processId,
  count: whole,
  returned: whole,
  nextAfter: snowflake.nullable(),
  asOf: whole,
  version: text,
  /** Of the JSON of the ids. It follows in this message when it is short, else in pieces that are asked for. */
  byteLength: whole.max(LIST_BYTES_MAX),
  /** The list is the one whose version was named, so that no bytes follow. */
  isUnchanged: z.boolean(),
});

const problem = z.object({
  kind: z.literal('problem'),
  id: questionId,
  code: z.string(),
  error: text,
  field: text.nullable(),
  hint: text.nullable(),
  retryAfterSeconds: whole.nullable(),
});

/** Bytes of a listing; `number` counts from 0. */
const piece = z.object({ kind: z.literal('piece'), id: questionId, number: whole });

/** Lets the other side send so many more pieces. */
const pull = z.object({
  kind: z.literal('pull'),
  id: questionId,
  from: processId,
  pieces: z.int().min(1).max(1_000),
});

/** Nobody wants the rest of a listing. */
const drop = z.object({ kind: z.literal('drop'), id: questionId, from: processId });

/** To the process that asked, and back to the one that answers. */
export const inboxSchema = z.discriminatedUnion('kind', [listing, problem, piece, pull, drop]);

export type Question = z.output<typeof questionSchema>;
export type ListingMessage = z.output<typeof listing>;
export type ProblemMessage = z.output<typeof problem>;
export type PieceMessage = z.output<typeof piece>;
export type PullMessage = z.output<typeof pull>;
export type DropMessage = z.output<typeof drop>;

export function toProblemMessage(id: string, given: Problem): ProblemMessage {
  const { code, message, field, hint, retryAfterSeconds } = given;
  return { kind: 'problem', id, code, error: message, field, hint, retryAfterSeconds };
}

/** A code that this version does not know becomes `internal`. */
export function fromProblemMessage(message: ProblemMessage): Problem {
  const { code, error, field, hint, retryAfterSeconds } = message;
  if (!isProblemCode(code)) return new Problem('internal', { cause: `the owner answered ${code}` });
  return new Problem(code, {
    error,
    ...(field === null ? {} : { field }),
    ...(hint === null ? {} : { hint }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
