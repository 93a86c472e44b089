import type * as z from 'zod';

import type { Deliveries } from '../deliveries/deliveries.ts';
import type { ImageFetcher } from '../images/image-fetcher.ts';
import type { MemberDirectory, TokenDirectory } from '../members/member-directory.ts';
import type { ProblemCode, ProblemKey } from '../kernel/problem.ts';

/** Everything outside the core that operations use. */
export interface Collaborators {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly deliveries: Deliveries;
  readonly images: ImageFetcher;
  readonly members: MemberDirectory;
  readonly tokenMembers: TokenDirectory;
}

/** Everything that an operation may use besides its input. */
export interface OperationContext extends Collaborators {
  /**
   * The request counts against this owner's limits: the guild of the caller's key, `0` for the local key, or a user in
   * a direct message.
   */
  readonly ownerId: string;
  /** Guild of the caller's key; null for the local key, which belongs to no guild. */
  readonly guildId: string | null;
  /** The caller's secret as it was sent, see `secretHeader`; null without one. It must not outlive the call. */
  readonly secret: string | null;
  /** The caller's `Idempotency-Key`, see `takesIdempotencyKey`; null without one. */
  readonly idempotencyKey: string | null;
  /** Aborts when the caller is gone, or once the answer has been sent. */
  readonly signal: AbortSignal;
}

export interface Answer<Value> {
  readonly value: Value;
  /** Opaque; changes whenever the answer to the same question may change. The ETag of operations that `revalidate`. */
  readonly version?: string | undefined;
  /** Called when the whole answer has been sent to a caller who reads it. Not every shell can know that. */
  readonly sent?: (() => void) | undefined;
  /** Called once the answer is written or dropped. */
  readonly release?: (() => void) | undefined;
}

/** A header with a secret of Discord's: a bot token, or the address of a webhook. */
export type SecretHeader = 'Token' | 'Webhook';

/** Requests of a server that count together. */
export type OperationBucket = 'guild' | 'image' | 'send';

/** Lists of operations have these headings, in the order of the operations. */
export type OperationGroup = 'Commands' | 'Texts' | 'Permissions' | 'Members' | 'Images';

/** A key of an answer. In a pair, the first key holds how it was typed, the second its value. */
export type ShownPart<Key extends string = string> = Key | readonly [typed: Key, key: Key];

/** An object whose first key is `ok`. It may hold large values, see LargeValue. */
export type SuccessBody = { readonly ok: true } & Readonly<Record<string, unknown>>;

export interface OperationExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: SuccessBody;
  readonly moving: readonly string[];
}

export interface Handler<Value> {
  readonly input: z.ZodObject;
  /**
   * Parses the fields, runs the operation, and checks the result.
   * @param raw fields by name as they arrived, including unknown ones
   * @param fallback fields for which `raw` has no value: the query of a request with a body
   * @param isOfTool the fields are arguments of a tool: a name that means nothing is refused, because a model invents some
   * @throws Problem
   */
  handle(
    raw: RawFields,
    context: OperationContext,
    fallback?: RawFields,
    isOfTool?: boolean,
  ): Promise<Answer<SuccessBody & Value>>;
}

/** A definition with all defaults filled in. */
export interface Operation<Value = unknown, Field extends string = string> extends Handler<Value> {
  readonly name: string;
  readonly path: `/api/${string}`;
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  readonly description: string;
  readonly group: OperationGroup;
  readonly inOut: readonly [into: string, out: string];
  readonly shown: readonly ShownPart[];
  readonly words: Readonly<Record<string, string | undefined>>;
  readonly showcase: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly input: z.ZodObject<Readonly<Record<Field, z.ZodType>>>;
  /** The whole answer, with `ok: true` in front. */
  readonly output: z.ZodObject;
  readonly example: OperationExample;
  readonly problems: readonly ProblemCode[];
  readonly secretHeader: SecretHeader | null;
  readonly takesIdempotencyKey: boolean;
  readonly readOnly: boolean;
  readonly command: { readonly none: string } | null;
  readonly refusedByTools: Readonly<Record<string, ProblemKey>>;
  readonly aboutMembers: boolean;
  readonly revalidates: boolean;
  readonly bucket: OperationBucket;
  readonly bodyBytesMax: number;
  readonly textField: string | null;
  readonly keepsEmpty: readonly string[];
}

/** The answer of `handle`, for code that calls one particular operation. */
export type AnswerOf<One> = One extends Operation<infer Value> ? Value : never;

/** Fields by name, as they arrived. */
export type RawFields = Readonly<Record<string, unknown>>;
