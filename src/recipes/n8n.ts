import { checksAfter, replyFields, type Operators } from './form.ts';
import {
  linesFor,
  startSteps,
  takeApart,
  TOKEN_PLACEHOLDER,
  webhookSteps,
  type Pair,
  type RecipeBook,
  type RecipeParts,
  type Uses,
} from './recipe.ts';
import { seeIt, TOLD, type Replies, type Show } from './seen-in-discord.ts';
import { act, paste, type Check } from './steps.ts';

const toParameters = (pairs: readonly Pair[]) => ({
  parameters: pairs.map(([name, value]) => ({ name, value })),
});

const to = (node: string) => [{ node, type: 'main', index: 0 }];

const result = (key: string) => `$json.${key}`;

/** Conditions are JavaScript. */
const OPERATORS: Operators = {
  isTrue: ['===', 'true'],
  isFalse: ['===', 'false'],
  isNotTrue: null,
  isEmpty: ['===', 'null'],
  isNotEmpty: ['!==', 'null'],
  is: (value) => ['===', `'${value}'`],
  isAbove: (value) => ['>', String(value)],
};

const expression = (source: string) => `={{ ${source} }}`;

/** The list whose entries each become a message; null where the answer is one message. */
const LISTS: Uses<string | null> = {
  time_out: null,
  make_role: null,
  send_chunks: 'chunks',
  make_emoji: null,
  list_members: null,
  post_text: null,
  show: () => null,
};

const REPLIES: Replies = { ...TOLD, make_emoji: () => 'This picture can be an emoji.' };

type Position = readonly [number, number];

/** The two outcomes of a condition. */
function whether(name: string, position: Position, condition: string) {
  return {
    name,
    type: 'n8n-nodes-base.if',
    typeVersion: 2,
    position,
    parameters: {
      conditions: {
        options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
        conditions: [
          {
            leftValue: expression(condition),
            rightValue: '',
            operator: { type: 'boolean', operation: 'true', singleValue: true },
          },
        ],
        combinator: 'and',
      },
      options: {},
    },
  };
}

/** A message in Discord. The reader chooses the credential, which names the channel. */
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
  /** null: there is nothing between. */
  readonly first: string | null;
  readonly nodes: readonly object[];
  readonly connections: Connections;
}

const STRAIGHT: Detour = { first: null, nodes: [], connections: {} };

/** Asks until the text has been posted, or will not be. */
function untilPosted({ url, key, use }: RecipeParts): Detour {
  if (use !== 'post_text') return STRAIGHT;
  return {
    first: 'Going on?',
    nodes: [
      whether('Going on?', [220, 0], '$json.pending === true'),
      {
        name: 'Wait',
        type: 'n8n-nodes-base.wait',
        typeVersion: 1.1,
        position: [440, -200],
        parameters: { amount: expression('$json.retry_after'), unit: 'seconds' },
      },
      {
        name: 'Look',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [660, -200],
        parameters: {
          method: 'GET',
          url,
          sendHeaders: true,
          headerParameters: toParameters([['Authorization', key]]),
          sendQuery: true,
          queryParameters: toParameters([['delivery_id', expression('$json.delivery_id')]]),
          options: NEVER_ERROR,
        },
      },
    ],
    connections: {
      'Going on?': { main: [to('Wait'), to('Worked?')] },
      Wait: { main: [to('Look')] },
      Look: { main: [to('Going on?')] },
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

/** A failure has to reach the next node too, because it says why. */
const NEVER_ERROR = { response: { response: { neverError: true } } };

/** Kept outside the workflow, so it is not shared with it. */
const WEBHOOK_CREDENTIAL = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };

const toSource = ({ left, check, right }: Check) => `${left} ${check} ${right}`;

/** A value from the answer as it is; a sentence as a string literal. */
const replyOf = (reply = '') => (reply.startsWith('$json.') ? reply : JSON.stringify(reply));

/** The reply for the first condition that holds. The last condition is implied, because one of them does. */
function reasonOf(checks: readonly Check[]): string {
  const [last, ...others] = checks.toReversed();
  return others.reduce(
    (rest, each) => `${toSource(each)} ? ${replyOf(each.reply)} : ${rest}`,
    replyOf(last?.reply),
  );
}

function requestNode(parts: RecipeParts) {
  const { operation, method, url, key, mainField, main, options, secret } = parts;
  const isPosting = secret === 'Webhook';
  // A list in a form would become several fields with other names.
  const variable = Array.isArray(operation.example.input[mainField])
    ? expression(`[$json.${mainField}].flat().join(', ')`)
    : expression(`$json.${mainField}`);
  const fields: Pair[] = [[mainField, main ?? variable], ...options];
  const headers: Pair[] = [
    ['Authorization', key],
    ...(secret === 'Token' ? ([['Token', TOKEN_PLACEHOLDER]] satisfies Pair[]) : []),
    ...(isPosting ? ([['Idempotency-Key', '={{ $execution.id }}-{{ $itemIndex }}']] satisfies Pair[]) : []),
  ];
  return {
    name: 'Quartermaster',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [0, 0],
    // The Idempotency-Key makes it safe to send the request again when no answer came.
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
      options: NEVER_ERROR,
    },
  };
}

/** A value inside a text of n8n; a list is joined, or it would be written as JSON. */
function shownIn({ operation }: RecipeParts): Show {
  const { answer } = operation.example;
  return (key) => `{{ $json.${key}${Array.isArray(answer[key]) ? ".join(', ')" : ''} }}`;
}

/**
 * Nodes in the form that n8n's canvas accepts from the clipboard.
 * @see https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/
 */
export const n8n: RecipeBook = {
  checked:
    "Written for HTTP Request 4.2, If 2, Split Out 1, Wait 1.1 and Discord 2 from n8n's documentation and published workflows; not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { mainField, secret } = parts;
    const isPosting = secret === 'Webhook';
    const list = linesFor(LISTS, parts);
    const waiting = untilPosted(parts);
    const each = eachOf(list);
    const checks = checksAfter(parts, { operators: OPERATORS, value: result, start: '!' });
    const replies = replyFields(parts, REPLIES, shownIn(parts), '').map(([, text]) => text);
    const content = list === null ? `=${replies.join('\n')}` : expression(`$json.${list}`);
    return {
      code: JSON.stringify(
        {
          nodes: [
            requestNode(parts),
            ...waiting.nodes,
            whether('Worked?', [440, 0], `!(${checks.map(toSource).join(' || ')})`),
            ...each.nodes,
            message('Tell', [880, -100], content),
            message('Say why', [660, 100], expression(reasonOf(checks))),
          ],
          connections: {
            Quartermaster: { main: [to(waiting.first ?? 'Worked?')] },
            ...waiting.connections,
            'Worked?': { main: [to(each.first ?? 'Tell'), to('Say why')] },
            ...each.connections,
          },
        },
        null,
        2,
      ),
      language: 'json',
      steps: [
        ...webhookSteps(parts, act('n8n.credential')),
        paste('n8n.paste'),
        ...(isPosting ? [act('n8n.choose')] : []),
        act('n8n.discord'),
        ...startSteps(parts),
        act('n8n.connect'),
      ],
      seen: seeIt(parts, 'message', REPLIES),
      note: `It takes \`${mainField}\` of the node before. What should happen with the answer besides the message goes after *Tell*. ${
        isPosting
          ? 'A credential of the type Custom Auth can hold the key beside the webhook.'
          : 'It is safer to keep the key in a credential of the type Header Auth than in the header.'
      }`,
    };
  },
};
