// Which of the two somebody has pasted: a message for Discord, or what Discord answered.

/** A name that messages have, and answers of Discord do not. */
const OF_MESSAGE = /^(?:content|embeds?|components|poll|attachments|sticker_ids|text|data)$/;
/** What Discord and libraries say in an answer, whatever stands around it. */
const SAID =
  /Invalid Form Body|empty message|invalid JSON|DiscordAPIError|HTTPException|error code: \d|code\W{1,5}\d{5}|or (?:fewer|more) in length|\{\s*["']\w+["']: ?\[["']/i;
const FENCE = /^\s*```\w*\n|\n?```\s*$/g;

/**
 * True for what Discord answered, and for anything else that is no message.
 * @param {string} pasted
 */
export function isAnswer(pasted) {
  const text = pasted.replaceAll(FENCE, '').trim();
  const value = parse(text);
  if (typeof value !== 'object' || value === null) return SAID.test(text) || !/^[[{]/.test(text);
  if (saysPlaces(value)) return true;
  return !Object.keys(value).some((name) => OF_MESSAGE.test(name)) && ('code' in value || SAID.test(text));
}

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
