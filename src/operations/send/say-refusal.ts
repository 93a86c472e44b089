import { parseJson } from '../../kernel/parse-json.ts';
import { checkMessage } from '../message-check/check-message.ts';
import { joinError } from '../message-check/join-error.ts';
import { type Finding, isObject, nameOf } from '../message-check/check-context.ts';

/** Sentences of these kinds contain only positions and numbers. Others quote the message, and errors are logged. */
const WITHOUT_QUOTES: ReadonlySet<Finding['kind']> = new Set([
  'empty',
  'missing',
  'too_long',
  'too_many',
  'too_few',
  'too_large',
  'too_small',
]);

/**
 * Says why Discord refused a message, in the words of message-check, or returns an empty text where only the field is
 * known. It quotes no part of the message.
 * @param path as `embeds[0].title`
 */
export function sayRefusal(body: string, path: string): string {
  const message = parseJson(body);
  if (!isObject(message)) return '';
  const { problems } = checkMessage(message, 'webhook');
  const error = { code: null, refusals: [{ path, sentence: '' }] };
  const { problems: joined } = joinError({ problems, notices: [] }, error, message, 'webhook');
  const found = joined.find(({ kind, discord }) => discord !== null && WITHOUT_QUOTES.has(kind));
  if (found !== undefined) return found.text;
  if (path === 'username') return 'It may not have clyde or discord in it, nor be everyone or here.';
  // The problem already names this field.
  return /^\w+$/.test(path) ? '' : `It is about this place: ${nameOf(path).replace(/^T/, 't')}.`;
}
