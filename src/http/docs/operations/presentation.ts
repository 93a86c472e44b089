import type { RawFields } from '../../../operations/field-names.ts';
import type { AnswerOf, FieldOf, KeyOf, Operation } from '../../../operations/operation.ts';

/**
 * A heading in lists of operations. The headings appear in the order in which `operations/index.ts` first uses them.
 */
type Group = 'Commands' | 'Permissions' | 'Texts' | 'Images' | 'Members';

/** A key of an answer. In a pair, the first key holds how it was typed, the second its value. */
type ShownPart<Key extends string> = Key | readonly [typed: Key, key: Key];

/** Facts about an operation that only the pages need. */
export interface Presentation<Field extends string = string, Key extends string = string> {
  readonly group: Group;
  /** Its input and its answer in two or three words each, for lists. */
  readonly inOut: readonly [into: string, out: string];
  /** The parts of an answer that a reader looks at first, at most six. */
  readonly shown: readonly ShownPart<Key>[];
  /** Other words that people search for when they mean a field or a key. Default: none. */
  readonly words?: Readonly<Partial<Record<Field | Key, string>>>;
  /** Words for what people do with it, for the search. Default: none. */
  readonly uses?: string;
  /** Two fields that share one box: the message for Discord, and Discord's answer. Default: each has its own. */
  readonly sharedBox?: {
    readonly fields: readonly [sent: Field, answered: Field];
    readonly label: string;
    /** Markdown. */
    readonly hint: string;
  };
  /** The lists in the answer about something that was pasted. Default: none. */
  readonly findings?: {
    /** Keys of lists whose entries have a `path` and a `text`, with the heading of each. */
    readonly lists: Readonly<Partial<Record<Key, string>>>;
    /** The key of the repaired message, or null. */
    readonly repaired: Key;
  };
  /** Inputs that the start page shows with their answers, by the purpose of each. Default: none. */
  readonly showcase?: Readonly<Record<string, RawFields>>;
}

/** Pairs an operation's name with its presentation, whose fields and keys the operation has. */
export function present<One extends Operation>(
  { name }: One,
  presentation: Presentation<FieldOf<One>, KeyOf<AnswerOf<One>>>,
): readonly [name: string, presentation: Presentation] {
  return [name, presentation];
}
