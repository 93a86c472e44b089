import { OPERATIONS } from '../../../operations/index.ts';
import { CODES } from '../../../operations/message-check/discord-codes.ts';
import { OWN_ROLE } from '../../../recipes/what-went-wrong.ts';

/** An error of Discord or of a builder, with its most frequent cause in recipes. */
export interface ThirdPartyError {
  /**
   * Names, sentences and codes by which it is known, each as whole words in any case. `…` stands for anything. A number
   * counts where it is a code: `[50013]`, `"code": 50013`. They are shown, the best known first.
   */
  readonly known: readonly string[];
  /** The words are in many texts, so they match only a text without other words. */
  readonly isWholeTextOnly?: true;
  /** A regular expression in lower case that a text has to match. `known` are its examples then, and match nothing. */
  readonly pattern?: RegExp;
  /** The row explains only a text that no other row explains. */
  readonly isFallback?: true;
  /** The row says more than all others that explain the same text, so only it is shown. */
  readonly hidesOthers?: true;
  /** Markdown, like `what`. Begins with who reports the error. */
  readonly why: string;
  readonly what: string;
}

const TAKES_OVER =
  '[message-check](message-check) takes over what you pasted here, and says what is wrong, and where.';

const OF_THIS_SERVICE = 'If this came from a call to this service:';

/** Keys of answers that discord.js has no property for. */
const OWN_KEYS = [...new Set(OPERATIONS.flatMap(({ example }) => Object.keys(example.answer)))].filter(
  (key) => key === 'ok' || /_|chunks/.test(key),
);

/** An empty mention or time, or a variable as it is written. Code and errors have the same brackets. */
const NO_VALUE =
  /^(?![^]*(?:error|exception|traceback|import))[^]*(?:<@[!&]?(?:undefined|null|none)?>|\bfor :|\{[a-z_][\w.]*\}|(?<!\w)\([a-z]+(?:_[a-z]+)+\)|^\(\w+\)$)/;
const NO_KEY = new RegExp(String.raw`(?:keyerror: |\(reading )'(?:${OWN_KEYS.join('|')})'`);

const NO_TIME =
  /timeout of .{1,20} exceeded|aborted due to timeout|(?:connection|operation|request|read) timed out|curl: \(28\)|timeouterror|: timeout\.?$|^time-?out\.?$/;
/** What people type when there is no error, in the languages of the bot. */
const NO_REPLY =
  /nothing happens|shows nothing|(?:bot|command|it) (?:does ?n[o']t|doesnt|is not|isn't|isnt|not|won't|wont) (?:answer|repl|respond|react|work)|no (?:reply|response|answer)$|passiert nichts|(?:antwortet|reagiert|funktioniert|geht) (?:\S+ )?nicht|no pasa nada|no (?:responde|funciona)|não (?:acontece nada|responde|funciona)|rien ne se passe|ne (?:répond|marche|fonctionne) pas|hiçbir şey olmuyor|cevap vermiyor|yanıt vermiyor|çalışmıyor|ничего не происходит|не (?:отвечает|работает)/;

const ROWS: readonly ThirdPartyError[] = [
  {
    known: ['Missing Permissions', '50013'],
    why: 'Discord: the bot lacks a permission in this server or channel, or its role is too low.',
    what: `${OWN_ROLE} [permission-check](permission-check) says which of them it is, and which role has to move.`,
  },
  {
    known: ['Missing Access', '50001'],
    why: 'Discord: the bot is not in this server, or cannot see the channel.',
    what: 'Add the bot to the server, and give it View Channel where the command is used. [permission-check](permission-check) with the channel says what denies it.',
  },
  {
    known: [
      'Invalid Form Body',
      '50035',
      '{…"embeds":',
      '{…"content":',
      "{'embeds':",
      "{'content':",
      'or fewer in length',
      'In embeds.',
    ],
    why: 'Discord: a field is not what it takes. Most often the text has more than 2,000 characters, or an id or a URL is empty.',
    what: `${TAKES_OVER} Cut a long text with text-splitter, or post it with send.`,
  },
  {
    known: [
      'File cannot be larger than',
      '50138',
      'Asset exceeds maximum size',
      '50045',
      'Failed to resize asset below the maximum size',
    ],
    hidesOthers: true,
    why: 'Discord: the picture has too many bytes. An emoji may have 256 KB.',
    what: '[image-to-base64](image-to-base64) with `for=emoji` and `fit=true` makes it smaller.',
  },
  {
    known: [
      'Maximum number of emojis reached',
      '30008',
      'Maximum number of animated emojis reached',
      '30018',
    ],
    why: 'Discord: the server has no room for another emoji.',
    what: '*Server Settings > Emoji*: delete one. A boosted server has room for more.',
  },
  {
    known: ['Cannot send an empty message', '50006'],
    why: 'Discord: the text was empty. The variable for the answer has another name, or the request failed.',
    what: `Copy the name of the variable from the builder, and show error where ok is false. If you send JSON: ${adviceOf(50_006)} ${TAKES_OVER}`,
  },
  {
    known: ['The request body contains invalid JSON', '50109'],
    why: 'Discord: the body is not JSON. Most often a text in it has a quotation mark or a line break.',
    what: 'Paste the message on the page of [message-check](message-check): it says the line and the cause.',
  },
  {
    known: ['Unknown Member', '10007'],
    why: 'Discord: this user is not in this server, or the id is not that of a user.',
    what: 'Mention the member, or write their id. A name alone is not found.',
  },
  {
    known: ['Unknown User', '10013'],
    why: 'Discord: there is no account with this id. Often it is the id of a message, a server or a role.',
    what: 'In Discord, switch on *User Settings > Advanced > Developer Mode*, right-click the user and choose *Copy User ID*.',
  },
  {
    known: ['Cannot execute action on a DM channel', '50003'],
    why: 'Discord: the command was used in a direct message, where there is no server to act in.',
    what: 'Use the command in a server, and let it react only there, as the recipe does.',
  },
  {
    known: ['Unknown Webhook', '10015', 'Invalid Webhook Token', '50027'],
    why: 'Discord: the webhook was deleted, or its URL was not copied whole.',
    what: 'Settings of the channel > Integrations > Webhooks: make one, copy its URL, and put it where the recipe has it.',
  },
  {
    known: ['Interaction has already been acknowledged', '40060'],
    why: 'Discord: the command answered twice. Often two copies of the bot run.',
    what: 'Stop the other copy. After a first reply or defer, edit it or send a follow-up.',
  },
  {
    known: ['is not snowflake'],
    isFallback: true,
    why: 'Discord: an id was expected, and a name, an empty value or the name of a variable came.',
    what: 'Look at the value that this line shows, and at where the recipe takes it from.',
  },
  {
    known: ['The application did not respond', 'This interaction failed', 'Unknown interaction', '10062'],
    why: 'Discord: a command or a button has to answer within 3 seconds.',
    what: 'Let it answer first and act then. Most builders call that defer or thinking.',
  },
  {
    known: [
      'Used disallowed intents',
      'Disallowed intent(s)',
      'PrivilegedIntentsRequired',
      'DisallowedIntents',
      '4014',
    ],
    why: 'Discord: the bot asks for an intent that is off.',
    what: '*Developer Portal > Bot*: switch *Message Content Intent* on.',
  },
  {
    known: [
      'TokenInvalid',
      'An invalid token was provided',
      'Improper token',
      'LoginFailure',
      'TOKEN_INVALID',
      '401: Unauthorized',
    ],
    why: "Discord: the bot's own token is wrong, or was not read. This is not the key of this service.",
    what: '*Developer Portal > Bot > Reset Token*: copy the new one to where the bot reads it, and start the bot again.',
  },
  {
    known: ['You are being rate limited'],
    why: 'Discord: the bot asks Discord too often.',
    what: 'Wait for the time in `retry_after`. Let the command act on fewer members or messages at a time.',
  },
  {
    known: [
      'Cannot find module',
      'Cannot find package',
      'No module named',
      'ERR_MODULE_NOT_FOUND',
      'MODULE_NOT_FOUND',
      'ModuleNotFoundError',
    ],
    why: 'Node.js or Python: the library or the file in this line is not there.',
    what: 'For a library, run `npm install` or `pip install` with its name in the folder of the bot. `discord` in Python is `discord.py`. For a file, start the bot in the folder where it is.',
  },
  {
    known: [
      '.env: not found',
      "No such file or directory: '.env'",
      "no such file or directory, open '.env'",
      "KeyError: 'QUARTERMASTER_KEY'",
      "KeyError: 'QUARTERMASTER_WEBHOOK'",
    ],
    why: 'Node.js or Python: the file `.env` is not there, or was not read.',
    what: 'Put `.env` into the folder of the bot, with the lines that the recipe has, and start the bot there, as the recipe says.',
  },
  {
    known: ['bad option: --env-file', 'fetch is not defined', 'AbortSignal.timeout is not a function'],
    why: 'Node.js is too old for the recipe.',
    what: 'Install its current version from nodejs.org.',
  },
  {
    known: ["name 'bot' is not defined", 'client is not defined'],
    why: 'Node.js or Python: the recipe stands above the line that makes your bot, or in another file.',
    what: 'Paste it below the line that makes `bot` or `client`. Where that has another name, use yours in the recipe.',
  },
  {
    known: ['jq: command not found', 'jq: not found', "'jq' is not recognized"],
    why: 'The shell: `jq`, which reads the answer, is not installed.',
    what: 'Install it from jqlang.org, or leave the last part out to see the whole answer.',
  },
  {
    known: ['[object Object]'],
    why: 'The builder shows the whole answer in place of one of its keys.',
    what: 'Add the name of the key, as the recipe has it.',
  },
  {
    known: ['undefined', 'null', 'None', 'NaN'],
    isWholeTextOnly: true,
    why: 'The builder: the answer has no key of that name, or no answer came.',
    what: 'Copy the name of the key from Answer below, and show error where ok is false.',
  },
  {
    known: [
      'Bad control character in string literal',
      'Expected double-quoted property name in JSON',
      'JSON parameter needs to be valid JSON',
    ],
    why: 'The builder: it got broken JSON. Most often a text with a quote or a line break was put into it by hand.',
    what: 'Send the text as a form, as the recipe does, or let the builder write the JSON.',
  },
  {
    known: [
      'Unexpected token … is not valid JSON',
      'Unexpected token … in JSON at position',
      'Attempt to decode JSON with unexpected mimetype',
      'Expecting value: line 1 column 1',
      'Unexpected end of JSON input',
      'jq: parse error',
    ],
    why: 'The builder: a page or nothing came in place of an answer, from a proxy or another site.',
    what: 'Compare the URL with the recipe. If it is right, the service is away: try again in a minute.',
  },
  {
    known: [
      'fetch failed',
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'ETIMEDOUT',
      'ECONNRESET',
      'ClientConnectorError',
      'ClientConnectorDNSError',
      'ServerDisconnectedError',
      'curl: (6)',
      'curl: (7)',
      'Failed to send HTTP request',
    ],
    why: 'The builder: it could not connect to the URL of the request.',
    what: 'Compare that URL with the recipe. `localhost` and 127.0.0.1 are only on your own machine: no builder on the internet reaches them. If the URL is right, the service is away: try again in a minute.',
  },
  {
    known: ['Authorization failed - please check your credentials'],
    why: 'n8n: the service took no key from this node (401).',
    what: 'Open the node *Quartermaster*: the value of `Authorization` has to be your whole key. Its answer, in the details of the error, has a `code`: paste that here.',
  },
  {
    known: ['Forbidden - perhaps check your credentials'],
    why: 'n8n: the service that this node called does not allow it (403). In a node of Discord, the bot lacks a permission.',
    what: `Open the details of the error, and paste here what came back. ${OWN_ROLE}`,
  },
  {
    known: ['Credentials not found', 'Node does not have any credentials set'],
    why: 'n8n: no credential is chosen in this node. A workflow that is pasted or imported brings none along.',
    what: 'Open the node and choose the credential that the recipe names for it, even if its name is shown there already.',
  },
  {
    known: [
      'The service refused the connection',
      'The connection cannot be established',
      'The connection to the server was closed unexpectedly',
      'perhaps the server is offline',
    ],
    why: 'n8n: it could not connect to the URL of this node.',
    what: 'Compare that URL with the recipe. Where n8n runs in Docker, `localhost` is its own container. If the URL is right, the service is away: try again in a minute.',
  },
  {
    known: ['BundleValidationError', 'Missing value of required parameter'],
    why: 'Make: a field that this module needs is empty, or its value is of another type.',
    what: 'Open the module that the line names, and map the field again. Where its value comes from the answer, the request before it failed: look at `error` in its output.',
  },
  {
    known: ['DataError'],
    isFallback: true,
    why: 'Make: a module got a value that it does not take, or the service that it called refused the request.',
    what: 'Open the module that the line names in the history of the scenario: its input has the value, and its output says why. If the answer has a `code`, paste that here.',
  },
  {
    known: ['Scenario is not active'],
    why: 'Make: the scenario is switched off. Make also does that itself when a scenario keeps failing.',
    what: 'Fix what its history shows, and switch it on.',
  },
  {
    known: ['Task halted', 'Safely halted', 'Stopped / Halted'],
    why: 'Zapier: a step stopped the Zap on purpose, most often because it found nothing.',
    what: 'Open the run in the Zap history: the step that stopped says why.',
  },
  {
    known: ['The app did not respond in-time'],
    why: 'Zapier: no answer came within 30 seconds. The step may have worked all the same.',
    what: 'Look into the channel before you run it again. If nothing arrived, compare the URL with the recipe.',
  },
  {
    known: ['expected valid value in position', 'returned an error: expected at least'],
    why: 'BDFD: a function got fewer values than it needs, or an empty one. Most often a `;` or a `]` of the recipe is missing.',
    what: 'Paste the recipe again as a whole. Where a value of the answer is empty, show error where ok is false.',
  },
  {
    known: ['$httpResult…returned an error'],
    why: 'BDFD: the answer has no such key, it is not JSON, or no request was sent before.',
    what: 'Paste the recipe again as a whole. With a key for BDFD there are no lists: write `$httpResult[chunks_1]`. To see the whole answer, show `$httpResult` alone.',
  },
  {
    known: ['Bad request - please check your parameters'],
    why: 'n8n: the service that this node called refused the request (400).',
    what: 'Open the details of the error, and paste here what came back.',
  },
  {
    known: ['The service is receiving too many requests from you', 'RateLimitError'],
    why: 'n8n and Make: too many calls in a minute (429).',
    what: 'Wait a minute, and let the flow call less often. How many are allowed is under Limits below.',
  },
  {
    known: ['timeout of … exceeded', 'aborted due to timeout', 'The operation timed out', 'curl: (28)'],
    pattern: NO_TIME,
    why: 'The builder: no answer came in the time that it waits.',
    what: 'Try again in a minute. If it happens again, compare the URL with the recipe, or let the builder wait longer.',
  },
  {
    known: [
      'Attention Required! | Cloudflare',
      'Sorry, you have been blocked',
      'error code: 1020',
      'error code: 1015',
    ],
    hidesOthers: true,
    why: 'Cloudflare, which stands in front of Discord and other sites: it blocks the address that the call came from.',
    what: "See which URL was called. If it is Discord's, the host of your bot has made too many wrong calls: stop the bot for an hour, or ask the host for another address. If it is this service's, ask whoever runs it.",
  },
  {
    known: ['The app returned "Unauthorized"', 'The app returned "Invalid API key"'],
    why: 'Zapier: the app of this step took no key, or no account.',
    what: 'In *Webhooks by Zapier*, the value of `Authorization` has to be your whole key. In another app, connect the account again.',
  },
  {
    known: ["KeyError: 'user_id'", "Cannot read properties of undefined (reading 'user_id')"],
    pattern: NO_KEY,
    why: 'Node.js or Python: the request was not a success, or its answer was not read as JSON.',
    what: 'Read the answer as JSON, as the recipe does, and look at `ok` before any other key. Show `error` where it is false.',
  },
  {
    known: ['(user_id)', '{option_text}', '<@>', '<@undefined>', '<@null>'],
    pattern: NO_VALUE,
    isFallback: true,
    why: 'The builder: a name in brackets, or nothing, is where a value belongs. The variable has another name, or the request failed.',
    what: 'Use the name that your builder shows for the variable, and show error where ok is false.',
  },
  {
    known: ['Nothing happens', 'My bot does not answer'],
    pattern: NO_REPLY,
    isFallback: true,
    why: 'The builder: the command was not started, or it ended without a reply.',
    what: 'Is the bot online, and the command saved or the flow switched on? Does the bot see this channel? A bot that reads messages needs *Developer Portal > Bot > Message Content Intent*. If all of that is right, paste here the last line of its console or history.',
  },
  {
    known: ['401', '401 Unauthorized'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} it took no key from this call.`,
    what: 'The value of `Authorization` has to be your whole key. If the answer has a `code`, paste that here.',
  },
  {
    known: ['404', '404 Not Found', 'The resource you are requesting could not be found'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} there is nothing at this URL, or what the request names does not exist.`,
    what: 'Compare the URL with the recipe. If the answer has a `code`, paste that here.',
  },
  {
    known: ['405', '405 Method Not Allowed', 'Method Not Allowed'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} this URL does not take the method, GET or POST.`,
    what: 'Compare the method and the URL with the recipe.',
  },
  {
    known: ['413', '413 Payload Too Large', '413 Request Entity Too Large', '413 Content Too Large'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} the body or the text is too large for it, or for a proxy in front of it.`,
    what: 'Send less at a time. If the answer has a `code`, paste that here.',
  },
  {
    known: ['414', '414 Request-URI Too Large', '414 URI Too Long', 'Request-URI Too Large', '431'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} the URL is too long for a proxy in front of it, because the text is in the URL.`,
    what: 'Send a shorter text, or send it with POST in the body.',
  },
  {
    known: ['415', '415 Unsupported Media Type', 'Unsupported Media Type'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} it does not read a body of this type.`,
    what: 'Send JSON with the header `Content-Type: application/json`, or a form as the recipe does.',
  },
  {
    known: ['429', '429 Too Many Requests'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} too many calls in a minute.`,
    what: 'Wait a minute, and let the command call less often. How many are allowed is under Limits below.',
  },
  {
    known: [
      '500',
      '502',
      '503',
      '504',
      'Internal Server Error',
      'Bad Gateway',
      'Service Unavailable',
      'Gateway Timeout',
      'Gateway Time-out',
      'Gateway timed out',
      'The service was not able to process your request',
    ],
    isFallback: true,
    why: `${OF_THIS_SERVICE} it failed, is busy or is away, or a proxy in front of it cannot reach it.`,
    what: 'Try again in a minute. If the answer has a `code`, paste that here.',
  },
  {
    known: ['400', '400 Bad Request', '403', '403 Forbidden'],
    isFallback: true,
    why: `${OF_THIS_SERVICE} it refused the request, and its answer says why.`,
    what: 'Open the whole answer, and paste here the `code` in it.',
  },
];

function adviceOf(code: number): string {
  return CODES[code]?.advice ?? '';
}

/** Codes of messages that are in no row above, in the words of message-check. */
function rowsOfCodes(): ThirdPartyError[] {
  const known = new Set(ROWS.flatMap((row) => row.known));
  return Object.entries(CODES)
    .filter(([code]) => !known.has(code))
    .map(([code, { message, advice }]) => ({
      known: [message, code],
      why: 'Discord: it refused the message.',
      what: advice,
    }));
}

/** One row for each cause. A test checks which row explains each of many pasted lines. */
export const THIRD_PARTY_ERRORS: readonly ThirdPartyError[] = [...ROWS, ...rowsOfCodes()];
