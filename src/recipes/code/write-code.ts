import { usageOf, type RecipeParts } from '../recipe.ts';
import { CALLS_MAX } from '../request-fields.ts';
import { SENTENCES } from '../sentences.ts';
import { fillTemplate } from './templates.ts';

/** The parts of a recipe that differ between languages, as source. */
interface Words {
  /** The main field's value. */
  readonly VALUE: string;
  readonly URL: string;
  readonly PERMISSION_URL: string;
  /** All fields of the request. */
  readonly FIELDS: string;
  /** The fields of the request that sends the rest of a text. */
  readonly REST_FIELDS: string;
  /** Shows some keys of the answer. */
  readonly SHOWN: string;
  /** The permission that the command requires; null for none. */
  readonly PERMISSION: string | null;
  readonly [other: string]: string | null;
}

/** Writes a recipe in code from its template. */
export function writeCode(
  file: string,
  parts: RecipeParts,
  words: Words,
  toSource: (value: string) => string,
): string {
  const { command, permission } = parts.operation.recipe;
  const usage = parts.filledBy === 'line' ? null : usageOf(parts);
  return fillTemplate(file, blocksOf(parts, usage !== null), {
    COMMAND: command,
    FIELD: parts.mainField,
    USAGE: usage === null ? null : toSource(usage),
    CALLS_MAX,
    NEEDS: permission === null ? null : SENTENCES.needs(permission),
    UNREADABLE: SENTENCES.unreadable,
    UNREACHABLE: SENTENCES.unreachable(parts.use),
    NO_MEMBER: SENTENCES.noMember('!'),
    NO_TIME: SENTENCES.noTime('!'),
    ABOVE: SENTENCES.above,
    NOT_YOURS: SENTENCES.notYours,
    NO_EMOJI: SENTENCES.noEmoji,
    FORBIDDEN: SENTENCES.forbidden,
    FAILED: SENTENCES.failed,
    ...words,
  });
}

/** Lists the blocks of a template that the recipe needs. */
function blocksOf(parts: RecipeParts, hasUsage: boolean): ReadonlySet<string> {
  const { operation, main, filledBy, use, secret, method } = parts;
  const isAttached = main === null && filledBy === 'long_text';
  const isPosting = secret === 'Webhook';
  return new Set([
    typeof use === 'string' ? use : 'show',
    isAttached ? 'attached' : 'value',
    ...(operation.recipe.permission === null ? [] : ['permission']),
    ...(hasUsage ? ['usage'] : []),
    ...(isPosting ? ['webhook'] : [method.toLowerCase(), secret === 'Token' ? 'token' : 'no_token']),
  ]);
}
