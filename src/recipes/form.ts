import { TIMEOUT_SECONDS_MAX, SENTENCES, type CommandPrefix } from './sentences.ts';
import { chooseByUse, type Pair, type RecipeParts } from './recipe.ts';
import { TOKEN_PLACEHOLDER, WEBHOOK_PLACEHOLDER } from './request-fields.ts';
import type { Replies, ShowKey } from './seen-in-discord.ts';
import type { Check, Condition, FormField } from './steps.ts';

// The values for the fields of visual builders, in each builder's own words.

/** Entries of a list that the builder calls `label`. */
export function listOf(label: string, pairs: readonly Pair[]): FormField[] {
  return pairs.map(([name, value]) => [label, name, value]);
}

const SECRETS = { Token: TOKEN_PLACEHOLDER, Webhook: WEBHOOK_PLACEHOLDER } as const;

/** @param own the builder's own places for the secrets */
export function headersOf(
  key: string,
  { secret }: Pick<RecipeParts, 'secret'>,
  own: Readonly<Partial<Record<keyof typeof SECRETS, string>>> = {},
): Pair[] {
  const authorization: Pair = ['Authorization', key];
  return secret === null ? [authorization] : [authorization, [secret, own[secret] ?? SECRETS[secret]]];
}

/** A comparison and its value, as a builder names them. */
export type Operator = readonly [check: string, right: string | null];

export interface Operators {
  readonly isTrue: Operator;
  readonly isFalse: Operator;
  /** null if the builder stops without an answer. */
  readonly isNotTrue: Operator | null;
  readonly isEmpty: Operator;
  readonly isNotEmpty: Operator;
  readonly is: (value: string) => Operator;
  readonly isAbove: (value: number) => Operator;
}

interface Words {
  readonly operators: Operators;
  /** A key of the answer as the builder's variable. */
  readonly value: ShowKey;
  /** The same in a condition, if the builder writes it in another way there. */
  readonly left?: ShowKey;
  readonly prefix: CommandPrefix;
  /** True if the builder runs every row that is true, so that each row has to exclude those before it. */
  readonly runsAll?: boolean;
}

/** Returns what to check in an answer before the command acts, in order. */
export function answerChecks(
  { use }: RecipeParts,
  { operators, value, left = value, prefix, runsAll = false }: Words,
): Check[] {
  const { isTrue, isFalse, isNotTrue, isEmpty, isNotEmpty, is, isAbove } = operators;
  const checks: Check[] = [];
  const passed: Condition[] = [];
  /** @param opposite is true in the rows after this one; null when there is no such condition */
  const addCheck = (key: string, wrong: Operator, opposite: Operator | null, reply: string) => {
    checks.push({ ...toCondition(left(key), wrong), also: runsAll ? [...passed] : [], reply });
    if (opposite !== null) passed.push(toCondition(left(key), opposite));
  };
  addCheck('ok', isFalse, isTrue, value('error'));
  if (isNotTrue !== null) addCheck('ok', isNotTrue, isTrue, SENTENCES.unreachable(use));
  if (use === 'time_out') {
    addCheck('user_id', isEmpty, isNotEmpty, SENTENCES.noMember(prefix));
    addCheck('duration_seconds', isEmpty, isNotEmpty, SENTENCES.noTime(prefix));
    addCheck('duration_seconds', isAbove(TIMEOUT_SECONDS_MAX), null, SENTENCES.noTime(prefix));
  }
  if (use === 'make_emoji') addCheck('emoji_ok', isFalse, isTrue, SENTENCES.noEmoji);
  if (use === 'post_text') addCheck('state', is('stopped'), null, value('reason'));
  return checks;
}

function toCondition(left: string, [check, right]: Operator): Condition {
  return { left, check, right };
}

/** The fields that reply when the command has worked; none when its actions are the whole reply. */
export function replyFields(parts: RecipeParts, replies: Replies, show: ShowKey, label: string): FormField[] {
  const text = chooseByUse(replies, parts)(show);
  if (text === '') return [];
  return text.split('\n').map((text) => [label, text]);
}
