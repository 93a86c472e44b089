// Decides whether a pasted text is a message for Discord or an error of Discord.

/** A name that messages have, and answers of Discord do not. */
const OF_MESSAGE = /^(?:content|embeds?|components|poll|attachments|sticker_ids|text|data)$/;
/** Words in answers of Discord and libraries, with any text around them. */
const SAID =
  /Invalid Form Body|empty message|invalid JSON|DiscordAPIError|HTTPException|error code: \d|code\W{1,5}\d{5}|or (?:fewer|more) in length|\{\s*["']\w+["']: ?\[["']/i;
/** The beginning of a program. Readers paste one for the message that it makes. */
const CODE = /^(?:(?:const|let|var|import|from|async|await|return|def) |new \w+\(|[\w.]+\(|\w+ ?= ?\w)/;
const FENCE = /^\s*```\w*\n|\n?```\s*$/g;

/**
 * True for Discord's errors, and for anything else that is not a message.
 * @param {string} pasted
 */
export function isDiscordError(pasted) {
  const text = pasted.replaceAll(FENCE, '').trim();
  const value = parse(text);
  if (typeof value !== 'object' || value === null)
    return SAID.test(text) || !(/^[[{]/.test(text) || CODE.test(text));
  if (saysPlaces(value)) return true;
  return !Object.keys(value).some((name) => OF_MESSAGE.test(name)) && ('code' in value || SAID.test(text));
}

/**
 * A message and Discord's answer, one after the other in either order; null when one is missing.
 * @param {string} pasted
 * @returns {{ message: string, answer: string } | null}
 */
export function splitBoth(pasted) {
  const lines = pasted.split('\n');
  // JSON begins and ends in the first column. Its other lines are indented.
  const cuts = lines.flatMap((line, index) => (/^[{}]/.test(line) ? [index, index + 1] : []));
  for (const cut of cuts.slice(0, CUTS_MAX)) {
    const [first, second] = [lines.slice(0, cut).join('\n'), lines.slice(cut).join('\n')];
    if (isWhole(first) && SAID.test(second) && isDiscordError(second))
      return { message: first, answer: second };
    if (isWhole(second) && SAID.test(first) && isDiscordError(first))
      return { message: second, answer: first };
  }
  return null;
}

/** The most places to cut that are tried at each keystroke. */
const CUTS_MAX = 8;

/** A message from its beginning to its end. @param {string} text */
const isWhole = (text) => parse(text) !== null && !isDiscordError(text);

/** @param {unknown} one */
const isSaid = (one) => typeof one === 'string' && !one.startsWith('{');

/** The oldest form, `{"embeds":["0"]}`. @param {object} value */
function saysPlaces(value) {
  const lists = Object.values(value);
  return (
    lists.length > 0 && lists.every((list) => Array.isArray(list) && list.length > 0 && list.every(isSaid))
  );
}

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
