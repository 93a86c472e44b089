import type * as z from 'zod';

import type { Deliveries } from '../deliveries/deliveries.ts';
import type { ImageFetcher } from '../images/image-fetcher.ts';
import type { MemberDirectory, RestMemberDirectory } from '../members/member-directory.ts';
import type { StreamedValue } from '../kernel/streamed-value.ts';
import type { ProblemCode, ProblemTextKey } from '../kernel/problem.ts';
import type { FieldNames, RawFields, RefusedName } from './field-names.ts';

/** Services outside the core that operations use. */
export interface OperationServices {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly deliveries: Deliveries;
  readonly images: ImageFetcher;
  /** From the gateway. */
  readonly members: MemberDirectory;
  /** From Discord's REST API, with the bot token of a caller. */
  readonly restMembers: RestMemberDirectory;
}

/** All that an operation may use besides its input. */
export interface OperationContext extends OperationServices {
  /**
   * The request counts against this tenant's limits: the guild of the caller's key, `0` for a key of no server, or a user
   * in a direct message.
   */
  readonly tenantId: string;
  /** Guild of the caller's key; null for a key of no server. */
  readonly guildId: string | null;
  /** The caller's secret as it was sent, see `secretHeader`, or null. Drop it after the call. */
  readonly secret: string | null;
  /** The caller's `Idempotency-Key`, see `takesIdempotencyKey`, or null. */
  readonly idempotencyKey: string | null;
  /** Aborts when the caller leaves, or once the answer has been sent. */
  readonly signal: AbortSignal;
}

/** A fact beside the answer, such as that this server requires two-factor authentication for moderation. */
export type AnswerNote = 'two_factor';

export interface Answer<Value> {
  readonly value: Value;
  /**
   * Commands add a text of their own for each, in the user's language: `why.two_factor`. Callers of the API read them in
   * `because.text`.
   */
  readonly notes?: readonly AnswerNote[] | undefined;
  /**
   * Opaque. It changes whenever the answer to the same question may change. It is the ETag of operations that
   * `revalidate`.
   */
  readonly version?: string | undefined;
  /** Called when the caller has received the whole answer. Not every interface can know that. */
  readonly onSent?: (() => void) | undefined;
  /** Called once the answer is written or dropped. */
  readonly release?: (() => void) | undefined;
}

/** A header with a secret of Discord's: a bot token, or the URL of a webhook. */
export type SecretHeader = 'Token' | 'Webhook';

/** Requests of a server that share a limit. */
export type OperationBucket = 'guild' | 'image' | 'send';

/** An object whose first key is `ok`. It may have streamed values, see StreamedValue. */
export type SuccessBody = { readonly ok: true } & Readonly<Record<string, unknown>>;

export type Shape = z.core.$ZodLooseShape;

/** The answer in JSON, where a streamed value is a string or a list of ids. */
type Shown<Value> = {
  readonly [Key in keyof Value]: StreamedValue extends Value[Key]
    ? string | readonly string[] | null
    : Value[Key];
};

/** One request and its answer. The documents show it, and tests send it in all documented ways. */
type Example<Input, Value> = {
  readonly input: Input;
  /** Without `ok`. */
  readonly answer: Shown<Value>;
  /** Keys whose values vary from call to call, and lists that are longer in a real answer. */
  readonly volatileKeys?: readonly (keyof Value & string)[];
};

export interface OperationDefinition<Input extends Shape, Out extends z.ZodObject> {
  /** Also the name of its folder, its operationId and, where that fits, its command. */
  readonly name: string;
  readonly path: `/api/${string}`;
  /**
   * The documented method: POST if it takes text that may be long, secret or of several lines, else GET. A POST
   * operation that is `readOnly` also answers GET, with its input in the query.
   */
  readonly method: 'GET' | 'POST';
  /**
   * One line for lists: in OpenAPI, on the pages, for language models, in the tables of the documents, and in English
   * in `/settings help`. It says what the operation does, without a full stop, as in `Lists all roles`.
   */
  readonly summary: string;
  /** Markdown for its page. */
  readonly description: string;
  readonly input: z.ZodObject<Input>;
  /** Without `ok`, the first key of every success. */
  readonly output: Out;
  readonly example: Example<z.input<z.ZodObject<Input>>, z.input<Out>>;
  /** Problem codes that only this operation answers with. */
  readonly problems: readonly ProblemCode[];
  /** The header with the caller's own secret, or null, the default. */
  readonly secretHeader?: SecretHeader | null;
  /** True if the header `Idempotency-Key` makes it safe to send a request again. Default false. */
  readonly takesIdempotencyKey?: boolean;
  /**
   * Fields that a caller may expect here but that are refused in every spelling, each with its sentence. Default: none.
   * The secret of `secretHeader` is always one of them.
   */
  readonly refusedFields?: Readonly<Record<string, ProblemTextKey>>;
  /**
   * Fields of another operation that callers mix up with this one's. If one was sent and a field is missing, the
   * problem has this sentence. Default: none.
   */
  readonly mistakenFields?: Readonly<Record<string, ProblemTextKey>>;
  /** True if it only answers a question. Default true. */
  readonly readOnly?: boolean;
  /** The reason why it has no command in Discord. Default null: it has one. */
  readonly noCommandReason?: string | null;
  /** Sentences only for language models, after the first paragraph of `description`. Default none. */
  readonly forTools?: string;
  /** Fields that its tool for language models lacks, each with the sentence that refuses it. Default: none. */
  readonly refusedByMcp?: Readonly<Record<string, ProblemTextKey>>;
  /**
   * Fields that its tool for language models fills in where the model has left them out, because a model has to read
   * the whole answer. Their descriptions say so. Default: none.
   */
  readonly mcpDefaults?: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** True if it reveals facts about the members of a server, so that a key may leave it out. Default false. */
  readonly aboutMembers?: boolean;
  /**
   * Finds the names of filters that the operation does not have, from its own fields. For operations that would reveal
   * more than was asked if they ignored a filter. Misspelt names and ids under unknown names are then refused too.
   * Default null: unknown names are ignored.
   */
  readonly refuseFilters?: ((fields: Shape) => ReadonlyMap<string, RefusedName>) | null;
  /** True if its answers have an ETag, and `If-None-Match` works. Default false. */
  readonly revalidates?: boolean;
  /** Its requests count in this bucket. Default `guild`. */
  readonly bucket?: OperationBucket;
  /** Largest request body. Default 256 KiB. */
  readonly bodyBytesMax?: number;
  /** The field that a text/plain body fills. Default null: such a body is refused. */
  readonly textField?: (keyof Input & string) | null;
  /** Fields in which an empty string is a value. Elsewhere it counts as absent. Default: the text field. */
  readonly keepsEmpty?: readonly (keyof Input & string)[];
  /**
   * Reads a body that does not consist of our fields, such as one that was meant for Discord. Default null: names are
   * fields.
   * @param isField true for the name of a field, in any spelling
   */
  readonly readWholeBody?: ((body: RawFields, isField: (name: string) => boolean) => RawFields) | null;
  run(
    input: z.output<z.ZodObject<Input>>,
    context: OperationContext,
  ): Answer<z.input<Out>> | Promise<Answer<z.input<Out>>>;
}

/** A definition with all defaults filled in. It checks its input and its answer. */
export interface Operation<Value = unknown, Field extends string = string> extends Required<
  Omit<OperationDefinition<Readonly<Record<Field, z.ZodType>>, z.ZodObject>, 'run' | 'example'>
> {
  /** The same with `ok: true` in front of the answer. */
  readonly example: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly answer: SuccessBody;
    readonly volatileKeys: readonly string[];
  };
  /** All names that callers may use, in every spelling. */
  readonly names: FieldNames;
  /**
   * Parses the fields, runs the operation, and checks the result.
   * @param raw fields by name as they arrived, including unknown ones
   * @param isMcpCall the fields are arguments of a tool, so unknown names are refused, because a model invents some
   * @throws Problem
   */
  answer(
    raw: RawFields,
    context: OperationContext,
    isMcpCall?: boolean,
  ): Promise<Answer<SuccessBody & Value>>;
  /**
   * The same for fields that `names` has read.
   * @param given options of HTTP or Discord among them are ignored
   * @throws Problem
   */
  answerFields(
    given: Readonly<Record<string, unknown>>,
    context: OperationContext,
  ): Promise<Answer<SuccessBody & Value>>;
}

/** The value of `answer`, for code that calls one particular operation. */
export type AnswerOf<One> = One extends Operation<infer Value> ? Value : never;

/** The names of an operation's fields. */
export type FieldOf<One> = One extends Operation<unknown, infer Field> ? Field : never;

/** The names of the keys in any form of an answer. */
export type KeyOf<Value> = Value extends unknown ? keyof Value & string : never;
