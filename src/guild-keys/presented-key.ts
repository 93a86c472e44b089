import { Problem } from '../kernel/problem.ts';
import { hasRightChecksum } from './guild-key.ts';

/** The length of a key that is not cut. */
const KEY_LENGTH = 58;
const WHOLE_KEY = /(?<![\w-])qm_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}(?![\w-])/g;

/** Quotes of any kind (curly ones as the raw bytes in the header), and words that people put before a key. */
const BEFORE_KEY = /^(?:["'`\s\x80-\xff]|(?:bearer|bot|token)(?!\w):?)+/i;
const QUOTE = /["'`\s\x80-\xff]/;

/**
 * Returns the key in an Authorization header, whatever is around it, or without a whole key the text in its place.
 * @returns undefined when there is no header
 */
export function presentedKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const keys = header.match(WHOLE_KEY) ?? [];
  const [key, ...others] = keys.length === 1 ? keys : keys.filter(hasRightChecksum);
  if (key !== undefined && others.length === 0) return key;
  let end = header.length;
  // Do not use a regular expression here: it would start again at each quote.
  while (QUOTE.test(header.charAt(end - 1))) end -= 1;
  return header.slice(0, end).replace(BEFORE_KEY, '');
}

/** Marks of the name of a variable: brackets, a word for keys, or a word for an empty value. */
const PLACEHOLDER =
  /[{}<>[\]$%]|^(?:undefined|null|nan|none)$|(?:^|[^a-z])(?:your|my|key|token|secret|api_?key)(?:[^a-z]|$)|^qm_(?:\.|x{3}|\*)/i;
const BEGUN_KEY = /qm_[0-9a-z]{5}/i;

/** Describes the text in place of a key, without repeating it. */
export function malformedKey(presented: string): Problem {
  if (/^basic\s/i.test(presented)) return new Problem('key_malformed/basic');
  const isPlaceholder = PLACEHOLDER.test(presented) && !BEGUN_KEY.test(presented);
  if (isPlaceholder) return new Problem('key_malformed/placeholder');
  const { length } = presented;
  // A text that does not begin like a key was never one, so its length is of no use.
  if (!/^qm_/i.test(presented)) return new Problem('key_malformed');
  if (length === KEY_LENGTH) return new Problem('key_malformed/mistyped');
  return new Problem('key_malformed/length', { values: { length } });
}
