import * as z from 'zod';

import type { RefusedName } from './field-names.ts';
import { parseBooleanish } from './fields.ts';

interface Filter {
  /** The field for this filter, where an operation has it. */
  readonly field: string;
  /** An operation with the field. */
  readonly operation: string;
  /** Other names that callers try. */
  readonly words: readonly string[];
}

/** True leaves bots out. */
const WITHOUT_BOTS = ['exclude_bots', 'humans', 'no_bots', 'humans_only', 'ignore_bots'];
const ONLY_BOTS = 'only_bots';

/**
 * Names that can only mean a filter, or a position in a list: fields and keys of the operations about members, options
 * of our own commands, and common names for them. If one were ignored, the answer would reveal more than was asked.
 */
const FILTERS: readonly Filter[] = [
  { field: 'all', operation: 'role-members', words: ['and', 'all_of'] },
  { field: 'any', operation: 'role-members', words: ['or', 'any_of'] },
  { field: 'none', operation: 'role-members', words: ['none_of', 'without', 'exclude', 'except', 'not'] },
  { field: 'user_id', operation: 'role-members', words: ['user', 'member_id', 'member', 'members'] },
  {
    field: 'sample',
    operation: 'role-members',
    words: ['winners', 'winner', 'winner_count', 'amount', 'number'],
  },
  { field: 'bots', operation: 'role-members', words: [...WITHOUT_BOTS, ONLY_BOTS] },
  {
    field: 'limit',
    operation: 'role-members',
    words: ['per_page', 'page_size', 'max_results', 'size', 'first', 'top'],
  },
  {
    field: 'after',
    operation: 'role-members',
    words: ['next_after', 'cursor', 'last_cursor', 'page', 'offset', 'skip'],
  },
  { field: 'since', operation: 'role-changes', words: ['cursor', 'last_cursor'] },
  { field: 'reader', operation: 'role-changes', words: [] },
  { field: 'permission', operation: 'permission-check', words: [] },
  {
    field: 'channel_id',
    operation: 'permission-check',
    words: ['channel', 'thread_id', 'thread', 'category_id', 'in'],
  },
  { field: 'target_id', operation: 'permission-check', words: ['target', 'target_user_id', 'target_user'] },
  { field: 'target_role_id', operation: 'permission-check', words: ['target_role'] },
  { field: 'guild_id', operation: 'role-members', words: ['server_id', 'server'] },
];

/** This name has other meanings elsewhere. */
const RANDOM = 'random';

/** Refuses filters that an operation about members does not have, and says what to send instead. */
export function refuseFilters(shape: z.core.$ZodLooseShape): ReadonlyMap<string, RefusedName> {
  const refused = new Map<string, RefusedName>();
  const { bots } = shape;
  const defaultBots = (bots === undefined ? undefined : z.safeParse(bots, undefined).data) ?? 'include';
  const refuse = (word: string, { field, operation }: Filter) => {
    const key = field in shape ? 'invalid_field/misspelt' : 'invalid_field/filter_elsewhere';
    const refusal = { key, values: { meant: field, operation } } as const;
    refused.set(word, (value) => (hasNoEffect(word, value, defaultBots) ? null : refusal));
  };
  for (const filter of FILTERS) {
    const isHere = filter.field in shape;
    for (const word of [filter.field, ...filter.words])
      if (isHere || !refused.has(word)) refuse(word, filter);
    if (isHere && filter.field === 'sample') refuse(RANDOM, filter);
  }
  return refused;
}

/** True when the answer is the same without this field. `defaultBots` is what the operation does without `bots`. */
function hasNoEffect(word: string, value: unknown, defaultBots: unknown): boolean {
  const isTrue = parseBooleanish(value);
  if (word === 'bots') {
    const asWord = isTrue === true ? 'include' : 'exclude';
    return (isTrue === undefined ? value : asWord) === defaultBots;
  }
  if (WITHOUT_BOTS.includes(word)) return isTrue === (defaultBots === 'exclude');
  if (word === ONLY_BOTS) return isTrue === false;
  if (word === 'page' || word === 'offset' || word === 'skip')
    return Number(value) === 0 || (word === 'page' && Number(value) === 1);
  return false;
}
