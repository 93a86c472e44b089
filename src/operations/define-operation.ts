import * as z from 'zod';

import type { LargeValue } from '../kernel/large-value.ts';
import { Problem, type ProblemCode, type ProblemKey } from '../kernel/problem.ts';
import { FieldNames } from './field-names.ts';
import { refuseFilters } from './filter-names.ts';
import { problemFromIssues } from './input-problem.ts';
import { refuseNames } from './refused-names.ts';
import type {
  Answer,
  Handler,
  Operation,
  OperationBucket,
  OperationContext,
  OperationGroup,
  RawFields,
  SecretHeader,
  ShownPart,
  SuccessBody,
} from './operation.ts';

type Awaitable<T> = T | Promise<T>;
type Shape = z.core.$ZodLooseShape;

/** The answer as it looks in JSON: a large value is a text or a list of ids. */
type Shown<Value> = {
  readonly [Key in keyof Value]: LargeValue extends Value[Key]
    ? string | readonly string[] | null
    : Value[Key];
};

/** One request and its answer. Documents show it, and tests send it in all documented ways. */
type Example<Input, Value> = {
  readonly input: Input;
  /** Without `ok`. */
  readonly answer: Shown<Value>;
  /** Keys whose values depend on the moment, and lists that are longer in a real answer. */
  readonly moving?: readonly (keyof Value & string)[];
};

type Result<Out extends z.ZodObject> = Awaitable<Answer<z.input<Out>>>;

export interface OperationDefinition<Input extends Shape, Out extends z.ZodObject> {
  /** Also the name of its folder, its operationId and, where that fits, its command. */
  readonly name: string;
  readonly path: `/api/${string}`;
  /** The documented method. A POST operation that is `readOnly` also answers GET, with its input in the query. */
  readonly method: 'GET' | 'POST';
  /**
   * One line for lists: in OpenAPI, on the pages, for language models, in the tables of the documents, and in English in
   * `/settings help`. It says what the operation does, as in `Lists all roles`, without a full stop.
   */
  readonly summary: string;
  /** Markdown for its page. */
  readonly description: string;
  readonly group: OperationGroup;
  /** What goes in and what comes out, in two or three words each, for lists. */
  readonly inOut: readonly [into: string, out: string];
  /**
   * The parts of an answer that a reader looks at first, at most six. A pair has the key that shows how it was typed,
   * and the key with its value.
   */
  readonly shown: readonly ShownPart<keyof z.input<Out> & string>[];
  /** Other words that people search for when they mean a field or a key. Default: none. */
  readonly words?: Readonly<Partial<Record<(keyof Input | keyof z.input<Out>) & string, string>>>;
  /** Inputs that the start page shows with their answers, by the purpose of each. Default: none. */
  readonly showcase?: Readonly<Record<string, z.input<z.ZodObject<Input>>>>;
  readonly input: z.ZodObject<Input>;
  /** Without `ok`, the first key of every success. */
  readonly output: Out;
  readonly example: Example<z.input<z.ZodObject<Input>>, z.input<Out>>;
  /** Problem codes that only this operation answers with. */
  readonly problems: readonly ProblemCode[];
  /** The header with the caller's own secret. Default null: it takes none. */
  readonly secretHeader?: SecretHeader | null;
  /** True if the header `Idempotency-Key` makes it safe to send a request again. Default false. */
  readonly takesIdempotencyKey?: boolean;
  /**
   * Fields that a caller may expect here but that are refused, however they are spelt, each with its sentence. Default:
   * none. The secret of `secretHeader` is always one of them.
   */
  readonly refusedFields?: Readonly<Record<string, ProblemKey>>;
  /**
   * Fields of another operation that callers mix up with this one's. If one was sent and a field is missing, this is
   * the sentence. Default: none.
   */
  readonly foreignFields?: Readonly<Record<string, ProblemKey>>;
  /** Default true: it answers a question and changes nothing. */
  readonly readOnly?: boolean;
  /** The reason why no command in Discord uses it. Default null: one does. */
  readonly command?: { readonly none: string } | null;
  /** Fields that its tool for language models lacks, each with the sentence that refuses it. Default: none. */
  readonly refusedByTools?: Readonly<Record<string, ProblemKey>>;
  /** True if it reveals something about the members of a server, which not every key needs to know. Default false. */
  readonly aboutMembers?: boolean;
  /** Its answers have an ETag, and `If-None-Match` works. Default false. */
  readonly revalidates?: boolean;
  /** Its requests count in this bucket. Default `guild`. */
  readonly bucket?: OperationBucket;
  /** Largest request body. Default 256 KiB. */
  readonly bodyBytesMax?: number;
  /** The field that a text/plain body fills. Default null: such a body is refused. */
  readonly textField?: (keyof Input & string) | null;
  /** Fields whose empty string is a value; elsewhere it counts as absent. Default: the text field. */
  readonly keepsEmpty?: readonly (keyof Input & string)[];
  run(input: z.output<z.ZodObject<Input>>, context: OperationContext): Result<Out>;
}

const NO_FIELDS: RawFields = {};
const BODY_BYTES_MAX = 256 * 1024;
const OK = z.literal(true);

export function defineOperation<Input extends Shape, Out extends z.ZodObject>(
  definition: OperationDefinition<Input, Out>,
): Operation<z.output<Out>, keyof Input & string> {
  const { example, input, textField = null, revalidates = false, aboutMembers = false } = definition;
  const keepsEmpty = definition.keepsEmpty ?? (textField === null ? [] : [textField]);
  const refused = refuseNames(definition.refusedFields ?? {}, definition.secretHeader ?? null);
  const foreignKeys = new Map(Object.entries(definition.foreignFields ?? {}));
  const foreign = new FieldNames({ fields: [...foreignKeys.keys()] });
  // The check itself puts `ok` in front, which saves copying the answer.
  const checked = withOk(definition.output, OK.default(true));

  const names = new FieldNames({
    fields: Object.keys(input.shape),
    keepsEmpty,
    refused: aboutMembers ? new Map([...refuseFilters(input.shape), ...refused]) : refused,
    refusedByTools: definition.refusedByTools ?? {},
    refusesMisspelt: aboutMembers,
  });
  const handle: Handler<z.output<Out>>['handle'] = async (
    raw,
    context,
    fallback = NO_FIELDS,
    isOfTool = false,
  ) => {
    const given = names.read(raw, fallback, isOfTool);
    const parsed = input.safeParse(given);
    if (!parsed.success) {
      const [sent = ''] = Object.keys(foreign.read(raw, fallback));
      throw problemFromIssues(parsed.error.issues, given, foreignKeys.get(sent));
    }

    const { value, version, release, sent } = await definition.run(parsed.data, context);
    const answer = checked.safeParse(value);
    if (!answer.success) {
      release?.();
      throw new Problem('internal', { cause: answer.error });
    }
    return {
      value: answer.data as SuccessBody & z.output<Out>,
      // Only declared operations send an ETag, because documents describe only those.
      version: revalidates ? version : undefined,
      release,
      sent,
    };
  };

  return {
    ...definition,
    output: withOk(definition.output, OK),
    example: {
      input: example.input,
      answer: { ok: true, ...example.answer },
      moving: example.moving ?? [],
    },
    words: definition.words ?? {},
    showcase: definition.showcase ?? {},
    secretHeader: definition.secretHeader ?? null,
    takesIdempotencyKey: definition.takesIdempotencyKey ?? false,
    readOnly: definition.readOnly ?? true,
    command: definition.command ?? null,
    refusedByTools: definition.refusedByTools ?? {},
    aboutMembers,
    revalidates,
    bucket: definition.bucket ?? 'guild',
    bodyBytesMax: definition.bodyBytesMax ?? BODY_BYTES_MAX,
    textField,
    keepsEmpty,
    handle,
  };
}

function withOk({ shape }: z.ZodObject, ok: z.ZodType): z.ZodObject {
  return z.object({ ok, ...shape });
}
