import { endianness } from 'node:os';

import * as z from 'zod';

import type { DeliveryReport } from '../deliveries/deliveries.ts';
import type { RoleListing } from '../members/member-directory.ts';
import { roleQuestionSchema } from '../members/role-question.ts';
import { Problem, PROBLEMS, type ProblemCode } from '../problem.ts';

// What processes write for each other. A later version may add fields, and an earlier one ignores what it cannot read.

const text = z.string().max(2_000);
const snowflake = z.string().regex(/^\d{1,20}$/);
const whole = z.int().nonnegative();

/** The record of a process in Redis. */
const leaseSchema = z.object({
  /** It answers questions at `http://host:port`. */
  origin: z.url({ protocol: /^http$/ }).max(500),
  /** A process that sends it may ask. */
  secret: z.string().regex(/^[\w-]{20,200}$/),
  /** All shards of its bot, those of other processes included. */
  shardCount: z.int().positive(),
  /** Its shards, and since when it has them, in milliseconds of Redis's clock. */
  shards: z.array(z.tuple([whole, z.number()])),
});

export type Lease = z.output<typeof leaseSchema>;

/**
 * Long lists of ids as numbers of 8 bytes: two fifths of their JSON. They leave in the byte order of the machine, so
 * processes send them only to those that ask for this very type; all others get JSON.
 */
export const NUMBERS_TYPE = `application/x-long-ids-${endianness().toLowerCase()}`;

/** Other processes ask `GET /members?<a RoleQuestion as JSON in base64url>`. */
export const MEMBERS_PATH = '/members?';
/** And `GET /delivery?<a delivery and its owner as JSON in base64url>`. */
export const DELIVERY_PATH = '/delivery?';
/** Answers 204 to a process that may ask. */
export const ALIVE_PATH = '/alive';
/** The header with a ListingHead as JSON; the body is the ids alone. */
export const LISTING_HEADER = 'listing';

/** A listing without its ids, which follow as they are. */
export type ListingHead = Omit<RoleListing, 'members'> & { readonly jsonByteLength: number };

const headSchema: z.ZodType<ListingHead> = z.object({
  pending: z.literal(false),
  count: whole,
  returned: whole,
  nextAfter: snowflake.nullable(),
  asOf: whole,
  version: text,
  jsonByteLength: whole,
});

const problemSchema = z.object({
  /** One that this version does not know becomes `internal`. */
  code: z.enum(Object.keys(PROBLEMS) as ProblemCode[]).catch('internal'),
  error: text,
  field: text.nullable(),
  hint: text.nullable(),
  retryAfterSeconds: whole.nullable(),
});

const lookSchema = z.object({ deliveryId: z.string().max(200), ownerId: snowflake });

const reportSchema: z.ZodType<DeliveryReport> = z.object({
  state: z.enum(['sent', 'pending', 'stopped']),
  deliveryId: text,
  total: whole,
  messageIds: z.array(snowflake),
  channelId: snowflake.nullable(),
  uncertain: z.boolean(),
  rest: z.string().nullable(),
  reason: text.nullable(),
  retryAfterSeconds: whole.nullable(),
});

export const readLook = reader(lookSchema);
export const readReport = reader(reportSchema);
export const readLease = reader(leaseSchema);
export const readQuery = reader(roleQuestionSchema);
export const readHead = reader(headSchema);
const readProblem = reader(problemSchema);

export function writeProblem({ code, message, field, hint, retryAfterSeconds }: Problem): string {
  return JSON.stringify({ code, error: message, field, hint, retryAfterSeconds });
}

/** Null when the text is not a problem. */
export function toProblem(json: string): Problem | null {
  const read = readProblem(json);
  if (read === null) return null;
  const { code, error, field, hint, retryAfterSeconds } = read;
  return new Problem(code, {
    error,
    ...(field === null ? {} : { field }),
    ...(hint === null ? {} : { hint }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
}

/** Reads JSON of another process; null when it cannot be understood. */
function reader<Value>(schema: z.ZodType<Value>): (json: string) => Value | null {
  return (json) => {
    try {
      return schema.safeParse(JSON.parse(json)).data ?? null;
    } catch {
      return null;
    }
  };
}
