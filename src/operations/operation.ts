import * as z from 'zod';

import type { Deliveries } from '../deliveries/deliveries.ts';
import type { ImageFetcher } from '../images/image-fetcher.ts';
import type { LargeValue } from '../large-value.ts';
import type { MemberDirectory, TokenDirectory } from '../members/member-directory.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import { problemFromIssues } from './input-problem.ts';

/** What an operation may use beside its input. Everything that reaches outside the process comes in here. */
export interface OperationContext {
  /**
   * Whose share of the limits is used up: the guild of the caller's key, `0` for the local key, or a user in a direct
   * message.
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
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly deliveries: Deliveries;
  readonly images: ImageFetcher;
  readonly members: MemberDirectory;
  readonly tokenMembers: TokenDirectory;
}

export interface Answer<Value> {
  readonly value: Value;
  /** The work goes on. It makes sense to ask again after this number of whole seconds. */
  readonly pendingSeconds?: number | undefined;
  /** Opaque; changes whenever the answer to the same question may change. The ETag of operations that `revalidate`. */
  readonly version?: string | undefined;
  /** Called once the answer is written or dropped. */
  readonly release?: (() => void) | undefined;
}

/** A header with a secret of Discord's: a bot token, or the address of a webhook. */
export type SecretHeader = 'Token' | 'Webhook';

/** Requests of a server that count together. */
export type OperationBucket = 'guild' | 'image' | 'send';

type Awaitable<T> = T | Promise<T>;
type Shape = z.core.$ZodLooseShape;

/** The answer while the work goes on. Sending the same request again asks for the result. */
type PendingOutput = z.ZodObject<{ pending: z.ZodLiteral<true>; retry_after: z.ZodNumber }>;
type Output = z.ZodObject | z.ZodDiscriminatedUnion<readonly [z.ZodObject, PendingOutput], 'pending'>;

/** The answer as JSON shows it: a value that writes itself is a text or a list of ids. */
type Shown<Value> = {
  readonly [Key in keyof Value]: LargeValue extends Value[Key]
    ? string | readonly string[] | null
    : Value[Key];
};
type Whole<Value> = Exclude<Value, { readonly pending: true }>;
type Pending<Value> = Extract<Value, { readonly pending: true }>;

/** One request and what it answers. Documents show it, and tests send it in all documented ways. */
type Example<Input, Value> = {
  readonly input: Input;
  /** Without `ok`. */
  readonly answer: Shown<Whole<Value>>;
  /** Keys whose values depend on the moment, and lists that are longer in a real answer. */
  readonly moving?: readonly (keyof Whole<Value> & string)[];
  /** The answer while the work goes on, for operations that have one. */
  readonly pending?: Readonly<Record<string, unknown>>;
} & ([Pending<Value>] extends [never] ? unknown : { readonly pending: Shown<Pending<Value>> });

/**
 * What bots do with an answer, in the words of each tool (see recipes/): give somebody a time out, make a role, send
 * the chunks, make an emoji, list who holds a role, say how far a text has been posted.
 */
export type RecipeUse =
  | 'time_out'
  | 'make_role'
  | 'send_chunks'
  | 'make_emoji'
  | 'list_members'
  | 'post_text';

/** The permission that a command asks for; null when everybody may use it. Named as in discord-api-types. */
export type RecipePermission =
  | 'ManageGuildExpressions'
  | 'ManageMessages'
  | 'ManageRoles'
  | 'ModerateMembers';

/** What a recipe says of an operation. */
export interface RecipeFacts<Field extends string, Key extends string> {
  /** The command that the recipe is, without a prefix, and who may use it. */
  readonly command: string;
  readonly permission: RecipePermission | null;
  /**
   * The field that a tool fills, and from what: a command line as somebody wrote it, the text after a command, a text
   * too long for a message (what another request answered), an image, a role, or the user or the server of a message.
   */
  readonly field: Field;
  readonly filledBy: 'line' | 'text' | 'long_text' | 'image' | 'role' | 'user' | 'guild';
  /** Fields to send along when the tool's variable leaves the command out of the line. */
  readonly withoutCommand?: Readonly<Partial<Record<Field, string>>>;
  /** Fields to send along, unless the reader sets them. */
  readonly options?: Readonly<Partial<Record<Field, string>>>;
  /** A list of keys: their values are shown as they are. */
  readonly use: RecipeUse | readonly Key[];
}

/** What `run` resolves with. */
type Result<Out extends Output> = Awaitable<Omit<Answer<z.input<Out>>, 'pendingSeconds'>>;

export interface OperationDefinition<Input extends Shape, Out extends Output, LookInput extends Shape> {
  /** Also its folder, its operationId and, where that fits, its command. */
  readonly name: string;
  readonly path: `/api/${string}`;
  /** The documented method. A POST operation also answers GET, with its input in the query, unless it has a `look`. */
  readonly method: 'GET' | 'POST';
  /** One line for lists. */
  readonly summary: string;
  /** Markdown for the reference. */
  readonly description: string;
  readonly input: z.ZodObject<Input>;
  /** Without `ok`, the first key of every success. A union means that the work may go on after the answer (202). */
  readonly output: Out;
  readonly example: Example<z.input<z.ZodObject<Input>>, z.input<Out>>;
  /** Codes that only this operation answers. */
  readonly problems: readonly ProblemCode[];
  /** null when there is nothing to fill in. */
  readonly recipe: RecipeFacts<keyof Input & string, keyof Whole<z.input<Out>> & string> | null;
  /** The header with the caller's own secret. Default null: it takes none. */
  readonly secretHeader?: SecretHeader | null;
  /** The header `Idempotency-Key` makes it safe to send a request again. Default false. */
  readonly takesIdempotencyKey?: boolean;
  /** Fields that a caller may expect here and that are refused, each with what to do instead. Default: none. */
  readonly refusedFields?: Readonly<Record<string, string>>;
  /** Default true: it answers a question and changes nothing. */
  readonly readOnly?: boolean;
  /** Why no command in Discord uses it. Default null: one does. */
  readonly command?: { readonly none: string } | null;
  /** It reveals something about the members of a server, which not every key needs to know. Default false. */
  readonly aboutMembers?: boolean;
  /** Its answers have an ETag, and `If-None-Match` works. Default false. */
  readonly revalidates?: boolean;
  /** The bucket in which its requests count. Default `guild`. */
  readonly bucket?: OperationBucket;
  /** Largest request body. Default 256 KiB. */
  readonly bodyBytesMax?: number;
  /** The field that a text/plain body fills. Default null: such a body is refused. */
  readonly textField?: (keyof Input & string) | null;
  /** Fields whose empty string is a value; elsewhere it counts as absent. Default: the text field. */
  readonly keepsEmpty?: readonly (keyof Input & string)[];
  /**
   * What GET does, where it must not do what POST does: it says how earlier work is getting on. It counts in the bucket
   * `guild`.
   */
  readonly look?: {
    /** Markdown for the reference. */
    readonly description: string;
    readonly input: z.ZodObject<LookInput>;
    run(input: z.output<z.ZodObject<LookInput>>, context: OperationContext): Result<Out>;
  };
  run(input: z.output<z.ZodObject<Input>>, context: OperationContext): Result<Out>;
}

/** An object whose first key is `ok`. Large values write themselves, see LargeValue. */
export type SuccessBody = { readonly ok: true } & Readonly<Record<string, unknown>>;

export interface OperationExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: SuccessBody;
  /** Set while the work goes on, else null. */
  readonly pending: SuccessBody | null;
  readonly moving: readonly string[];
}

/** Something that takes fields and answers. */
interface Handler<Value> {
  readonly input: z.ZodObject;
  /**
   * Parses, runs, checks the result.
   * @param raw fields by name as they arrived, including unknown ones
   * @param fallback fields for which `raw` has no value: the query beside a body
   * @throws Problem
   */
  handle(
    raw: RawFields,
    context: OperationContext,
    fallback?: RawFields,
  ): Promise<Answer<SuccessBody & Value>>;
}

/** An operation as the shells see it, with all defaults filled in. */
export interface Operation<Value = unknown, Field extends string = string> extends Handler<Value> {
  readonly name: string;
  readonly path: `/api/${string}`;
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  readonly description: string;
  readonly input: z.ZodObject<Readonly<Record<Field, z.ZodType>>>;
  /** With `ok: true` in front: the whole answer. */
  readonly output: z.ZodObject;
  /** The answer that says that the work goes on; null when the work always ends with the answer. */
  readonly pendingOutput: z.ZodObject | null;
  readonly example: OperationExample;
  readonly problems: readonly ProblemCode[];
  readonly recipe: RecipeFacts<string, string> | null;
  readonly secretHeader: SecretHeader | null;
  readonly takesIdempotencyKey: boolean;
  readonly readOnly: boolean;
  readonly command: { readonly none: string } | null;
  readonly aboutMembers: boolean;
  readonly revalidates: boolean;
  readonly bucket: OperationBucket;
  readonly bodyBytesMax: number;
  readonly textField: string | null;
  readonly keepsEmpty: readonly string[];
  /** What GET does instead; null where it does the same. */
  readonly look: (Handler<Value> & { readonly description: string }) | null;
}

/** The answer of `handle`, for code that calls one particular operation. */
export type AnswerOf<One> = One extends Operation<infer Value> ? Value : never;

type RawFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: RawFields = {};
const BODY_BYTES_MAX = 256 * 1024;
const OK = z.literal(true);

export function defineOperation<
  Input extends Shape,
  Out extends Output,
  LookInput extends Shape = Record<string, never>,
>(definition: OperationDefinition<Input, Out, LookInput>): Operation<z.output<Out>, keyof Input & string> {
  const { example, look, textField = null, revalidates = false } = definition;
  const keepsEmpty = definition.keepsEmpty ?? (textField === null ? [] : [textField]);
  const refused = Object.entries(definition.refusedFields ?? {});
  const [whole, pending] = readOutputs(definition.output);
  // Checking puts `ok` in front, which saves a copy of the answer.
  const checked = withOk(whole, OK.default(true));
  const checkedPending = pending === null ? null : withOk(pending, OK.default(true));

  function handlerOf<Fields extends Shape>(
    input: z.ZodObject<Fields>,
    run: (input: z.output<z.ZodObject<Fields>>, context: OperationContext) => Result<Out>,
  ): Handler<z.output<Out>>['handle'] {
    const fieldNames = Object.keys(input.shape);
    const mayBeEmpty = new Set<string>(keepsEmpty);
    const isGiven = (name: string, value: unknown) =>
      value !== undefined && value !== null && (value !== '' || mayBeEmpty.has(name));
    return async (raw, context, fallback = NO_FIELDS) => {
      for (const [field, hint] of refused) {
        if (isGiven(field, raw[field] ?? fallback[field])) {
          throw new Problem('invalid_field', {
            field,
            error: `The field ${field} does not work here.`,
            hint,
          });
        }
      }
      const given: Record<string, unknown> = {};
      for (const name of fieldNames) {
        const value = isGiven(name, raw[name]) ? raw[name] : fallback[name];
        if (isGiven(name, value)) given[name] = value;
      }
      const parsed = input.safeParse(given);
      if (!parsed.success) throw problemFromIssues(parsed.error.issues, given);

      const { value, version, release } = await run(parsed.data, context);
      const isPending = checkedPending !== null && 'pending' in value && value.pending === true;
      const answer = (isPending ? checkedPending : checked).safeParse(value);
      if (!answer.success) {
        release?.();
        throw new Problem('internal', { cause: answer.error });
      }
      return {
        value: answer.data as SuccessBody & z.output<Out>,
        pendingSeconds: isPending ? Number(answer.data['retry_after']) : undefined,
        // Without the declaration, no document would know of this ETag.
        version: revalidates ? version : undefined,
        release,
      };
    };
  }

  return {
    ...definition,
    output: withOk(whole, OK),
    pendingOutput: pending === null ? null : withOk(pending, OK),
    example: {
      input: example.input,
      answer: { ok: true, ...example.answer },
      pending: example.pending === undefined ? null : { ok: true, ...example.pending },
      moving: example.moving ?? [],
    },
    secretHeader: definition.secretHeader ?? null,
    takesIdempotencyKey: definition.takesIdempotencyKey ?? false,
    readOnly: definition.readOnly ?? true,
    command: definition.command ?? null,
    aboutMembers: definition.aboutMembers ?? false,
    revalidates,
    bucket: definition.bucket ?? 'guild',
    bodyBytesMax: definition.bodyBytesMax ?? BODY_BYTES_MAX,
    textField,
    keepsEmpty,
    look:
      look === undefined
        ? null
        : lookHandler(
            look.description,
            look.input,
            handlerOf(look.input, (input, context) => look.run(input, context)),
          ),
    handle: handlerOf(definition.input, (input, context) => definition.run(input, context)),
  };
}

function isMissing(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'missing_field';
}

function lookHandler<Value>(
  description: string,
  input: z.ZodObject,
  handle: Handler<Value>['handle'],
): NonNullable<Operation<Value>['look']> {
  return {
    description,
    input,
    handle: (...given) =>
      handle(...given).catch((error: unknown) => {
        throw isMissing(error) ? wantsPost(error) : error;
      }),
  };
}

/** Many tools send GET unless they are told otherwise. */
function wantsPost({ message, field }: Problem): Problem {
  return new Problem('missing_field', {
    error: message,
    ...(field === null ? {} : { field }),
    hint: 'GET only says how earlier work is getting on. To begin something, use POST.',
  });
}

type Outputs = readonly [whole: z.ZodObject, pending: z.ZodObject | null];

function readOutputs(output: Output): Outputs {
  return output instanceof z.ZodObject ? [output, null] : output.options;
}

function withOk({ shape }: z.ZodObject, ok: z.ZodType): z.ZodObject {
  return z.object({ ok, ...shape });
}
