import {
  linesFor,
  takeApart,
  TOKEN_PLACEHOLDER,
  webhookSteps,
  whoSetsOff,
  type Pair,
  type RecipeBook,
  type RecipeParts,
  type Uses,
} from './recipe.ts';

const toParameters = (pairs: readonly Pair[]) => ({
  parameters: pairs.map(([name, value]) => ({ name, value })),
});

const to = (node: string) => [{ node, type: 'main', index: 0 }];

/** The list of which each entry becomes an item; null where the answer is the item. */
const LISTS: Uses<string | null> = {
  time_out: null,
  make_role: null,
  send_chunks: 'chunks',
  make_emoji: null,
  list_members: 'members',
  post_text: null,
  show: ([first, ...others]) => (first?.isList === true && others.length === 0 ? first.key : null),
};

/** Two ways: the condition holds, or it does not. */
function whether(name: string, position: readonly [number, number], leftValue: string) {
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
            leftValue,
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

function stop(name: string, position: readonly [number, number], errorMessage: string) {
  return {
    name,
    type: 'n8n-nodes-base.stopAndError',
    typeVersion: 1,
    position,
    parameters: { errorMessage },
  };
}

const WORKED = whether('Worked?', [220, 0], '={{ $json.ok }}');
const FAILED = stop('Show error', [440, 100], '={{ $json.error }}');

type Connections = Record<string, { main: ReturnType<typeof to>[] }>;

/** A flow after *Worked?*: its nodes, and the name of the first. */
interface Continuation {
  readonly first: string | null;
  readonly nodes: readonly object[];
  readonly connections: Connections;
}

/** Looks until the text has been posted, and stops with the reason if not all of it was. */
function untilPosted({ url, key }: RecipeParts): Continuation {
  return {
    first: 'Going on?',
    nodes: [
      whether('Going on?', [440, -100], '={{ $json.pending }}'),
      {
        name: 'Wait',
        type: 'n8n-nodes-base.wait',
        typeVersion: 1.1,
        position: [660, -200],
        parameters: { amount: '={{ $json.retry_after }}', unit: 'seconds' },
      },
      {
        name: 'Look',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion: 4.2,
        position: [880, -200],
        parameters: {
          method: 'GET',
          url,
          sendHeaders: true,
          headerParameters: toParameters([['Authorization', key]]),
          sendQuery: true,
          queryParameters: toParameters([['delivery_id', '={{ $json.delivery_id }}']]),
          options: NEVER_ERROR,
        },
      },
      whether('All of it?', [660, 0], "={{ $json.state === 'sent' }}"),
      stop('Show reason', [880, 100], '={{ $json.reason }}'),
    ],
    connections: {
      'Going on?': { main: [to('Wait'), to('All of it?')] },
      Wait: { main: [to('Look')] },
      Look: { main: [to('Worked?')] },
      'All of it?': { main: [[], to('Show reason')] },
    },
  };
}

function eachOf(list: string | null): Continuation {
  if (list === null) return { first: null, nodes: [], connections: {} };
  const parameters = { fieldToSplitOut: list, options: {} };
  const loop = {
    name: 'Each',
    type: 'n8n-nodes-base.splitOut',
    typeVersion: 1,
    position: [440, -100],
    parameters,
  };
  return { first: 'Each', nodes: [loop], connections: {} };
}

/** Hints about values of the answer that the next node should check. */
const THEN: Uses<readonly string[]> = {
  time_out: ['Add an If: `user_id` and `duration_seconds` are null when a line names no member or no time.'],
  make_role: [],
  send_chunks: [],
  make_emoji: ['Add an If: a picture is an emoji only when `emoji_ok` is true.'],
  list_members: ['Add an If: while `pending` is true, the members are still being counted; ask again later.'],
  post_text: [],
  show: () => [],
};

/** An answer that is no success has to reach the next node too: it says why. */
const NEVER_ERROR = { response: { response: { neverError: true } } };

/** Kept outside the workflow, so it is not shared with it. */
const WEBHOOK_CREDENTIAL = { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };

/**
 * Nodes as n8n's canvas takes them from the clipboard.
 * @see https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/
 */
export const n8n: RecipeBook = {
  label: 'n8n',
  checked:
    "Written for HTTP Request 4.2, If 2, Split Out 1 and Wait 1.1 from n8n's documentation and published workflows; not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, main, options, secret, use } = parts;
    const isPosting = secret === 'Webhook';
    const fields: Pair[] = [[mainField, main ?? `={{ $json.${mainField} }}`], ...options];
    const headers: Pair[] = [
      ['Authorization', key],
      ...(secret === 'Token' ? ([['Token', TOKEN_PLACEHOLDER]] satisfies Pair[]) : []),
      ...(isPosting ? ([['Idempotency-Key', '={{ $execution.id }}-{{ $itemIndex }}']] satisfies Pair[]) : []),
    ];
    const request = {
      name: 'Quartermaster',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      position: [0, 0],
      // With an Idempotency-Key it is safe to send it again when no answer came.
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
    const list = linesFor(LISTS, parts);
    const { first, nodes, connections } = use === 'post_text' ? untilPosted(parts) : eachOf(list);
    return {
      code: JSON.stringify(
        {
          nodes: [request, WORKED, ...nodes, FAILED],
          connections: {
            Quartermaster: { main: [to('Worked?')] },
            'Worked?': { main: [first === null ? [] : to(first), to('Show error')] },
            ...connections,
          },
        },
        null,
        2,
      ),
      language: 'json',
      before: [
        ...webhookSteps(
          parts,
          'Make a credential of the type Header Auth: name `Webhook`, value the address.',
        ),
        'Open your workflow and click an empty place on the canvas.',
        ...whoSetsOff(parts),
      ],
      afterwards: [
        ...(isPosting ? ['Choose the credential in the node *Quartermaster*.'] : []),
        'Connect the node before with *Quartermaster*, and execute the workflow.',
        ...linesFor(THEN, parts),
      ],
      // It is an automation: what it says in Discord is up to the nodes after it.
      seen: [],
      note: `Copy it and paste it onto the canvas. It takes \`${mainField}\` of the node before; ${
        list === null
          ? `the answer comes out of ${isPosting ? 'All of it?' : 'Worked?'}.`
          : `the node Each gives one item for each of the ${list}.`
      } ${
        isPosting
          ? 'A credential of the type Custom Auth can hold the key beside the webhook.'
          : 'It is safer to keep the key in a credential of the type Header Auth than in the header.'
      }`,
    };
  },
};
