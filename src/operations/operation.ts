import * as z from 'zod';

import type { ImageFetcher } from '../images/image-fetcher.ts';
import type { MemberDirectory, TokenDirectory } from '../members/member-directory.ts';
import { Problem } from '../problem.ts';
import { problemFromIssues } from './input-problem.ts';

/** What an operation may use beside its input. Everything that reaches outside the process comes in here. */
export interface OperationContext {
  /** Guild of the caller's key; null for the local key, which belongs to no guild. */
  readonly guildId: string | null;
  /** The caller's own bot token as sent, or null. It must not outlive the call. */
  readonly token: string | null;
  /** Aborts when the caller is gone, or when the answer has left. */
  readonly signal: AbortSignal;
  readonly images: ImageFetcher;
  readonly members: MemberDirectory;
  readonly tokenMembers: TokenDirectory;
}

export interface Answer<Value> {
  readonly value: Value;
  /** The work goes on: asking again makes sense after so many whole seconds. */
  readonly pendingSeconds?: number;
  /** Opaque; changes whenever the answer to the same question may. Makes an ETag. */
  readonly version?: string;
  /** Called once the answer is written or dropped. */
  readonly release?: () => void;
}

type Awaitable<T> = T | Promise<T>;

export interface OperationDefinition<
  Input extends z.core.$ZodLooseShape,
  Output extends z.core.$ZodLooseShape,
> {
  /** Folder, operationId and, where it fits, command. */
  readonly name: string;
  readonly path: `/api/${string}`;
  /** The documented method. A POST operation also answers GET, with its input in the query. */
  readonly method: 'GET' | 'POST';
  /** One line for lists. */
  readonly summary: string;
  /** Markdown for the reference. */
  readonly description: string;
  /** Whose requests count together. */
  readonly bucket: 'guild' | 'image';
  /** Largest request body. */
  readonly bodyBytesMax: number;
  /** The field that a text/plain body fills; null where such a body is refused. */
  readonly textField: (keyof Input & string) | null;
  /** Fields whose empty string is a value; elsewhere it counts as absent. */
  readonly keepsEmpty: readonly (keyof Input & string)[];
  /** It tells something about the members of a server, which not every key needs to know. Default false. */
  readonly aboutMembers?: boolean;
  readonly input: z.ZodObject<Input>;
  /** Without `ok`, which every success begins with. */
  readonly output: z.ZodObject<Output>;
  run(
    input: z.output<z.ZodObject<Input>>,
    context: OperationContext,
  ): Awaitable<Answer<z.input<z.ZodObject<Output>>>>;
}

export interface Operation extends Omit<
  OperationDefinition<z.core.$ZodLooseShape, z.core.$ZodLooseShape>,
  'run' | 'output'
> {
  /** With `ok: true` in front. */
  readonly output: z.ZodObject;
  /**
   * Parses, runs, checks the result.
   * @param raw fields by name as they came, unknown ones included
   * @throws Problem
   */
  handle(raw: Readonly<Record<string, unknown>>, context: OperationContext): Promise<Answer<SuccessBody>>;
}

/** A root object that begins with `ok`. Values that are large write themselves, see LargeValue. */
export type SuccessBody = { readonly ok: true } & Readonly<Record<string, unknown>>;

export function defineOperation<Input extends z.core.$ZodLooseShape, Output extends z.core.$ZodLooseShape>(
  definition: OperationDefinition<Input, Output>,
): Operation {
  const fieldNames = Object.keys(definition.input.shape);
  const keepsEmpty = new Set<string>(definition.keepsEmpty);
  const output = z.object({ ok: z.literal(true), ...definition.output.shape });

  return {
    ...definition,
    output,
    async handle(raw, context) {
      const given: Record<string, unknown> = {};
      for (const name of fieldNames) {
        const value = raw[name];
        if (value === undefined || value === null || (value === '' && !keepsEmpty.has(name))) continue;
        given[name] = value;
      }
      const input = definition.input.safeParse(given);
      if (!input.success) throw problemFromIssues(input.error.issues, given);

      const answer = await definition.run(input.data, context);
      const value = output.safeParse({ ok: true, ...answer.value });
      if (!value.success) {
        answer.release?.();
        throw new Problem('internal', { cause: value.error });
      }
      return { ...answer, value: value.data as SuccessBody };
    },
  };
}
