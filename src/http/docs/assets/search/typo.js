/** A shorter word could be a typo of too many others. */
const TYPO_LENGTH_MIN = 5;

/**
 * True when the words differ by one letter that is added, missing, replaced, or swapped with the next.
 * @param {string} typed
 * @param {string} word
 */
export function isTypo(typed, word) {
  if (Math.min(typed.length, word.length) < TYPO_LENGTH_MIN) return false;
  let same = 0;
  while (same < typed.length && typed[same] === word[same]) same += 1;
  const [rest, meant] = [typed.slice(same), word.slice(same)];
  const swapped = `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}`;
  return [rest.slice(1), rest].includes(meant.slice(1)) || rest.slice(1) === meant || swapped === meant;
}
