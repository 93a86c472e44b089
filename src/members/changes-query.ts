import * as z from 'zod';

import { offsetSchema, readerSchema, type ChangeOffset } from './changes/reader.ts';
import { IdList } from './index/id-list.ts';
import { defineQuery } from './member-directory.ts';
import { answerQuestion, membersQuestion } from './members-query.ts';
import { nonNegativeInt } from '../kernel/schemas.ts';

const changesQuestionSchema = z
  .object({
    ...readerSchema.unwrap().shape,
    /** The reader whose offset counts, or null. */
    reader: readerSchema.unwrap().shape.reader.nullable(),
    /**
     * Asks for changes since this offset. Without it and without a reader, the answer only has the current offset.
     */
    since: offsetSchema.nullable(),
  })
  .readonly();

/** Asks which members got or lost a role. It is plain data, which travels between processes unchanged. */
export type ChangesQuestion = z.output<typeof changesQuestionSchema>;

/** Members that got or lost a role since an offset in its change log. */
export interface RoleChanges {
  /** Ascending. The list at that offset, with `added` and without `removed`, is the list now. */
  readonly added: IdList;
  readonly removed: IdList;
  /** Length of the list now. */
  readonly count: number;
  /** Unix seconds of the last change of the list. */
  readonly asOf: number;
  /** The end of the change log now. */
  readonly offset: ChangeOffset;
  /** True when the changes since that offset are unknown. Both lists are empty then. */
  readonly isReset: boolean;
}

const changesSummary = z.object({
  /** How many of the ids, from the first on, are of `added`. All others are of `removed`. */
  added: nonNegativeInt,
  count: nonNegativeInt,
  asOf: nonNegativeInt,
  /** The `offset`. Its name here never changes, because processes of several versions read it. */
  place: offsetSchema,
  isReset: z.boolean(),
});

export const changesQuery = defineQuery<ChangesQuestion, RoleChanges>({
  name: 'changes',
  question: changesQuestionSchema,
  answer({ index, changeLogs }, question) {
    const { guildId, roleId, bots } = question;
    const list = answerQuestion(index, membersQuestion({ guildId, all: [roleId], bots, countOnly: true }));
    const { difference, offset, isReset } = changeLogs.answer(index, question);
    return {
      added: new IdList(difference.added),
      removed: new IdList(difference.removed),
      count: list.count,
      asOf: list.asOf,
      offset,
      isReset,
    };
  },
  askDiscord: null,
  write: ({ added, removed, offset, ...summary }) => ({
    summary: { ...summary, place: offset, added: added.length },
    ids: new IdList(() => joinIds(added, removed), added.length + removed.length),
  }),
  read({ summary: given, ids }) {
    const parsed = changesSummary.safeParse(given).data;
    if (parsed === undefined || parsed.added > ids.length) return undefined;
    const { added, place, ...summary } = parsed;
    return {
      ...summary,
      offset: place,
      added: new IdList(ids.subarray(0, added)),
      removed: new IdList(ids.subarray(added)),
    };
  },
});

function joinIds(added: IdList, removed: IdList): BigUint64Array {
  const ids = new BigUint64Array(added.length + removed.length);
  ids.set(added.toBigUint64Array());
  ids.set(removed.toBigUint64Array(), added.length);
  return ids;
}
