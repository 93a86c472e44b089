/** `_` and `.` appear in text as they are, or percent-encoded up to three times. */
const UNDERSCORE = '(?:_|%(?:25){0,3}5[Ff])';
const DOT = '(?:\\.|%(?:25){0,3}2[Ee])';
const TOKEN_CHARACTER = '(?:[\\w-]|%(?:25){0,3}(?:2[Dd]|5[Ff]))';

const SLASH = '(?:/|%(?:25){0,3}2[Ff])';

/**
 * The shapes of an API key, a bot token and a webhook URL, wherever they begin in a text. No two of the long
 * alternatives can begin at the same place, so the work is linear in the text.
 */
const SHAPES = [
  // Our API keys, and their public parts.
  `qm${UNDERSCORE}[0-9A-Za-z]{16,}(?:${UNDERSCORE}[0-9A-Za-z]+)?`,
  // Discord's bot tokens: a snowflake of 17 to 20 decimal digits in base64, six characters of time, a digest. Three
  // digits become four characters, each one of at most ten, so no ordinary word looks like that by chance.
  `(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[\\w-]{0,3}${DOT}${TOKEN_CHARACTER}{6}${DOT}${TOKEN_CHARACTER}{27,}`,
  // The same, judged by its lengths alone: for made-up tokens and tokens of other ids.
  `(?<![\\w-])[MNO][\\w-]{22,27}${DOT}${TOKEN_CHARACTER}{6}${DOT}${TOKEN_CHARACTER}{27,}`,
  // Discord's user tokens, and JWTs, which other Discord-compatible servers use.
  `mfa${DOT}${TOKEN_CHARACTER}{40,}`,
  `eyJ(?:(?!eyJ)[\\w-]){10,}${DOT}eyJ${TOKEN_CHARACTER}{10,}${DOT}${TOKEN_CHARACTER}{10,}`,
  // Webhook URLs, or just their id and token. A bare id and token never follow a slash: that would be a file
  // on Discord's CDN.
  `webhooks${SLASH}[0-9]{17,20}${SLASH}${TOKEN_CHARACTER}{60,}`,
  `(?<![\\w/.%-])[0-9]{17,20}${SLASH}${TOKEN_CHARACTER}{60,}(?!\\.?[\\w-])`,
].join('|');

const SECRETS = new RegExp(SHAPES);
const ALL_SECRETS = new RegExp(SHAPES, 'g');

/** Some proxies and clients encode what is already encoded, once or twice. */
const DECODINGS_MAX = 3;

export function holdsSecret(text: string): boolean {
  return SECRETS.test(text);
}

/** The text with everything that has the shape of a key or a token replaced. */
export function maskSecrets(text: string): string {
  return text.replace(ALL_SECRETS, '[secret]');
}

/** True when a path or a query holds a secret, plain or with any of its characters percent-encoded. */
export function holdsEncodedSecret(target: string): boolean {
  let text = target;
  for (let decodings = 0; ; decodings += 1) {
    if (holdsSecret(text)) return true;
    if (decodings === DECODINGS_MAX || !text.includes('%')) return false;
    text = decodeAscii(text);
  }
}

/** Secrets are ASCII. Other percent-encodings, valid or not, are left as they are and cannot make this fail. */
function decodeAscii(text: string): string {
  return text.replace(/%[2-7][0-9A-Fa-f]/g, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
}
