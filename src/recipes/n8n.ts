import { answerChecks, replyFields, type Operators } from './form.ts';
import { hasWord, type FilledBy, type Pair, type RecipeParts } from './recipe.ts';
import type { RecipeWriter } from './recipe-writer.ts';
import {
  EMOJIS_URL,
  memberUrl,
  restOptions,
  SERVER_PLACEHOLDER,
  TOKEN_PLACEHOLDER,
  withUntil,
} from './request-fields.ts';
import { botNeeds, channelSteps, PINGS_NOTE, webhookSteps } from './shared-steps.ts';
import { EMOJI_NAME_REPLIES, type Replies, type ShowKey } from './seen-in-discord.ts';
import { AUDIT_REASON_MAX, SENTENCES } from './sentences.ts';
import { doStep, paste, type Check } from './steps.ts';

const toParameters = (pairs: readonly Pair[]) => ({
  parameters: pairs.map(([name, value]) => ({ name, value })),
});

const to = (node: string) => [{ node, type: 'main', index: 0 }];

const result = (key: string) => `$json.${key}`;

/** Conditions are JavaScript. */
const OPERATORS: Operators = {
  isTrue: ['===', 'true'],
  isFalse: ['===', 'false'],
  isNotTrue: ['!==', 'true'],
  isEmpty: ['===', 'null'],
  isNotEmpty: ['!==', 'null'],
  is: (value) => ['===', `'${value}'`],
  isAbove: (value) => ['>', String(value)],
};

const expression = (source: string) => `={{ ${source} }}`;

const REPLIES: Replies = {
  ...EMOJI_NAME_REPLIES,
  // A long text takes several requests, and the last answer counts only its own messages.
  post_text: () => 'All of it is posted.',
};

type Position = readonly [number, number];

/** A condition in the words of n8n's editor. A value of another type than the operator's stops the workflow. */
const conditionOf = (source: string, operator: object, rightValue = '') => ({
  leftValue: expression(source),
  rightValue,
  operator,
});

const IS_TRUE = { type: 'boolean', operation: 'true', singleValue: true };
const IS_FALSE = { type: 'boolean', operation: 'false', singleValue: true };
const MATCHES = { type: 'string', operation: 'regex' };

function conditionNode(
  type: 'if' | 'filter',
  name: string,
  position: Position,
  conditions: readonly object[],
) {
  return {
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion: 2,
    position,
    parameters: {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
        conditions,
        combinator: 'and',
      },
      options: {},
    },
  };
}

/** The two outcomes of a condition. */
const whether = (name: string, position: Position, condition: string) =>
  conditionNode('if', name, position, [conditionOf(condition, IS_TRUE)]);

const gateName = ({ operation }: RecipeParts) => `Only !${operation.recipe.command}`;

/** Where a text is in an item: as in ours, in that of a community node for Discord, and in that of a Webhook. */
const TEXT = '$json.text ?? $json.content ?? $json.body?.text ?? $json.body?.content';
const USER = '$json.user_id ?? $json.authorId ?? $json.body?.user_id ?? $json.body?.author?.id';
const GUILD = '$json.guild_id ?? $json.guildId ?? $json.body?.guild_id';
/** Attached, or a link in the text. */
const PICTURE = `$json.attachments?.[0]?.url ?? $json.body?.attachments?.[0]?.url ?? String(${TEXT}).match(/https?:\\/\\/[^\\s<>]+/)?.[0] ?? ''`;

const PLACES: Readonly<Record<FilledBy, string>> = {
  line: TEXT,
  text: TEXT,
  long_text: TEXT,
  role: TEXT,
  image: PICTURE,
  user: USER,
  guild: GUILD,
};

/**
 * Lets only texts through that call the command. Items differ: few say that a bot or a direct message is behind them.
 */
function gate(parts: RecipeParts) {
  return conditionNode(
    'filter',
    gateName(parts),
    [-220, 0],
    [
      conditionOf(`String(${TEXT} ?? '')`, MATCHES, `^!${parts.operation.recipe.command}(\\s|$)`),
      conditionOf('Boolean($json.author?.bot ?? $json.authorIsBot ?? $json.body?.author?.bot)', IS_FALSE),
      conditionOf('$json.guildId === null', IS_FALSE),
    ],
  );
}

/** Adds fields to an item, each a number or a text. Older nodes would write null as a text. */
function fields(name: string, position: Position, values: Readonly<Record<string, string>>) {
  const assignments = Object.entries(values).map(([field, source]) => ({
    id: field,
    name: field,
    value: expression(source),
    type: field === 'failures' ? 'number' : 'string',
  }));
  return {
    name,
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position,
    parameters: { assignments: { assignments }, includeOtherFields: true, options: {} },
  };
}

/** A message in Discord. Its channel is in the credential, which the reader chooses. */
function message(name: string, position: Position, content: string) {
  return {
    name,
    type: 'n8n-nodes-base.discord',
    typeVersion: 2,
    position,
    parameters: { authentication: 'webhook', content, options: {} },
  };
}

type Connections = Readonly<Record<string, { readonly main: readonly ReturnType<typeof to>[] }>>;

/** Nodes between the request and *Worked?*, or between *Worked?* and *Tell*. */
interface Detour {
  /** null when there are none. */
  readonly first: string | null;
  readonly nodes: readonly object[];
  readonly connections: Connections;
}

const STRAIGHT: Detour = { first: null, nodes: [], connections: {} };

/** A field of the answer before *Rest*, which gets it from *Wait*, item by item. */
const waited = (field: string) => `$('Wait').item.json.${field}`;

/**
 * How often a call is repeated that fails with a time to wait. Calls that post need no limit, because each posts a part
 * of the text.
 */
const FAILURES_MAX = 9;

/**
 * Sends the rest of a long text until none is left, or until it must not be sent. A call that failed has posted
 * nothing, and its answer has no `rest`, so *Left* adds the one that was sent. A repeated call keeps its
 * Idempotency-Key, because with another one it could post twice.
 */
function untilPosted(parts: RecipeParts): Detour {
  if (parts.use !== 'post_text') return STRAIGHT;
  return {
    first: 'More?',
    nodes: [
      whether(
        'More?',
        [220, 0],
        `typeof $json.retry_after === 'number' && Boolean($json.rest) && !($json.failures > ${FAILURES_MAX})`,
      ),
      {
        name: 'Wait',
        type: 'n8n-nodes-base.wait',
        typeVersion: 1.1,
        position: [440, -200],
        parameters: { amount: expression('$json.retry_after'), unit: 'seconds' },
      },
      request(
        parts,
        'Rest',
        [660, -200],
        [['text', expression('$json.rest')], ...restOptions(parts, expression('$json.channel_id'))],
        `={{ $execution.id }}-{{ $nodeId }}-{{ $json.part || ${PART} }}`,
      ),
      fields('Left', [880, -300], {
        rest: `($json.ok === true ? $json.rest : ${waited('rest')}) ?? ''`,
        channel_id: `($json.ok === true ? $json.channel_id : ${waited('channel_id')}) ?? ''`,
        part: `$json.ok === true ? '' : ${waited('part')} || ${PART}`,
        failures: `$json.ok === true ? 0 : (${waited('failures')} ?? 0) + 1`,
      }),
    ],
    connections: {
      'More?': { main: [to('Wait'), to('Worked?')] },
      Wait: { main: [to('Rest')] },
      Rest: { main: [to('Left')] },
      Left: { main: [to('More?')] },
    },
  };
}

function eachOf(list: string | null): Detour {
  if (list === null) return STRAIGHT;
  const loop = {
    name: 'Each',
    type: 'n8n-nodes-base.splitOut',
    typeVersion: 1,
    position: [660, -100],
    parameters: { fieldToSplitOut: list, options: {} },
  };
  return { first: 'Each', nodes: [loop], connections: { Each: { main: [to('Tell')] } } };
}

/** A field of our answer, where the item is Discord's. */
const read = (field: string) => `$('Quartermaster').item.json.${field}`;

/** A request of Discord, and how its answer shows that it worked. */
interface DiscordCall {
  readonly name: string;
  readonly parameters: object;
  readonly question: string;
  /** A key of Discord's answer that is a text only if it worked. */
  readonly proof: string;
}

const REASON = `encodeURIComponent(String($json.reason).slice(0, ${AUDIT_REASON_MAX}).toWellFormed())`;

/** @see https://docs.discord.com/developers/resources/guild#modify-guild-member */
const TIME_OUT: DiscordCall = {
  name: 'Time out',
  parameters: {
    method: 'PATCH',
    url: `=${memberUrl('{{ $json.user_id }}')}`,
    sendHeaders: true,
    specifyHeaders: 'json',
    jsonHeaders: expression(`JSON.stringify($json.reason ? { 'X-Audit-Log-Reason': ${REASON} } : {})`),
    jsonBody: expression('JSON.stringify({ communication_disabled_until: $json.until_iso })'),
  },
  question: 'Timed out?',
  proof: 'communication_disabled_until',
};

/** @see https://docs.discord.com/developers/resources/emoji#create-guild-emoji */
const ADD_EMOJI: DiscordCall = {
  name: 'Add emoji',
  parameters: {
    method: 'POST',
    url: EMOJIS_URL,
    jsonBody: expression("JSON.stringify({ name: 'new_emoji', image: $json.data_uri })"),
  },
  question: 'Added?',
  proof: 'id',
};

function callOf({ use }: RecipeParts): DiscordCall | null {
  if (use === 'make_emoji') return ADD_EMOJI;
  return use === 'time_out' ? TIME_OUT : null;
}

/** Asks something of Discord, which answers with what it changed, or with `message` and mostly `code`. */
function discordDetour({ name, parameters, question, proof }: DiscordCall): Detour {
  return {
    first: name,
    nodes: [
      {
        name,
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [660, -100],
        parameters: {
          authentication: 'predefinedCredentialType',
          nodeCredentialType: 'discordBotApi',
          ...parameters,
          sendBody: true,
          specifyBody: 'json',
          options: RESPONSE,
        },
      },
      whether(question, [880, -100], `typeof $json.${proof} === 'string'`),
      message(
        'Refused',
        [1100, 0],
        expression(
          `$json.code === ${MISSING_PERMISSIONS} ? ${JSON.stringify(SENTENCES.forbidden)} : 'Discord: ' + $json.message`,
        ),
      ),
    ],
    connections: {
      [name]: { main: [to(question)] },
      [question]: { main: [to('Tell'), to('Refused')] },
    },
  };
}

/** Discord's code for a bot without the permission, or with a role below the member's. */
const MISSING_PERMISSIONS = 50013;

/**
 * Failures have to reach the next node, which shows the error. A proxy's error page stops the workflow. Without
 * `responseFormat`, n8n would take that page for an answer, and guess the encoding of ours.
 * @see https://github.com/n8n-io/n8n/issues/34372
 */
const RESPONSE = { response: { response: { neverError: true, responseFormat: 'json' } } };

/** A credential is kept outside the workflow, so sharing the workflow does not share it. */
const WEBHOOK_CREDENTIAL = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };

const toSource = ({ left, check, right }: Check) => `${left} ${check} ${right}`;

/** n8n's node of Discord pings all users that a text mentions. A zero-width space after the `@` prevents it. */
const quietly = (value: string) => `${value}.replaceAll('@', '@\\u200b')`;

/** A value from the answer, with the hint beside the error; a sentence as a string literal. */
function replyOf(reply = ''): string {
  if (reply === result('error')) return quietly("[$json.error, $json.hint].filter(Boolean).join(' ')");
  return reply.startsWith('$json.') ? reply : JSON.stringify(reply);
}

/** The reply for the first condition that is true. The last one needs no check, because one of them is always true. */
function reasonOf(checks: readonly Check[]): string {
  const [last, ...others] = checks.toReversed();
  return others.reduce(
    (rest, each) => `${toSource(each)} ? ${replyOf(each.reply)} : ${rest}`,
    replyOf(last?.reply),
  );
}

/** Says where a text ended, so that the reader can post the rest by hand. */
const LEFT = quietly(
  "($json.rest ? ` Not posted: ${$json.rest.length} characters, from here on: ${$json.rest.slice(0, 200)}` : '')",
);

/** The main field's value, from the node before. */
function variableOf({ operation, filledBy }: RecipeParts): string {
  const value = PLACES[filledBy];
  if (!hasWord(filledBy)) return expression(value);
  return expression(`String(${value} ?? '').replace(/^!${operation.recipe.command}\\b\\s*/, '')`);
}

function request(
  { method, url, key, secret }: RecipeParts,
  name: string,
  position: Position,
  fields: readonly Pair[],
  idempotencyKey = IDEMPOTENCY_KEY,
) {
  const isPosting = secret === 'Webhook';
  const headers: Pair[] = [
    ['Authorization', key],
    ...(secret === 'Token' ? ([['Token', TOKEN_PLACEHOLDER]] satisfies Pair[]) : []),
    ...(isPosting ? ([['Idempotency-Key', idempotencyKey]] satisfies Pair[]) : []),
  ];
  return {
    name,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position,
    // n8n tries again when there was no answer, or one with an `error`. The Idempotency-Key makes that safe.
    ...(isPosting ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 5000 } : {}),
    parameters: {
      ...(isPosting ? WEBHOOK_CREDENTIAL : {}),
      method,
      url,
      sendHeaders: true,
      headerParameters: toParameters(headers),
      ...(method === 'GET'
        ? { sendQuery: true, queryParameters: toParameters(fields) }
        : { sendBody: true, contentType: 'form-urlencoded', bodyParameters: toParameters(fields) }),
      options: RESPONSE,
    },
  };
}

/** Each text gets another key. In a loop a node runs several times, and a workflow may hold the recipe twice. */
const IDEMPOTENCY_KEY = '={{ $execution.id }}-{{ $nodeId }}-{{ $runIndex }}-{{ $itemIndex }}';

/** *Left* has the same number as *Rest*, which it follows each time. */
const PART = "$runIndex + '-' + $itemIndex";

/** A value inside a text of n8n; a list is joined, or it would be written as JSON. */
function shownIn({ operation, use }: RecipeParts): ShowKey {
  const { answer } = operation.example;
  return (key) => {
    if (key === 'roles') {
      return "{{ $json.roles.map((role) => role.role_id + ': ' + role.count).join(', ').slice(0, 1900) }}";
    }
    if (Array.isArray(answer[key])) return `{{ $json.${key}.join(', ') }}`;
    const value = use === 'time_out' ? read(key) : `$json.${key}`;
    const isWritten = use === 'time_out' && key === 'reason';
    return `{{ ${isWritten ? quietly(`String(${value} ?? '')`) : value} }}`;
  };
}

/**
 * Nodes in the form that n8n's canvas accepts from the clipboard.
 * @see https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/
 */
export const n8n: RecipeWriter = {
  sendsRest: true,
  checked:
    'Checked against n8n 2.41: HTTP Request 4.2, If 2, Filter 2, Split Out 1, Wait 1.1 and Discord 2. Our tests play these nodes.',
  replies: REPLIES,
  language: 'json',
  begin(parts) {
    const { secret, main, operation, filledBy } = parts;
    const gate = gateName(parts);
    const call = callOf(parts);
    return [
      ...webhookSteps(parts, doStep('n8n.credential')),
      paste('n8n.paste'),
      ...(secret === 'Webhook' ? [doStep('n8n.choose')] : []),
      ...(main === null ? [doStep('n8n.source', { gate })] : []),
      doStep('n8n.discord'),
      ...(main === null && filledBy === 'image' ? [doStep('n8n.picture')] : []),
      ...(call === null
        ? []
        : [doStep('n8n.act', { node: call.name, server: SERVER_PLACEHOLDER, needs: botNeeds(parts) })]),
      doStep('n8n.gate', { gate, command: operation.recipe.command }),
      ...channelSteps(parts),
      doStep('n8n.connect', { gate }),
      doStep('n8n.publish'),
    ];
  },
  code(parts) {
    const { mainField, main } = parts;
    const options = withUntil(parts.options, parts);
    // The list whose entries each become a message; null when the answer is one message.
    const list = parts.use === 'send_chunks' ? 'chunks' : null;
    const waiting = untilPosted(parts);
    const call = callOf(parts);
    const acting = call === null ? eachOf(list) : discordDetour(call);
    const checks = answerChecks(parts, { operators: OPERATORS, value: result, prefix: '!' });
    const replies = replyFields(parts, REPLIES, shownIn(parts), '').map(([, text]) => text);
    const content = list === null ? `=${replies.join('\n')}` : expression(`$json.${list}`);
    const workflow = {
      nodes: [
        request(parts, 'Quartermaster', [0, 0], [[mainField, main ?? variableOf(parts)], ...options]),
        gate(parts),
        ...waiting.nodes,
        whether('Worked?', [440, 0], `!(${checks.map(toSource).join(' || ')})`),
        ...acting.nodes,
        message('Tell', call === null ? [880, -100] : [1100, -200], content),
        message(
          'Say why',
          [660, 100],
          expression(parts.use === 'post_text' ? `(${reasonOf(checks)}) + ${LEFT}` : reasonOf(checks)),
        ),
      ],
      connections: {
        [gateName(parts)]: { main: [to('Quartermaster')] },
        Quartermaster: { main: [to(waiting.first ?? 'Worked?')] },
        ...waiting.connections,
        'Worked?': { main: [to(acting.first ?? 'Tell'), to('Say why')] },
        ...acting.connections,
      },
    };
    return JSON.stringify(workflow, null, 2);
  },
  note: ({ secret, use }) =>
    [
      'What should happen with the answer besides the message goes after *Tell*.',
      secret === 'Webhook'
        ? 'A credential of the type Custom Auth can hold the key beside the webhook: `{"headers": {"Authorization": "…", "Webhook": "…"}}`.'
        : 'It is safer to keep the key in a credential of the type Header Auth than in the header.',
      ...(use === 'send_chunks' ? [PINGS_NOTE] : []),
    ].join(' '),
};
