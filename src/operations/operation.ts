import * as z from 'zod';

import type { ImageFetcher } from '../images/image-fetcher.ts';
import type { LargeValue } from '../large-value.ts';
import type { MemberDirectory, TokenDirectory } from '../members/member-directory.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import { problemFromIssues } from './input-problem.ts';

/** What an operation may use beside its input. Everything that reaches outside the process comes in here. */
export interface OperationContext {
  /** Whose shares and bounds apply: the guild of the caller's key, `0` for the local key, a user in a direct message. */
  readonly ownerId: string;
  /** Guild of the caller's key; null for the local key, which belongs to no guild. */
  readonly guildId: string | null;
  /** The caller's own bot token as sent, or null; null as well unless `callerToken`. It must not outlive the call. */
  readonly token: string | null;
  /** Aborts when the caller is gone, or when the answer has left. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly images: ImageFetcher;
  readonly members: MemberDirectory;
  readonly tokenMembers: TokenDirectory;
}

export interface Answer<Value> {
  readonly value: Value;
  /** The work goes on: asking again makes sense after so many whole seconds. */
  readonly pendingSeconds?: number;
  /** Opaque; changes whenever the answer to the same question may. Makes an ETag where the operation `revalidates`. */
  readonly version?: string;
  /** Called once the answer is written or dropped. */
  readonly release?: () => void;
}

type Awaitable<T> = T | Promise<T>;
type Shape = z.core.$ZodLooseShape;

/** The answer of work that goes on: the same request asks again. */
type PendingOutput = z.ZodObject<{ pending: z.ZodLiteral<true>; retry_after: z.ZodNumber }>;
type Output = z.ZodObject | z.ZodDiscriminatedUnion<readonly [z.ZodObject, PendingOutput], 'pending'>;

/** As JSON shows it: what writes itself is a text or a list of ids. */
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
  /** Keys whose values are the moment's, or longer lists that begin as these do. */
  readonly moving?: readonly (keyof Whole<Value> & string)[];
  /** The answer of work that goes on, where there is one. */
  readonly pending?: Readonly<Record<string, unknown>>;
} & ([Pending<Value>] extends [never] ? unknown : { readonly pending: Shown<Pending<Value>> });

/**
 * What bots do with an answer, in the words of each tool (see recipes/): give somebody a time out, make a role, send
 * the chunks, make an emoji, list who holds a role.
 */
export type RecipeUse = 'time_out' | 'make_role' | 'send_chunks' | 'make_emoji' | 'list_members';

/** What a recipe says of an operation. */
export interface RecipeFacts<Field extends string, Key extends string> {
  /**
   * The field that a tool fills, and from what: a command line as somebody wrote it, the text after a command, a text
   * too long for a message (what another request answered), an image, a role, or the user or the server of a message.
   */
  readonly field: Field;
  readonly filledBy: 'line' | 'text' | 'long_text' | 'image' | 'role' | 'user' | 'guild';
  /** Fields that go along where the tool's variable leaves the command out of the line. */
  readonly withoutCommand?: Readonly<Partial<Record<Field, string>>>;
  /** Fields that go along, unless the reader sets them. */
  readonly options?: Readonly<Partial<Record<Field, string>>>;
  /** Keys of the answer are shown as they are. */
  readonly use: RecipeUse | readonly Key[];
}

export interface OperationDefinition<Input extends Shape, Out extends Output> {
  /** Folder, operationId and, where it fits, command. */
  readonly name: string;
  readonly path: `/api/${string}`;
  /** The documented method. A POST operation also answers GET, with its input in the query. */
  readonly method: 'GET' | 'POST';
  /** One line for lists. */
  readonly summary: string;
  /** Markdown for the reference. */
  readonly description: string;
  readonly input: z.ZodObject<Input>;
  /** Without `ok`, which every success begins with. A union says that the work may go on after the answer (202). */
  readonly output: Out;
  readonly example: Example<z.input<z.ZodObject<Input>>, z.input<Out>>;
  /** Codes that only this operation answers. */
  readonly problems: readonly ProblemCode[];
  /** null where there is nothing to fill in. */
  readonly recipe: RecipeFacts<keyof Input & string, keyof Whole<z.input<Out>> & string> | null;
  /** Takes the caller's own bot token, in the header Token. Default false. */
  readonly callerToken?: boolean;
  /** It tells something about the members of a server, which not every key needs to know. Default false. */
  readonly aboutMembers?: boolean;
  /** Its answers have an ETag, and If-None-Match is looked at. Default false. */
  readonly revalidates?: boolean;
  /** Whose requests count together. Default `guild`. */
  readonly bucket?: 'guild' | 'image';
  /** Largest request body. Default 256 KiB. */
  readonly bodyBytesMax?: number;
  /** The field that a text/plain body fills. Default null: such a body is refused. */
  readonly textField?: (keyof Input & string) | null;
  /** Fields whose empty string is a value; elsewhere it counts as absent. Default: the text field. */
  readonly keepsEmpty?: readonly (keyof Input & string)[];
  run(
    input: z.output<z.ZodObject<Input>>,
    context: OperationContext,
  ): Awaitable<Omit<Answer<z.input<Out>>, 'pendingSeconds'>>;
}

/** A root object that begins with `ok`. Values that are large write themselves, see LargeValue. */
export type SuccessBody = { readonly ok: true } & Readonly<Record<string, unknown>>;

export interface OperationExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: SuccessBody;
  /** Of work that goes on; null where there is none. */
  readonly pending: SuccessBody | null;
  readonly moving: readonly string[];
}

/** An operation as the shells see it: all that was left out of the definition is filled in. */
export interface Operation<Value = unknown, Field extends string = string> {
  readonly name: string;
  readonly path: `/api/${string}`;
  readonly method: 'GET' | 'POST';
  readonly summary: string;
  readonly description: string;
  readonly input: z.ZodObject<Readonly<Record<Field, z.ZodType>>>;
  /** With `ok: true` in front: the whole answer. */
  readonly output: z.ZodObject;
  /** The one that says that the work goes on; null where it always ends with the answer. */
  readonly pendingOutput: z.ZodObject | null;
  readonly example: OperationExample;
  readonly problems: readonly ProblemCode[];
  readonly recipe: RecipeFacts<string, string> | null;
  readonly callerToken: boolean;
  readonly aboutMembers: boolean;
  readonly revalidates: boolean;
  readonly bucket: 'guild' | 'image';
  readonly bodyBytesMax: number;
  readonly textField: string | null;
  readonly keepsEmpty: readonly string[];
  /**
   * Parses, runs, checks the result.
   * @param raw fields by name as they came, unknown ones included
   * @param fallback more of them, which count where `raw` has none: the query beside a body
   * @throws Problem
   */
  handle(
    raw: RawFields,
    context: OperationContext,
    fallback?: RawFields,
  ): Promise<Answer<SuccessBody & Value>>;
}

/** What `handle` answers with, for those who call one operation by itself. */
export type AnswerOf<One> = One extends Operation<infer Value> ? Value : never;

type RawFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: RawFields = {};
const BODY_BYTES_MAX = 256 * 1024;

export function defineOperation<Input extends Shape, Out extends Output>(
  definition: OperationDefinition<Input, Out>,
): Operation<z.output<Out>, keyof Input & string> {
  const { input, example, textField = null, callerToken = false, revalidates = false } = definition;
  const keepsEmpty = definition.keepsEmpty ?? (textField === null ? [] : [textField]);
  const fieldNames = Object.keys(input.shape);
  const mayBeEmpty = new Set<string>(keepsEmpty);
  const isGiven = (name: string, value: unknown) =>
    value !== undefined && value !== null && (value !== '' || mayBeEmpty.has(name));
  const [output, pendingOutput] = readOutputs(definition.output);

  return {
    ...definition,
    output,
    pendingOutput,
    example: {
      input: example.input,
      answer: { ok: true, ...example.answer },
      pending: example.pending === undefined ? null : { ok: true, ...example.pending },
      moving: example.moving ?? [],
    },
    callerToken,
    aboutMembers: definition.aboutMembers ?? false,
    revalidates,
    bucket: definition.bucket ?? 'guild',
    bodyBytesMax: definition.bodyBytesMax ?? BODY_BYTES_MAX,
    textField,
    keepsEmpty,
    async handle(raw, context, fallback = NO_FIELDS) {
      const given: Record<string, unknown> = {};
      for (const name of fieldNames) {
        const value = isGiven(name, raw[name]) ? raw[name] : fallback[name];
        if (isGiven(name, value)) given[name] = value;
      }
      const parsed = input.safeParse(given);
      if (!parsed.success) throw problemFromIssues(parsed.error.issues, given);

      const { value, version, release } = await definition.run(parsed.data, context);
      const isPending = pendingOutput !== null && 'pending' in value && value.pending === true;
      const answer = (isPending ? pendingOutput : output).safeParse({ ok: true, ...value });
      if (!answer.success) {
        release?.();
        throw new Problem('internal', { cause: answer.error });
      }
      return {
        value: answer.data as SuccessBody & z.output<Out>,
        ...(isPending ? { pendingSeconds: Number(answer.data['retry_after']) } : {}),
        // Undeclared, it would be an ETag that no document knows.
        ...(revalidates && version !== undefined ? { version } : {}),
        ...(release === undefined ? {} : { release }),
      };
    },
  };
}

type Outputs = readonly [whole: z.ZodObject, pending: z.ZodObject | null];

/** With `ok: true` in front. */
function readOutputs(output: Output): Outputs {
  if (output instanceof z.ZodObject) return [withOk(output), null];
  const [whole, pending] = output.options;
  return [withOk(whole), withOk(pending)];
}

function withOk({ shape }: z.ZodObject): z.ZodObject {
  return z.object({ ok: z.literal(true), ...shape });
}
